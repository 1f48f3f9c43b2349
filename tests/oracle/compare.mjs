/** The fields of both answers, side by side. */

const START = '\n\n--- Newly Discovered Project Context ---\n';
const END = '\n--- End Project Context ---';
const FATAL = ['settings-invalid', 'trust-file-invalid', 'include-directory', 'context-name-unresolved'];

/** Codes of diagnostics with which the agent would not start. */
export function refusals(ours) {
  return (ours.diagnostics ?? []).map(({ code }) => code).filter((code) => FATAL.includes(code));
}

/** Pairs `[field, the package's value, ours]`. */
function pairs(theirs, ours, request) {
  const prompt = ours.prompt;
  const tier = (name) => ours.tiers.find((each) => each.tier === name)?.text ?? '';
  const message = (name) => prompt.messages.find((each) => each.message === name)?.text ?? '';
  const system = message('system-instruction');
  const first = message('first-user-message');
  const found = [
    ['contextFileNames', theirs.contextFileNames, ours.names],
    ['workspaceDirs', theirs.workspaceDirs, ours.workspace_dirs],
    ['trusted', theirs.trusted, ours.trusted],
    ['projectId', theirs.projectId, ours.project_id],
    ['memoryDir', theirs.memoryDir, ours.memory_dir],
    ['indexFile', theirs.indexFile, ours.index_file],
    ['globalFile', theirs.globalFile, ours.global_file],
    ['loaded', theirs.loaded, ours.loaded],
    ['fileCount', theirs.fileCount, ours.file_count],
    ['flattened', theirs.flattened, prompt.flattened],
    ['show', theirs.show, prompt.memory_show],
    ['list', theirs.list, prompt.memory_list],
    ['conflictMandate', theirs.conflictMandate, prompt.conflict_line],
    ['systemInstruction', squeeze(theirs.rendered.systemInstruction.replace(/^\n+|\n+$/g, '')), system],
    // Built without the configured names, so the heading is left out.
    ['promptTail', belowHeading(theirs.rendered.promptTail.replace(/^\n+|\n+$/g, '')), belowHeading(system)],
    ['firstMessage', theirs.rendered.firstMessage.replace(/^\n/, ''), first],
    ['firstMessageTail', theirs.rendered.firstMessageTail.replace(/\n<\/session_context>$/, ''), first],
  ];
  for (const [key, name] of [['global', 'global'], ['userProjectMemory', 'private'], ['extension', 'extension'], ['project', 'project']]) {
    found.push([`files.${key}`, theirs.files[key], ours.discovered[name] ?? []]);
    found.push([`layers.${key}`, theirs.layers[key], tier(name)]);
  }
  if (theirs.jit) {
    const after = prompt.after_accesses;
    const list = ours.after_reload.memory_list;
    theirs.jit.forEach((one, at) => {
      found.push([`jit[${at}].path`, one.path, prompt.accesses[at]?.path]);
      found.push([`jit[${at}].context`, one.context, unwrapped(prompt.accesses[at]?.text ?? '')]);
    });
    found.push(['jit.length', request.access.length, prompt.accesses.length]);
    found.push(['afterJit.loaded', theirs.afterJit.loaded, after.loaded]);
    found.push(['afterJit.fileCount', theirs.afterJit.fileCount, after.file_count]);
    found.push(['afterJit.show', theirs.afterJit.show, after.memory_show]);
    found.push(['afterReload.message', theirs.afterReload.message, after.reload_message]);
    found.push(['afterReload.loaded', theirs.afterReload.loaded, list.split('\n').slice(2)]);
  }
  return found;
}

const squeeze = (text) => text.replace(/\n{3,}/g, '\n\n');
const belowHeading = (text) => text.replace(/^# Contextual Instructions \([^\n]*\)\n/, '');

function unwrapped(text) {
  return text.startsWith(START) && text.endsWith(END) ? text.slice(START.length, -END.length) : text;
}

/** `{field, difference}` for each field that differs. */
export function compare(theirs, ours, request) {
  return [...pairs(theirs, ours, request), ...tiling(ours)]
    .map(([field, expected, actual]) => ({ field, expected: shown(expected), actual: shown(actual) }))
    .filter(({ expected, actual }) => expected !== actual)
    .map(({ field, expected, actual }) => ({ field, difference: firstDifference(expected, actual) }));
}

/** Segments cover their text without gap or overlap. */
function tiling(ours) {
  return [...ours.prompt.messages, ...ours.prompt.accesses].flatMap(({ text, segments }, at) => {
    let end = 0;
    const gaps = segments.filter((segment) => {
      const wrong = segment.start !== end || segment.end <= segment.start;
      end = segment.end;
      return wrong;
    });
    return [
      [`segments[${at}]`, '[]', JSON.stringify(gaps)],
      [`segments[${at}].end`, Buffer.byteLength(text), end],
    ];
  });
}

const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1) ?? 'undefined');

function firstDifference(expected, actual) {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at += 1;
  const from = Math.max(0, at - 60);
  const piece = (text) => JSON.stringify(text.slice(from, at + 160));
  return `at ${at}\n    package   ${piece(expected)}\n    tierboard ${piece(actual)}`;
}
