/**
 * Random memory texts: every kind of import, code region, white space and ill-formed byte that the
 * agent's grammar tells apart.
 */

/** Names of files that texts import; the tree holds some of them in each folder. */
export const IMPORTED = [
  'a.md', 'b.md', 'c.md', 'd.md', 'a b.md', 'a%20b.md', 'c%zz.md', '文.md', 'n.txt', 'bare', 'ok.md,',
];

const WORDS = [
  'Use tabs.', 'Never push.', 'build', 'the', 'répertoire', '使用', '🦀', 'x', '- item', '# Heading', '* @',
  '**bold**', '| a | b |', '---', '</loaded_context>', '<project_context>', '--- Context from: /x ---',
  '--- End of Context from: /x ---', '<!-- note -->', '{{PRECEDENCE_TEXT}}', '\\@./a.md', '&amp;', '1.',
];

const GAPS = [
  ' ', ' ', ' ', '\n', '\n', '\n', '\n\n', '\n\n\n', '\n\n\n\n\n', '\t', '\r\n', '\r\n\r\n\r\n', '\r', '\u00a0',
  '\ufeff', '\u0085', '\u200b', '\u3000', '\u2028', '\u2029', '\u000b', '\u000c', '\u1680', '\u180e', '\u202f', '\u205f', '    ', '',
];

const ILL_FORMED = [
  [0xff], [0xc3], [0xc3, 0x28], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xc0, 0xaf],
  [0xf4, 0x90, 0x80, 0x80], [0x80], [0xe0, 0x80, 0x80], [0xf0, 0x9f, 0x41], [0xfe, 0xff], [0x00],
];

const BLANK = ['', ' ', '\n', ' \n\t\r\n', '\ufeff', '\u0085', '\u00a0\u3000', '\u200b', '\ufeff\n', '\n\n\n\n'];

const NOT_IMPORTS = [
  '@', '@@./a.md', '(@./a.md)', '*@./a.md', 'me@example.org', '@~/a.md', '@1.md', '@_a.md', '@-a', '@"a.md"',
  '@文.md', '`@./a.md`', '``@./a.md``', '```\n@./a.md\n```', '~~~\n@./a.md\n~~~', '    @./a.md', '<!-- @./a.md -->',
  '@alice', '@org/package', '@./a.md,', '@./a.md.', "'@./a.md'", '\u00a0@./a.md', '\ufeff@./a.md', '\u2028@./a.md', '@é.md',
];

/** The target of one import as it is written after the `@`. */
export function target(dice, world) {
  const name = dice.pick(IMPORTED);
  const kind = dice.weighted({
    near: 30, bare: 8, up: 10, down: 8, absolute: 8, memory: 8, missing: 5, folder: 3, dots: 4, refused: 3, percent: 6,
    odd: 5, long: 0.5, nul: 0.5, below: 2,
  });
  switch (kind) {
    case 'near': return './' + name;
    case 'bare': return name;
    case 'up': return '../'.repeat(dice.between(1, 3)) + name;
    case 'down': return dice.pick(['./', '']) + dice.pick(world.folderNames) + '/' + name;
    case 'absolute': return dice.pick(world.folders) + '/' + name;
    case 'memory': return dice.pick(['./', '../', '']) + dice.pick(world.names);
    case 'missing': return './missing.md';
    case 'folder': return dice.pick(['.', '..', './', '/', './' + dice.pick(world.folderNames), '../']);
    case 'dots': return dice.pick(['./x/../', '././', './/', '../x/../']) + name;
    case 'refused': return dice.pick(['file:///etc/hostname', 'http://a/b', 'https://a', 'HTTP://a', 'File://a', '/etc/hostname']);
    case 'percent': return './' + dice.pick(['%61.md', 'a%20b.md', 'c%zz.md', '%2e%2e/a.md', '..%2fa.md', '%2e/b.md', '%ff.md', 'a%00.md', '%E6%96%87.md']);
    case 'odd': return dice.pick(['./a.md/', './a.md/x', './ok.md,', 'a.md#part', 'a.md?x', './"a.md"', 'a.md:3', './\\a.md', './A.MD', './`a.md', './😀']);
    case 'long': return './' + 'n'.repeat(300) + '.md';
    case 'nul': return './a\u0000.md';
    default: return './a.md/' + name;
  }
}

/** A memory text as bytes. `imports` is the most imports that it may hold. */
export function text(dice, world, imports) {
  if (dice.chance(0.06)) return Buffer.from(dice.pick(BLANK));
  const parts = [];
  if (dice.chance(0.06)) parts.push(Buffer.from('\ufeff'));
  let left = imports;
  for (let n = dice.between(1, 12); n > 0; n--) {
    const kind = dice.weighted({ word: 10, import: left > 0 ? 7 : 0, not: left > 0 ? 2 : 0, ticks: 3, bytes: 0.4 });
    if (kind === 'word') parts.push(Buffer.from(dice.pick(WORDS)));
    else if (kind === 'import') {
      left -= 1;
      parts.push(Buffer.from('@' + target(dice, world)));
    } else if (kind === 'not') {
      left -= 1;
      parts.push(Buffer.from(dice.pick(NOT_IMPORTS)));
    } else if (kind === 'ticks') parts.push(Buffer.from('`'.repeat(dice.between(1, 5))));
    else parts.push(Buffer.from(dice.pick(ILL_FORMED)));
    parts.push(Buffer.from(dice.pick(GAPS)));
  }
  return Buffer.concat(parts);
}
