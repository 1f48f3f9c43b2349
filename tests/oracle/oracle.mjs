#!/usr/bin/env node
/**
 * Differential-testing oracle for Gemini CLI's memory system.
 *
 * It loads the published npm package @google/gemini-cli-core, builds the
 * package's own `Config`, runs the package's own start-up, and prints as JSON
 * what the package found, concatenated and rendered. Nothing about discovery,
 * imports, ordering or rendering is re-implemented here: every value in the
 * output comes from a call into the package.
 *
 * One request:
 *   node oracle.mjs --cwd DIR --home DIR [--settings JSON|@FILE]
 *                   [--access PATH]... [--tail] [--raw]
 * Token estimates of the strings of a JSON array:
 *   node oracle.mjs --tokens FILE
 * Many requests in one process (one JSON object a line on stdin, one a line
 * on stdout; keys: cwd, home, settings, access, tail, raw, id):
 *   node oracle.mjs --batch
 *
 * Environment:
 *   ORACLE_MODULES  node_modules folder holding @google/gemini-cli-core
 *                   (default ./node_modules of the current folder)
 *
 * settings (all optional):
 *   fileName         string | string[]   context.fileName
 *   includeDirs      string[]            context.includeDirectories (relative to cwd)
 *   importFormat     "tree" | "flat"     context.importFormat
 *   boundaryMarkers  string[]            context.memoryBoundaryMarkers
 *   trusted          boolean             the folder's trust, as the CLI would pass it in;
 *                                        absent = the folder-trust feature is off
 *   trustFile        boolean             let the package read <home>/.gemini/trustedFolders.json
 *   extensions       [{name, isActive?, contextFiles: string[]}]
 *                                        paths relative to cwd; the package takes them
 *                                        already resolved (the CLI, not core, reads
 *                                        gemini-extension.json)
 *   jit              boolean             false = ignore --access (default true)
 *   inbox            [{op: "list"|"apply"|"dismiss", kind: "private"|"global", path?}]
 *                                        run after loading; without path: all of the kind
 *   model            string              default "gemini-3-pro-preview"; a 2.x model
 *                                        selects the package's legacy snippets
 *
 * Side effects: like the real CLI, the package writes below <home>/.gemini
 * (projects.json, tmp/<id>/.project_root, history/<id>/.project_root, a chat
 * file) and may migrate an old hash-named folder. Run it on a disposable copy.
 *
 * The text that upstream puts between its "Contextual Instructions" heading and
 * the <loaded_context> tag is replaced by {{PRECEDENCE_TEXT}} unless --raw is
 * given, so that saved outputs hold only our own fixtures' words and upstream's
 * markers. Its length and SHA-256 are reported under `precedenceText`.
 */
import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as readline from 'node:readline';
import { pathToFileURL } from 'node:url';

// The package logs through console.*; keep stdout for our JSON alone.
for (const level of ['log', 'info', 'debug', 'warn', 'trace']) {
  console[level] = process.env.ORACLE_DEBUG
    ? (...args) => process.stderr.write(args.map(String).join(' ') + '\n')
    : () => {};
}

// The caller's environment must not leak into the answer.
for (const name of Object.keys(process.env)) {
  if (/^(GEMINI_|GOOGLE_|SANDBOX$|VITEST$|NODE_ENV$|DEBUG)/.test(name)) {
    delete process.env[name];
  }
}

const TOKEN = '{{PRECEDENCE_TEXT}}';
const modulesDir = process.env.ORACLE_MODULES ?? path.resolve('node_modules');
const packageDir = path.join(modulesDir, '@google', 'gemini-cli-core');
const version = JSON.parse(
  fs.readFileSync(path.join(packageDir, 'package.json'), 'utf8'),
).version;
const load = (file) => import(pathToFileURL(path.join(packageDir, 'dist', file)).href);

let upstream; // loaded once, after HOME has been set for the first request

async function loadUpstream() {
  if (upstream) return upstream;
  const [core, snippets, legacySnippets, memoryTool, trust, environment, tokens] =
    await Promise.all([
      load('index.js'),
      load('src/prompts/snippets.js'),
      load('src/prompts/snippets.legacy.js'),
      load('src/tools/memoryTool.js'),
      load('src/utils/trust.js').catch(() => ({})),
      load('src/utils/environmentContext.js'),
      load('src/utils/tokenCalculation.js'),
    ]);
  upstream = { core, snippets, legacySnippets, memoryTool, trust, environment, tokens };
  return upstream;
}

/** The fixed text of the string form of renderUserMemory, cut out of a real rendering. */
function precedenceText(render, names) {
  const probe = 'ORACLE-PROBE';
  const rendered = render(probe, names);
  const bodyStart = rendered.indexOf('\n', rendered.indexOf('# Contextual Instructions')) + 1;
  const bodyEnd = rendered.indexOf('\n\n<loaded_context>');
  return bodyStart > 0 && bodyEnd > bodyStart ? rendered.slice(bodyStart, bodyEnd) : '';
}

/** Every file below a folder: relative path -> text. */
function readTree(root) {
  if (!fs.existsSync(root)) return {};
  const names = fs.readdirSync(root, { recursive: true }).map(String).sort();
  const files = names.filter((name) => fs.statSync(path.join(root, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [name, fs.readFileSync(path.join(root, name), 'utf8')]),
  );
}

/** Token estimates for plain strings: [{ text, tokens }]. */
async function estimate(texts) {
  const { tokens } = await loadUpstream();
  return texts.map((text) => ({ text, tokens: tokens.estimateTokenCountSync([{ text }]) }));
}

async function answer(request) {
  const cwd = path.resolve(request.cwd);
  const home = path.resolve(request.home);
  const settings = request.settings ?? {};
  process.env.HOME = home;
  process.env.GEMINI_CLI_HOME = home;
  const { core, snippets, legacySnippets, memoryTool, trust, environment, tokens } =
    await loadUpstream();

  // Module-level state of the package, reset so that batch requests are independent.
  trust.resetTrustedFoldersForTesting?.();
  // Names are looked up in the current folder; start from one that holds none of them.
  process.chdir('/');
  memoryTool.resetGeminiMdFilename?.();
  process.chdir(cwd); // the CLI runs in its project folder
  // Same two branches as the CLI's loadCliConfig.
  if (settings.fileName) memoryTool.setGeminiMdFilename(settings.fileName);
  else memoryTool.resetGeminiMdFilename?.();

  const extensions = (settings.extensions ?? []).map((extension) => ({
    name: extension.name,
    id: extension.name,
    version: '1.0.0',
    path: path.join(home, '.gemini', 'extensions', extension.name),
    isActive: extension.isActive ?? true,
    contextFiles: extension.contextFiles.map((file) => path.resolve(cwd, file)),
  }));

  const config = new core.Config({
    sessionId: 'oracle-session',
    targetDir: cwd,
    cwd,
    debugMode: false,
    model: settings.model ?? 'gemini-3-pro-preview',
    interactive: false,
    usageStatisticsEnabled: false,
    telemetry: { enabled: false },
    enableHooks: false,
    enableAgents: false,
    skillsSupport: false,
    includeDirectoryTree: false,
    folderTrust: settings.trustFile === true || settings.trusted !== undefined,
    trustedFolder: settings.trusted,
    includeDirectories: (settings.includeDirs ?? []).map((dir) => path.resolve(cwd, dir)),
    importFormat: settings.importFormat,
    memoryBoundaryMarkers: settings.boundaryMarkers,
    extensionLoader: new core.SimpleExtensionLoader(extensions),
  });
  await config.initialize();

  const manager = config.getMemoryContextManager();
  const names = memoryTool.getAllGeminiMdFilenames();
  const memory = config.getUserMemory();
  const systemMemory = config.getSystemInstructionMemory();

  // Which of the two snippet sets the package would choose for this model.
  const modern = core.supportsModernFeatures?.(config.getActiveModel()) ?? true;
  const { renderUserMemory } = modern ? snippets : legacySnippets;
  const fixed = precedenceText(renderUserMemory, names);
  const mask = (text) => (request.raw || !fixed ? text : text.split(fixed).join(TOKEN));

  const result = {
    version,
    contextFileNames: names,
    workspaceDirs: [...config.getWorkspaceContext().getDirectories()],
    trusted: config.isTrustedFolder(),
    projectId: path.basename(config.storage.getProjectTempDir()),
    memoryDir: config.storage.getProjectMemoryDir(),
    indexFile: memoryTool.getProjectMemoryIndexFilePath(config.storage),
    globalFile: memoryTool.getGlobalMemoryFilePath(),
    // Discovered, before identity dedupe across layers and before reading.
    files: await manager.discoverMemoryPaths(),
    // Read without error, in load order; what /memory list shows.
    loaded: config.getGeminiMdFilePaths(),
    fileCount: config.getGeminiMdFileCount(),
    layers: {
      global: memory.global,
      userProjectMemory: memory.userProjectMemory,
      extension: memory.extension,
      project: memory.project,
    },
    flattened: core.flattenMemory(memory),
    rendered: {
      // All four layers through the object form (what the tags look like together).
      allLayers: mask(renderUserMemory(memory, names)),
      // What really goes to the system prompt, and to the first user message.
      systemInstruction: mask(renderUserMemory(systemMemory, names)),
      firstMessage: config.getSessionMemory(),
    },
    precedenceText: {
      snippetSet: modern ? 'modern' : 'legacy',
      length: fixed.length,
      sha256: crypto.createHash('sha256').update(fixed).digest('hex'),
    },
    show: core.showMemory(config).content,
    list: core.listMemoryFiles(config).content,
    tokenEstimate: tokens.estimateTokenCountSync([{ text: core.flattenMemory(memory) }]),
  };

  if (request.tail) {
    // The memory block as it stands in the finished system prompt: the package
    // squeezes runs of blank lines and trims, so it can differ from renderUserMemory.
    const prompt = core.getCoreSystemPrompt(config, systemMemory);
    const tag = prompt.indexOf('<loaded_context>');
    const heading = prompt.lastIndexOf('# Contextual Instructions', tag);
    const rule = prompt.lastIndexOf('\n---\n', tag);
    const start = tag < 0 ? prompt.length : Math.max(heading, rule);
    result.rendered.promptTail = mask(prompt.slice(start));
    // The conflict-resolution mandate: the only mention of this tag outside the block.
    result.conflictMandate = prompt.slice(0, start).includes('<global_context>');
    const [first] = await environment.getEnvironmentContext(config);
    const at = first.text.indexOf('<loaded_context>');
    result.rendered.firstMessageTail = at < 0 ? '' : first.text.slice(at);
  }

  // Just-in-time loading, in the order the accesses were given.
  const accesses = settings.jit === false ? [] : (request.access ?? []);
  if (accesses.length > 0) {
    const roots = [...config.getWorkspaceContext().getDirectories()];
    result.jit = [];
    for (const access of accesses) {
      const target = path.resolve(cwd, access);
      result.jit.push({
        path: target,
        context: await manager.discoverContext(target, roots),
      });
    }
    result.afterJit = {
      loaded: config.getGeminiMdFilePaths(),
      fileCount: config.getGeminiMdFileCount(),
      show: core.showMemory(config).content,
    };
    result.afterReload = {
      message: (await core.refreshMemory(config)).content,
      loaded: config.getGeminiMdFilePaths(),
    };
  }

  // Reviewing auto-memory patches, as /memory inbox does.
  if (settings.inbox) {
    result.inbox = [];
    for (const step of settings.inbox) {
      const name = step.path ?? step.kind; // the kind alone means "all of this kind"
      if (step.op === 'list') {
        const entries = await core.listInboxMemoryPatches(config);
        // The date is a file's mtime; not a fixture's business.
        result.inbox.push(entries.map(({ extractedAt, ...entry }) => entry));
      } else if (step.op === 'apply') {
        result.inbox.push(await core.applyInboxMemoryPatch(config, step.kind, name));
      } else if (step.op === 'dismiss') {
        result.inbox.push(await core.dismissInboxMemoryPatch(config, step.kind, name));
      } else throw new Error(`unknown inbox op ${step.op}`);
    }
    result.afterInbox = {
      memoryFiles: readTree(config.storage.getProjectMemoryDir()),
      globalFile: fs.existsSync(result.globalFile)
        ? fs.readFileSync(result.globalFile, 'utf8')
        : null,
    };
  }

  await config.dispose?.();
  return result;
}

function parseArguments(argv) {
  const request = { access: [] };
  for (let i = 0; i < argv.length; i++) {
    const option = argv[i];
    const value = () => {
      if (i + 1 >= argv.length) throw new Error(`${option} needs a value`);
      return argv[++i];
    };
    if (option === '--cwd') request.cwd = value();
    else if (option === '--home') request.home = value();
    else if (option === '--access') request.access.push(value());
    else if (option === '--tail') request.tail = true;
    else if (option === '--raw') request.raw = true;
    else if (option === '--batch') request.batch = true;
    else if (option === '--tokens') request.tokens = value();
    else if (option === '--settings') {
      const text = value();
      request.settings = JSON.parse(
        text.startsWith('@') ? fs.readFileSync(text.slice(1), 'utf8') : text,
      );
    } else throw new Error(`unknown option ${option}`);
  }
  if (!request.batch && !request.tokens && (!request.cwd || !request.home)) {
    throw new Error('usage: oracle.mjs --cwd DIR --home DIR [--settings JSON] [--access PATH]...');
  }
  return request;
}

async function main() {
  const request = parseArguments(process.argv.slice(2));
  if (request.tokens) {
    const texts = JSON.parse(fs.readFileSync(request.tokens, 'utf8'));
    process.stdout.write(JSON.stringify(await estimate(texts), null, 2) + '\n');
    return;
  }
  if (!request.batch) {
    process.stdout.write(JSON.stringify(await answer(request), null, 2) + '\n');
    return;
  }
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (!line.trim()) continue;
    const one = JSON.parse(line);
    let reply;
    try {
      reply = await answer(one);
    } catch (error) {
      reply = { error: String(error?.message ?? error) };
    }
    process.stdout.write(JSON.stringify({ id: one.id, ...reply }) + '\n');
  }
}

main().then(
  // The package leaves timers and listeners behind; leave once stdout is flushed.
  () => process.stdout.write('', () => process.exit(0)),
  (error) => {
    process.stderr.write(`oracle: ${error?.stack ?? error}\n`);
    process.exit(1);
  },
);
