// An endless, seeded stream of what no client should send. None of it is a valid request for anything.

const texts = [
  '',
  ' ',
  '{',
  '}',
  '[]',
  '[[]]',
  '{}',
  'null',
  'true',
  '"text"',
  '1e999',
  '-',
  'NaN',
  'undefined',
  '\u0000',
  '\ufeff{}',
  '{"a":1}{"b":2}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"id":1,"id":2}',
  '{"t":"call"}',
  '{"type":{}}',
  '{"type":"user_message"}',
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","method":null}',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '[{"jsonrpc":"2.0","id":1,"method":5},7,null]',
  '\\ud800',
  '{"text":"\\ud800\\udc00\\ud800"}',
]

const strange = [
  null,
  true,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  '\u0000',
  '../../etc/passwd',
  '/etc/passwd\u0000.txt',
  'constructor',
  '__proto__',
  '\ud800',
  '‮gnp.exe',
  [],
  {},
  [[[[[]]]]],
  { toString: 1 },
]

/** Random choices by a seed (mulberry32). */
export function dice(seed) {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most) => Math.floor(next() * most)
  return { next, below, pick: (of) => of[below(of.length)] }
}

const shapes = {
  claude: ({ pick }) => ({
    jsonrpc: pick(['2.0', '2.0', 2, null]),
    id: pick([...strange, 1, 'a']),
    method: pick([
      'tools/call',
      'tools/call',
      'initialize',
      'ide_connected',
      'notifications/cancelled',
      'x',
      ...strange,
    ]),
    params: pick([
      {
        name: pick(['openDiff', 'openFile', 'getDiagnostics', 'close_tab', 'x', ...strange]),
        arguments: wrongDiff(pick),
      },
      { requestId: pick(strange) },
      ...strange,
    ]),
  }),
  hooks: ({ pick }) => ({
    hook_event_name: pick(['PreToolUse', 'PreToolUse', 'PreToolUse', 'x', ...strange]),
    session_id: pick(['a', 'a', 'a', ...strange]),
    cwd: pick(['/', '/', ...strange]),
    tool_use_id: pick(['a', 'b', ...strange]),
    tool_name: pick(['Write', 'Edit', 'NotebookEdit', 'MultiEdit']),
    tool_input: pick([wrongEdit(pick), wrongEdit(pick), ...strange]),
  }),
  sessions: ({ pick }) => ({
    type: pick(['subscribe', 'history', 'typing', 'ack', 'x', ...strange]),
    fromUuid: pick(strange),
    beforeUuid: pick(strange),
    limit: pick([-1, 0, 1e9, 'all', ...strange]),
    uuid: pick(strange.filter((one) => typeof one !== 'string')),
    isTyping: pick(['yes', null, 3]),
  }),
  page: ({ pick }) => ({
    t: pick(['call', 'sub', 'unsub', 'cancel', 'x', ...strange]),
    id: pick([...strange, 1, 2, 3]),
    name: pick(['review.accept', 'files.create', 'documents.save', 'pieces.bytes', 'x', ...strange]),
    topic: pick(['review', 'document', 'directory', 'x', ...strange]),
    params: pick(strange.filter((one) => typeof one !== 'object' || one === null || Array.isArray(one))),
  }),
}
shapes.gemini = shapes.claude

/** The input of an editing tool, which names no file. */
function wrongEdit(pick) {
  const wrong = pick([-1, null, '', 'relative/path', '/a\u0000', [], {}])
  return {
    ...{ file_path: wrong, notebook_path: wrong, content: '', new_source: '' },
    ...{ old_string: 'a', new_string: 'b', edits: pick(strange) },
  }
}

/** Arguments for a diff, at least one of them wrong. */
function wrongDiff(pick) {
  const right = {
    old_file_path: '/a',
    new_file_path: '/a',
    new_file_contents: '',
    tab_name: 't',
    filePath: '/a',
  }
  const wrong = pick([-1, null, '', 'relative/path', '\u0000', [], {}])
  return {
    ...right,
    new_file_contents: pick(['', 5, null]),
    old_file_path: wrong,
    new_file_path: wrong,
    filePath: wrong,
  }
}

/** Makes a function that gives the next frame: text, binary, or bytes that break the WebSocket framing itself. */
export function badFrames(kind, seed) {
  const chance = dice(seed)
  const { next, below, pick } = chance
  const bytes = (length) => Buffer.from(Array.from({ length }, () => below(256)))
  const shaped = () => JSON.stringify(shapes[kind](chance))
  return () => {
    const way = next()
    if (way < 0.35) return { text: shaped() }
    if (way < 0.55) return { text: pick(texts) }
    if (way < 0.75) {
      const whole = shaped()
      return { text: whole.slice(0, below(whole.length)) }
    }
    if (way < 0.9) return { text: bytes(1 + below(200)).toString('latin1') }
    if (way < 0.93) return { text: '['.repeat(1 + below(3_000)) }
    if (way < 0.96) return { text: `{"a":`.repeat(1 + below(500)) }
    if (way < 0.99) return { text: `[${Array.from({ length: 1 + below(50) }, shaped).join(',')}]` }
    if (way < 0.992)
      return { text: JSON.stringify({ ...shapes[kind](chance), more: 'x'.repeat(below(100_000)) }) }
    if (way < 0.9922) return { text: JSON.stringify({ more: 'x'.repeat(300_000) }) }
    if (way < 0.996) return { binary: bytes(below(500)) }
    return { broken: brokenFrame(chance, bytes) }
  }
}

/** Bytes that violate the WebSocket protocol. */
function brokenFrame({ pick, below }, bytes) {
  return pick([
    // Not masked; reserved bits; reserved kinds; a ping in pieces; a ping too long; a close of one byte; a wrong reason.
    Buffer.from([0x81, 0x02, 0x68, 0x69]),
    Buffer.from([0xf1, 0x80, 0, 0, 0, 0]),
    Buffer.from([0x83, 0x80, 0, 0, 0, 0]),
    Buffer.from([0x09, 0x80, 0, 0, 0, 0]),
    Buffer.concat([Buffer.from([0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0]), Buffer.alloc(256)]),
    Buffer.from([0x88, 0x81, 0, 0, 0, 0, 1]),
    Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed]),
    // The rest of a message that never began; a text that is no UTF-8; a length of 2^63; nothing but chance.
    Buffer.from([0x80, 0x80, 0, 0, 0, 0]),
    Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]),
    Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
    bytes(2 + below(50)),
  ])
}
