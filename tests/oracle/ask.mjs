/** Asks the real package and the tierboard binary about one tree. */
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as readline from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The package in a process of its own, started again every few hundred questions. */
export class Oracle {
  constructor(restartEvery = 300) {
    this.restartEvery = restartEvery;
    this.asked = 0;
  }

  async ask(request) {
    if (!this.process || this.asked >= this.restartEvery) this.start();
    this.asked += 1;
    this.process.stdin.write(JSON.stringify(request) + '\n');
    const { value, done } = await this.lines.next();
    if (done) throw new Error('the oracle ended early; set ORACLE_DEBUG=1 to see why');
    return JSON.parse(value);
  }

  start() {
    this.stop();
    this.asked = 0;
    this.process = spawn(process.execPath, [path.join(here, 'oracle.mjs'), '--batch'], {
      stdio: ['pipe', 'pipe', process.env.ORACLE_DEBUG ? 'inherit' : 'ignore'],
    });
    this.lines = readline.createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  stop() {
    this.process?.stdin.end();
    this.process = undefined;
  }
}

/** Writes the settings as a user would: a settings file; trust goes into a variable. */
export function writeSettings(request) {
  const { settings } = request;
  const context = {};
  if ('fileName' in settings) context.fileName = settings.fileName;
  if ('includeDirs' in settings) context.includeDirectories = settings.includeDirs;
  if ('importFormat' in settings) context.importFormat = settings.importFormat;
  if ('boundaryMarkers' in settings) context.memoryBoundaryMarkers = settings.boundaryMarkers;
  const file = path.join(request.home, '.gemini', 'settings.json');
  fs.writeFileSync(file, JSON.stringify({ context }));
}

/** What `tierboard prompt --json` says, or `{failed}`. */
export function askTierboard(binary, request) {
  const { settings } = request;
  const args = ['prompt', request.cwd, '--agent', 'gemini', '--json'];
  for (const file of request.access) args.push('--access=' + file);
  if (request.access.length > 0) args.push('--after-reload');
  if (settings.model) args.push('--model', settings.model);
  const env = {
    PATH: process.env.PATH,
    HOME: request.home,
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/nonexistent/settings.json',
    GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/nonexistent/system-defaults.json',
  };
  if (!settings.trustFile) env.GEMINI_CLI_TRUST_WORKSPACE = String(settings.trusted ?? true);
  const run = spawnSync(binary, args, { cwd: '/', env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) return { failed: `status ${run.status}: ${run.stderr.slice(0, 500)}` };
  return JSON.parse(run.stdout);
}
