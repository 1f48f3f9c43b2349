#!/usr/bin/env node
/**
 * Makes a random project with its home folder, and the question to ask about it.
 *
 *   node generate.mjs SEED FOLDER     writes the tree into FOLDER (empty or missing) and prints
 *                                     the request as JSON
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Dice } from './random.mjs';
import { IMPORTED, text } from './texts.mjs';

const FOLDER_NAMES = [
  'repo', 'sub', 'a', 'b', 'App', 'B', 'F', 'G', 'Zed', '1st', '.dot', '-x', '@at', '_u', '~t', '文件夹', '😀', '\uff26', 'a b',
  'a%20b', 'docs', 'node_modules', '.gemini', 'GEMINI.md', 'e\u0301',
];
const PLAIN_NAMES = ['GEMINI.md', 'AGENTS.md', 'CONTEXT.md', 'context.md', 'zz.md', '文.md'];
const ODD_NAMES = [
  'docs/RULES.md', '../UP.md', ' AGENTS.md ', './GEMINI.md', '', '  ', 'a/../b.md', 'sub/GEMINI.md', './docs//RULES.md',
  'GEMINI.md', '/x.md', 'docs/', '.', '..', 'GEMINI.md/', '\ufeffAGENTS.md', 'gemini.md', '../../UP.md', 'MEMORY.md',
];
const OTHER_CASES = ['gemini.md', 'Gemini.md', 'GEMINI.MD', 'agents.md', 'Memory.md'];
const MARKERS = [
  ['.git'], ['.git'], [], ['.hg'], ['.hg', '.git'], ['package.json'], ['sub/mark'], ['mark..er'], ['/etc'], ['..'], [''],
  ['.git/'], ['.', '.git'], ['GEMINI.md'],
];
const MODELS = ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3-pro-preview', 'gemma-3-27b-it', 'my-own-model'];

/**
 * Makes one tree below `root` and gives `{cwd, home, settings, access, locked}`; `locked` are files
 * and folders whose permissions have to be given back before the tree can be deleted.
 */
export function generate(seed, root) {
  return new Tree(new Dice(seed), root).build();
}

class Tree {
  constructor(dice, root) {
    this.dice = dice;
    this.root = root;
    this.files = [];
    this.settings = {};
  }

  build() {
    const { dice } = this;
    this.locked = [];
    this.home = path.join(this.root, 'home');
    this.gemini = path.join(this.home, '.gemini');
    fs.mkdirSync(this.gemini, { recursive: true });
    this.chooseNames();
    this.makeFolders();
    this.chooseWorkspace();
    this.makeMarkers();
    const world = { folders: this.folders, folderNames: FOLDER_NAMES, names: this.fileNames };
    this.fill = () => text(dice, world, dice.between(0, 3));
    for (const folder of this.folders) this.fillFolder(folder);
    this.fillFolder(this.gemini);
    if (dice.chance(0.7)) this.makePrivate();
    if (dice.chance(0.4)) this.makeExtensions();
    this.makeTrust();
    if (dice.chance(0.25)) this.includeFolders();
    if (dice.chance(0.25)) this.settings.importFormat = dice.pick(['flat', 'flat', 'tree']);
    if (dice.chance(0.3)) this.settings.model = dice.pick(MODELS);
    const access = dice.chance(0.5) ? this.accesses() : [];
    this.lockSome();
    return { cwd: this.cwd, home: this.home, settings: this.settings, access, tail: true, locked: this.locked };
  }

  chooseNames() {
    const { dice } = this;
    this.fileNames = ['GEMINI.md'];
    if (dice.chance(0.55)) return;
    const pool = dice.chance(0.6) ? PLAIN_NAMES : [...PLAIN_NAMES, ...ODD_NAMES, ...ODD_NAMES];
    const names = dice.some(pool, 4);
    this.settings.fileName = names.length === 1 && dice.chance(0.5) ? names[0] : names;
    for (const name of names) {
      const normal = path.posix.normalize(name.trim());
      if (!['.', '..', '/'].includes(normal) && name.trim()) this.fileNames.push(normal);
    }
  }

  makeFolders() {
    const { dice } = this;
    const bases = [this.root, this.root, path.join(this.root, 'w')];
    if (dice.chance(0.15)) bases.push(this.home);
    this.folders = [];
    for (let n = dice.between(2, 9); n > 0; n--) {
      const parent = dice.chance(0.6) && this.folders.length ? dice.pick(this.folders) : dice.pick(bases);
      const folder = path.join(parent, dice.pick(FOLDER_NAMES));
      if (this.tryTo(() => fs.mkdirSync(folder, { recursive: true }))) this.folders.push(folder);
    }
    this.folders = [...new Set(this.folders)];
  }

  chooseWorkspace() {
    const { dice } = this;
    const kind = dice.weighted({ folder: 80, deepest: 15, link: 6, home: 3, gemini: 2, root: 1 });
    const deepest = [...this.folders].sort((a, b) => b.length - a.length)[0];
    this.cwd = dice.pick(this.folders);
    if (kind === 'deepest') this.cwd = deepest;
    else if (kind === 'home') this.cwd = this.home;
    else if (kind === 'root') this.cwd = this.root;
    else if (kind === 'gemini') {
      this.cwd = path.join(this.gemini, 'plans');
      fs.mkdirSync(this.cwd);
    } else if (kind === 'link') {
      const link = path.join(this.root, 'link-' + dice.pick(['a', 'B', '1']));
      fs.symlinkSync(dice.pick([deepest, path.relative(this.root, deepest)]), link);
      this.cwd = link;
    }
  }

  makeMarkers() {
    const { dice } = this;
    if (dice.chance(0.25)) this.settings.boundaryMarkers = dice.pick(MARKERS);
    const places = [...this.folders, ...this.folders, path.dirname(this.cwd), this.root, this.home];
    for (const place of dice.some(places, 3)) {
      const marker = path.join(place, dice.pick(['.git', '.git', '.git', '.hg', 'package.json', 'sub/mark', 'mark..er']));
      if (dice.chance(0.6)) this.tryTo(() => fs.mkdirSync(marker, { recursive: true }));
      else if (dice.chance(0.15)) this.link(marker, dice.pick(['nowhere', '.']));
      else this.write(marker, 'gitdir: elsewhere\n');
    }
  }

  /** Memory files and the files that they import. */
  fillFolder(folder) {
    const { dice } = this;
    for (const name of new Set(this.fileNames)) {
      if (dice.chance(0.6)) this.place(path.join(folder, name));
    }
    if (dice.chance(0.1)) this.place(path.join(folder, dice.pick(OTHER_CASES)));
    for (const name of dice.some(IMPORTED, 6)) this.place(path.join(folder, name));
  }

  /** A file, a link of some kind, or a folder in its place. */
  place(file) {
    const { dice } = this;
    const kind = dice.weighted({
      file: 82, symlink: this.files.length ? 6 : 0, hardlink: this.files.length ? 5 : 0, folder: 2, dangling: 2, loop: 1, folderLink: 2,
    });
    if (kind === 'file') this.write(file, this.fill());
    else if (kind === 'hardlink') this.tryTo(() => fs.linkSync(fs.realpathSync(dice.pick(this.files)), this.parentOf(file)));
    else if (kind === 'folder') this.tryTo(() => fs.mkdirSync(file, { recursive: true }));
    else if (kind === 'dangling') this.link(file, dice.pick(['gone.md', '../gone/x.md', '/nowhere/x.md']));
    else if (kind === 'loop') {
      this.link(file, file + '.back');
      this.link(file + '.back', file);
    } else if (kind === 'folderLink') this.link(file, dice.pick(this.folders));
    else {
      const target = dice.pick(this.files);
      this.link(file, dice.chance(0.5) ? target : path.relative(path.dirname(file), target));
    }
  }

  makePrivate() {
    const { dice } = this;
    const hash = this.hash();
    const base = path.basename(this.cwd).toLowerCase();
    const slug = base.replace(/[^a-z0-9]/g, '-').replace(/-+/g, '-').replace(/^-|-$/g, '') || 'project';
    const ids = [slug, slug, slug + '-1', 'other', 'kept-id', slug + '-2'];
    const owners = [this.cwd, this.cwd, path.join(this.root, 'elsewhere'), this.cwd + '/', this.root];
    const temporary = path.join(this.gemini, 'tmp');
    if (dice.chance(0.4)) {
      const projects = {};
      for (const owner of dice.some(owners, 3)) projects[owner] = dice.pick([...ids, 'Bad Id', '../up', '']);
      const shown = JSON.stringify({ projects });
      const odd = ['{', '[]', '{"projects": []}', '{"projects": null}', 'null', JSON.stringify({ projects: { [this.cwd]: 3 } })];
      this.write(path.join(this.gemini, 'projects.json'), dice.chance(0.9) ? shown : dice.pick(odd));
    }
    for (const id of dice.some([...ids, hash, hash, hash], 4)) {
      const folder = path.join(temporary, id);
      const memory = path.join(folder, 'memory');
      if (dice.chance(0.45)) {
        const owner = dice.pick(owners) + dice.pick(['', '', '\n', ' \n']);
        this.write(path.join(dice.pick([folder, folder, path.join(this.gemini, 'history', id)]), '.project_root'), owner);
      }
      if (dice.chance(0.8)) this.place(path.join(memory, dice.pick(['MEMORY.md', 'MEMORY.md', 'MEMORY.md', 'Memory.md'])));
      if (dice.chance(0.4)) this.place(path.join(memory, dice.pick(this.fileNames)));
      for (const name of dice.some(IMPORTED, 3)) this.place(path.join(memory, name));
    }
  }

  makeExtensions() {
    const { dice } = this;
    const off = {};
    this.settings.extensions = [];
    for (const name of dice.some(['alpha', 'Beta', 'zeta', '1ext', 'a-b'], 3)) {
      const folder = path.join(this.gemini, 'extensions', name);
      const names = dice.some(['GEMINI.md', 'A.md', 'B.md', 'docs/C.md', 'gone.md', './A.md', '2.md'], 4);
      if (names.length === 0) names.push('GEMINI.md');
      for (const file of names) {
        if (file !== 'gone.md') this.write(path.join(folder, file), this.fill());
      }
      for (const file of dice.some(IMPORTED, 3)) this.write(path.join(folder, file), this.fill());
      const manifest = { name, version: '1.0.0', contextFileName: names };
      this.write(path.join(folder, 'gemini-extension.json'), JSON.stringify(manifest));
      const isActive = dice.chance(0.8);
      if (!isActive) off[name] = { overrides: ['!/*'] };
      const contextFiles = names.map((file) => path.join(folder, file));
      this.settings.extensions.push({ name, isActive, contextFiles });
    }
    this.write(path.join(this.gemini, 'extensions', 'extension-enablement.json'), JSON.stringify(off));
  }

  makeTrust() {
    const { dice } = this;
    const kind = dice.weighted({ off: 60, yes: 10, no: 7, file: 23 });
    if (kind === 'yes') this.settings.trusted = true;
    if (kind === 'no') this.settings.trusted = false;
    if (kind !== 'file') return;
    this.settings.trustFile = true;
    const up = path.dirname(this.cwd);
    const places = [
      this.cwd, this.cwd, this.cwd + '/', up, this.root, path.join(this.cwd, 'child'), path.join(up, 'sibling'), '/', this.home,
      path.join(this.cwd, '.'), this.cwd + '/../' + path.basename(this.cwd), this.realOf(this.cwd), path.join(this.root, 'nowhere'), this.cwd + 'x',
    ];
    const rules = {};
    for (const place of dice.some(places, 4)) {
      rules[place] = dice.pick(['TRUST_FOLDER', 'TRUST_FOLDER', 'TRUST_PARENT', 'DO_NOT_TRUST']);
    }
    if (dice.chance(0.03)) rules[this.cwd] = dice.pick(['TRUST_ME', '', 3, null]);
    let written = JSON.stringify(rules, null, 2);
    if (dice.chance(0.2)) written = '// rules\n' + written + '\n/* end */';
    if (dice.chance(0.04)) written = dice.pick(['{', '[]', '', 'null', '"x"']);
    if (dice.chance(0.93)) this.write(path.join(this.gemini, 'trustedFolders.json'), written);
  }

  includeFolders() {
    const { dice } = this;
    const chosen = dice.some([...this.folders, this.home, this.root, path.join(this.cwd, '..')], 3);
    if (dice.chance(0.05)) chosen.push(dice.pick([path.join(this.root, 'gone'), ...this.files]));
    this.settings.includeDirs = chosen.map((folder) =>
      dice.chance(0.5) ? folder : path.relative(this.cwd, folder) || '.',
    );
  }

  accesses() {
    const { dice } = this;
    const pool = [
      ...this.folders, ...this.folders.map((folder) => path.join(folder, dice.pick(['f.txt', 'new/deep/f.txt', 'GEMINI.md']))), ...this.files,
      this.cwd, path.join(this.cwd, 'x/y/z.txt'), path.join(this.cwd, '..', 'f.txt'), this.home, '/', path.join(this.gemini, 'x.md'),
    ];
    const chosen = Array.from({ length: dice.between(1, 5) }, () => dice.pick(pool));
    return chosen.map((file) => {
      const shown = dice.chance(0.5) ? file : path.relative(this.cwd, file) || '.';
      return dice.chance(0.1) ? shown + '/' : shown;
    });
  }

  /** The name that old versions gave to this project's folder. */
  hash() {
    return createHash('sha256').update(this.cwd).digest('hex');
  }

  parentOf(file) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    return file;
  }

  write(file, content) {
    if (!this.tryTo(() => fs.writeFileSync(this.parentOf(file), content, { flag: 'wx' }))) return;
    // The package rewrites these at start: a link to one would read another text a moment later.
    if (!['projects.json', '.project_root'].includes(path.basename(file))) this.files.push(file);
  }

  /** Takes permissions away. Root is above them, so these trees tell more to an ordinary user. */
  lockSome() {
    const { dice } = this;
    if (dice.chance(0.8)) return;
    // Not the workspace itself, and not what only the client reads: the package would not notice.
    const inside = (place, folder) => `${place}/`.startsWith(`${folder}/`);
    const free = (place) =>
      !inside(this.cwd, place) && !inside(this.realOf(this.cwd), place) && !/\/extensions\/[^/]*(\/gemini-extension)?\.json$/.test(place) &&
      !inside(place, path.join(this.gemini, 'tmp', this.hash()));
    const places = [...this.files, ...this.files, ...this.folders].filter(free);
    for (const place of dice.some(places, 4)) {
      const mode = dice.pick([0o000, 0o000, 0o200, 0o100]);
      this.tryTo(() => {
        if (fs.lstatSync(place).isSymbolicLink()) return;
        fs.chmodSync(place, mode);
        this.locked.push(place);
      });
    }
  }

  link(file, target) {
    if (this.tryTo(() => fs.symlinkSync(target, this.parentOf(file)))) this.files.push(file);
  }

  realOf(folder) {
    return fs.realpathSync(folder);
  }

  /** Random names collide; the first wins. */
  tryTo(action) {
    try {
      action();
      return true;
    } catch {
      return false;
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [seed, folder] = process.argv.slice(2);
  if (!folder) {
    process.stderr.write('usage: generate.mjs SEED FOLDER\n');
    process.exit(2);
  }
  fs.mkdirSync(folder, { recursive: true });
  const request = generate(Number(seed), fs.realpathSync(folder));
  process.stdout.write(JSON.stringify(request, null, 2) + '\n');
}
