import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// A command line that speaks Claude Code's stream protocol and does what its prompt says, also what the real one never
// does:
//   bash COMMAND      asks to run a command, and says whether it may
//   write PATH TEXT   has its hooks called, asks to write a file, and writes what it is given
//   arguments         says how it was started
//   configuration     says what its MCP configuration holds
//   pieces            says 20,000 words, each in a piece of its own
//   flood MEGABYTES   says so much in lines of a megabyte
//   huge              has a tool's result of 30 MB
//   not-json          says lines that hold no message
//   unknown           says and asks what nobody knows
//   twice             asks with the same id twice
//   withdrawn         asks, and takes it back
//   too-long          asks in a line of 34 MB
//   background        ends its turn while a sub-agent works, and says in another one what came of it
//   shell             ends its turn while a command runs in the background
//   wait              does nothing until it is interrupted
//   deaf              does nothing, whatever it is told
//   die CODE          complains and ends
//   fail WORDS        ends its turn with an error
//   anything else     is repeated

// Who looks for programs that were left finds them here.
appendFileSync(join(process.env.HOME, 'started'), `${process.pid}\n`)

const option = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const isNew = process.argv.includes('--fork-session') || !option('resume')
const session = isNew ? '11111111-2222-4333-8444-555555555555' : option('resume')
let count = 0
let hooks = {}
let interrupt = null

const raw = (line) => process.stdout.write(`${line}\n`)
const send = (message) => raw(JSON.stringify(message))
const say = (message) =>
  send({
    ...message,
    session_id: session,
    uuid: `00000000-0000-4000-9000-${String(++count).padStart(12, '0')}`,
  })
const message = (role, content, id = `msg_${++count}`) =>
  say({ type: role, parent_tool_use_id: null, message: { id, role, model: 'scripted', content } })
const text = (words, id) => message('assistant', [{ type: 'text', text: words }], id)
const calls = (id, name, input) => message('assistant', [{ type: 'tool_use', id, name, input }])
const results = (id, content, is_error = false) =>
  message('user', [{ type: 'tool_result', tool_use_id: id, content, is_error }])
const tasks = (...all) => say({ type: 'system', subtype: 'background_tasks_changed', tasks: all })
const streams = (event) => say({ type: 'stream_event', parent_tool_use_id: null, event })

/** What is to be done with the answers to come, by the question's id. */
const asked = new Map()
const ask = (request, request_id = `ask-${++count}`) => {
  send({ type: 'control_request', request_id, request })
  return new Promise((resolve) => asked.set(request_id, resolve))
}
const permission = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 'toolu_1',
}

/** Calls the hook of an event, if one is registered for the tool; gives what it decides. */
async function callHook(hook_event_name, { id, tool_name, input }) {
  const hook = hooks[hook_event_name]?.find(({ matcher }) => new RegExp(`^(${matcher})$`).test(tool_name))
  if (!hook) return undefined
  const said = {
    hook_event_name,
    permission_mode: option('permission-mode') ?? 'default',
    prompt_id: 'prompt-1',
  }
  const answer = await ask({
    ...{ subtype: 'hook_callback', callback_id: hook.hookCallbackIds[0], tool_use_id: id },
    input: { ...said, tool_name, tool_input: input },
  })
  return answer.response?.hookSpecificOutput
}

/** Uses a tool if it may. */
async function use(tool_name, input, act) {
  const id = `tool-${++count}`
  calls(id, tool_name, input)
  const hooked = await callHook('PreToolUse', { id, tool_name, input })
  const { permissionDecision: decision, permissionDecisionReason: message } = hooked ?? {}
  const mayEdit =
    decision === undefined && option('permission-mode') === 'acceptEdits' && tool_name === 'Write'
  const question = { ...permission, tool_name, input, tool_use_id: id, permission_suggestions: [] }
  const answer =
    decision === 'deny'
      ? { behavior: 'deny', message }
      : mayEdit || decision === 'allow'
        ? { behavior: 'allow', updatedInput: hooked?.updatedInput ?? input }
        : (await ask(question)).response
  const isAllowed = answer?.behavior === 'allow'
  const said = isAllowed ? act(answer.updatedInput) : (answer?.message ?? 'no answer')
  if (isAllowed) await callHook('PostToolUse', { id, tool_name, input: answer.updatedInput })
  results(id, said, !isAllowed)
  text(said)
  return {
    result: said,
    permission_denials: isAllowed ? [] : [{ tool_name, tool_use_id: id, tool_input: input }],
  }
}

/** Each takes the rest of its prompt, and gives what is special about its result. */
const acts = {
  bash: (command) => use('Bash', { command }, (input) => `ran ${input.command}`),
  write: (words) => {
    const [file_path, ...rest] = words.split(' ')
    return use('Write', { file_path, content: `${rest.join(' ')}\n` }, (input) => {
      writeFileSync(input.file_path, input.content)
      return `wrote ${input.content.trim()}`
    })
  },
  arguments: () => text(`started with ${process.argv.slice(2).join(' ')}`),
  configuration: () =>
    text(`configured ${option('mcp-config')} ${readFileSync(option('mcp-config'), 'utf8')}`),
  pieces: () => {
    const words = Array.from({ length: 20_000 }, (_, at) => `word${at} `)
    const begun = { id: 'msg_pieces', role: 'assistant', model: 'scripted', content: [] }
    streams({ type: 'message_start', message: begun })
    streams({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
    for (const word of words)
      streams({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } })
    text(words.join(''), begun.id)
  },
  flood: (megabytes) => {
    for (let left = Number(megabytes); left > 0; left--) text('x'.repeat(1 << 20))
    return { result: 'flooded' }
  },
  huge: () => {
    calls('toolu_huge', 'mcp__big__read', { what: 'all' })
    results('toolu_huge', 'x'.repeat(30 << 20))
    text('after the result')
  },
  'not-json': () => {
    raw('this is {not json')
    raw('[1, 2]')
    raw('{"no": "type"}')
    text('after the noise')
  },
  unknown: async () => {
    say({ type: 'brand_new', value: 1 })
    say({ type: 'system', subtype: 'brand_new' })
    text(`told ${JSON.stringify(await ask({ subtype: 'dance', steps: 3 }))}`)
  },
  twice: async () => {
    const first = ask(permission, 'twice')
    send({ type: 'control_request', request_id: 'twice', request: permission })
    text(`told ${(await first).response.behavior}`)
  },
  withdrawn: async () => {
    const answer = ask(permission, 'withdrawn')
    send({ type: 'control_cancel_request', request_id: 'withdrawn' })
    text(`told ${(await answer).response.behavior}`)
  },
  'too-long': async () => {
    const input = { command: 'y'.repeat(34 << 20) }
    text(`told ${(await ask({ ...permission, input })).response.message}`)
  },
  background: () => {
    tasks({ task_id: 'agent-1', task_type: 'local_agent', description: 'Look' })
    text('it looks')
    // Behind the turn's result.
    setImmediate(() => {
      tasks()
      void turn('found it')
    })
  },
  shell: () => tasks({ task_id: 'shell-1', task_type: 'local_bash', description: 'Serve' }),
  wait: async () => {
    text('waiting')
    await new Promise((resolve) => (interrupt = resolve))
    return { subtype: 'error_during_execution', is_error: true, errors: ['interrupted'] }
  },
  deaf: () => {
    process.on('SIGTERM', () => undefined)
    text('waiting')
    return new Promise(() => setInterval(() => undefined, 1000))
  },
  die: (code) => {
    process.stderr.write('these are my last words\n')
    process.exit(Number(code))
  },
  fail: (words) => ({ is_error: true, result: words }),
}

async function turn(prompt) {
  say({
    ...{ type: 'system', subtype: 'init', cwd: process.cwd(), tools: ['Bash', 'Write'], mcp_servers: [] },
    ...{ model: option('model') ?? 'scripted', permissionMode: option('permission-mode') ?? 'default' },
    ...{ slash_commands: [], apiKeySource: 'none', claude_code_version: '0.0.0' },
  })
  const [verb = '', ...rest] = prompt.trim().split(' ')
  const act = acts[verb]
  if (!act) text(prompt)
  say({
    ...{ type: 'result', subtype: 'success', is_error: false, result: prompt, num_turns: 1, duration_ms: 1 },
    ...{ total_cost_usd: 0, usage: {}, modelUsage: {}, permission_denials: [] },
    ...(await act?.(rest.join(' '))),
  })
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, request_id, request, response, message: said } = JSON.parse(line)
  if (type === 'user') {
    const { content } = said
    void turn(typeof content === 'string' ? content : content.at(-1).text)
  } else if (type === 'control_response') {
    asked.get(response.request_id)?.(response)
  } else if (type === 'control_request') {
    if (request.subtype === 'initialize') hooks = request.hooks ?? {}
    if (request.subtype === 'interrupt') interrupt?.()
    const described =
      request.subtype === 'initialize'
        ? { commands: [], agents: [], models: [], hooks_applied: true, hook_on_failure_supported: true }
        : {}
    send({ type: 'control_response', response: { subtype: 'success', request_id, response: described } })
  }
})
