#!/usr/bin/env node
/**
 * Compares tierboard with the real package over random trees. See README.md.
 *
 *   node differential.mjs [--trees N] [--seed S] [--binary FILE] [--keep]
 *
 * Tree number i has the seed S + i. `--trees 1 --seed S --keep` makes one tree again and leaves
 * its folder.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Oracle, askTierboard, writeSettings } from './ask.mjs';
import { compare, refusals } from './compare.mjs';
import { generate } from './generate.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    trees: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    binary: { type: 'string', default: path.join(here, '../../target/debug/tierboard') },
    keep: { type: 'boolean', default: false },
  },
});

/** Every path below a folder with what stands there, to see whether a scan wrote anything. */
function listing(folder, found = []) {
  let entries = [];
  try {
    entries = fs.readdirSync(folder);
  } catch {
    // A folder without permissions.
  }
  for (const name of entries) {
    const file = path.join(folder, name);
    const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
    found.push(`${file} ${stat?.mode} ${stat?.size} ${stat?.mtimeNs}`);
    if (stat?.isDirectory()) listing(file, found);
  }
  return found.join('\n');
}

function remove(root, locked) {
  // Folders before what they hold.
  for (const file of [...locked].sort((a, b) => a.length - b.length)) fs.chmodSync(file, 0o700);
  fs.rmSync(root, { recursive: true, force: true });
}

const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'tierboard-oracle-')));
const oracle = new Oracle();
const trees = Number(values.trees);
const first = Number(values.seed);
if (process.getuid() === 0) console.log('as root: trees with locked files tell nothing');
let differences = 0;
let treesWithDifferences = 0;
const refused = [];
const byField = new Map();

for (let seed = first; seed < first + trees; seed++) {
  const root = path.join(base, 't' + seed);
  fs.mkdirSync(root);
  let request;
  let found;
  try {
    request = generate(seed, root);
    writeSettings(request);
    const before = listing(root);
    // The package writes into the home folder, tierboard doesn't: it goes first.
    const ours = askTierboard(values.binary, request);
    found = listing(root) === before ? [] : [{ field: 'disk', difference: 'tierboard changed something' }];
    const theirs = await oracle.ask(request);
    if (ours.failed) found.push({ field: 'run', difference: ours.failed });
    else if (theirs.error) {
      const codes = refusals(ours);
      refused.push({ seed, error: theirs.error, codes });
      if (codes.length === 0) found.push({ field: 'refusal', difference: `package: ${theirs.error}\n    tierboard has no diagnostic that the agent would not start` });
    } else {
      if (refusals(ours).length > 0) found.push({ field: 'refusal', difference: `the package starts, tierboard says ${refusals(ours)}` });
      found.push(...compare(theirs, ours, request));
    }
  } catch (error) {
    found = [{ field: 'differential', difference: error.stack }];
  }
  differences += found.length;
  treesWithDifferences += found.length > 0 ? 1 : 0;
  for (const { field, difference } of found) {
    const key = field.replace(/\[\d+\]/, '[]');
    byField.set(key, (byField.get(key) ?? 0) + 1);
    console.log(`seed ${seed} · ${field} · ${difference}`);
  }
  if (!values.keep) remove(root, request?.locked ?? []);
  else console.log(`${root}\n${JSON.stringify(request)}`);
}

oracle.stop();
if (!values.keep) fs.rmSync(base, { recursive: true, force: true });
for (const { seed, error, codes } of refused) {
  console.log(`refused · seed ${seed} · ${codes.join(' ') || 'NO DIAGNOSTIC'} · ${error.slice(0, 160)}`);
}
for (const [field, count] of [...byField].sort((a, b) => b[1] - a[1])) console.log(`${count} · ${field}`);
console.log(`${refused.length} trees in which the agent refuses to start`);
console.log(`${trees} trees, ${differences} differences in ${treesWithDifferences} trees`);
process.exitCode = differences > 0 ? 1 : 0;
