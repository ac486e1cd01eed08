// Speaks Claude Code's stream protocol by what it is told to, with faults that the real one does not show. Each prompt
// names what it does; what it was answered it says as text.
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// Whoever looks for programs without an owner finds them here.
appendFileSync(join(process.env.HOME, 'started'), `${process.pid}\n`)

const session = '00000000-0000-4000-8000-000000000001'
let count = 0
const uuid = () => `00000000-0000-4000-9000-${String(++count).padStart(12, '0')}`
const raw = (line) => process.stdout.write(`${line}\n`)
const say = (message) => raw(JSON.stringify({ ...message, session_id: session, uuid: uuid() }))
const assistant = (content, id = `msg_${++count}`) =>
  say({
    type: 'assistant',
    parent_tool_use_id: null,
    message: {
      id,
      role: 'assistant',
      model: 'scripted',
      content,
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  })
const text = (words) => assistant([{ type: 'text', text: words }])
const ask = (id, request) => raw(JSON.stringify({ type: 'control_request', request_id: id, request }))
const stream = (event) => say({ type: 'stream_event', parent_tool_use_id: null, event })
const result = (more = {}) =>
  say({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: '',
    total_cost_usd: 0.5,
    modelUsage: {},
    ...more,
  })
const permission = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 'toolu_1',
}

/** What is to be done with the answers to come, by the question's id. */
const answers = new Map()
const answered = (id) => new Promise((resolve) => answers.set(id, resolve))

const acts = {
  'not-json': () => {
    raw('this is {not json')
    raw('[1, 2]')
    raw('{"no": "type"}')
    text('after the noise')
  },
  unknown: async () => {
    say({ type: 'brand_new', value: 1 })
    say({ type: 'system', subtype: 'brand_new' })
    ask('q1', { subtype: 'dance', steps: 3 })
    text(`told ${JSON.stringify(await answered('q1'))}`)
  },
  twice: async () => {
    const first = answered('q2')
    ask('q2', permission)
    ask('q2', permission)
    text(`told ${(await first).response.behavior}`)
  },
  withdrawn: async () => {
    const first = answered('q3')
    ask('q3', permission)
    raw(JSON.stringify({ type: 'control_cancel_request', request_id: 'q3' }))
    text(`told ${(await first).subtype}`)
  },
  flood: () => {
    stream({
      type: 'message_start',
      message: { id: 'msg_flood', role: 'assistant', model: 'scripted', content: [] },
    })
    stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
    for (let at = 0; at < 20_000; at++)
      stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `word${at} ` } })
    assistant(
      [{ type: 'text', text: Array.from({ length: 20_000 }, (_, at) => `word${at} `).join('') }],
      'msg_flood',
    )
  },
  huge: () => {
    assistant([{ type: 'tool_use', id: 'toolu_huge', name: 'mcp__big__read', input: { what: 'all' } }])
    say({
      type: 'user',
      parent_tool_use_id: null,
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_huge', content: 'x'.repeat(30 * 1024 * 1024) }],
      },
    })
    text('after the result')
  },
  'too-long': async () => {
    const told = answered('q4')
    raw(
      `{"type":"control_request","request_id":"q4","request":${JSON.stringify({ ...permission, input: { command: 'y'.repeat(34 * 1024 * 1024) } })}}`,
    )
    text(`told ${(await told).error}`)
  },
  arguments: () => text(`started with ${process.argv.slice(2).join(' ')}`),
  configuration: () => {
    const [path] = process.argv.flatMap((one) => /^--mcp-config=(.*)$/.exec(one)?.[1] ?? [])
    text(`configured ${path} ${readFileSync(path, 'utf8')}`)
  },
  die: () => {
    process.stderr.write('out of luck\n')
    process.exit(3)
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.type === 'control_response') return answers.get(message.response.request_id)?.(message.response)
  if (message.type === 'control_request') {
    const { subtype } = message.request
    const response = subtype === 'initialize' ? { commands: [], agents: [], models: [] } : {}
    return raw(
      JSON.stringify({
        type: 'control_response',
        response: { subtype: 'success', request_id: message.request_id, response },
      }),
    )
  }
  if (message.type !== 'user') return
  void turn(message.message.content.at(-1).text)
})

async function turn(words) {
  say({
    type: 'system',
    subtype: 'init',
    cwd: process.cwd(),
    model: 'scripted',
    permissionMode: 'default',
    tools: [],
  })
  await acts[words]?.()
  result()
}
