import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

// A command line that speaks Claude Code's stream protocol and does what its prompt says:
//   bash COMMAND      asks to run a command, and says whether it may
//   write PATH TEXT   has its hook called, asks to write a file, and writes what it is given
//   flood MEGABYTES   says so much in lines of a megabyte
//   wait              does nothing until it is interrupted
//   deaf              does nothing, whatever it is told
//   die CODE          complains and ends
//   fail WORDS        ends its turn with an error
//   anything else     is repeated
const option = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const session = option('resume') ?? '11111111-2222-4333-8444-555555555555'
const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const asked = new Map()
let asks = 0
let hooks = {}
let interrupt = null

const ask = (request) =>
  new Promise((resolve) => {
    const id = `ask-${++asks}`
    asked.set(id, resolve)
    write({ type: 'control_request', request_id: id, request })
  })
const message = (role, content) =>
  write({
    type: role,
    session_id: session,
    uuid: `${role}-${++asks}`,
    parent_tool_use_id: null,
    message: { role, content },
  })
const say = (text) => message('assistant', [{ type: 'text', text }])
const result = (more = {}) =>
  write({
    ...{ type: 'result', subtype: 'success', is_error: false, session_id: session, num_turns: 1 },
    ...{
      duration_ms: 1,
      total_cost_usd: 0,
      usage: {},
      modelUsage: {},
      permission_denials: [],
      uuid: 'result',
    },
    ...more,
  })

/** Uses a tool if it may. */
async function use(tool_name, input, act) {
  const id = `tool-${++asks}`
  message('assistant', [{ type: 'tool_use', id, name: tool_name, input }])
  const hook = hooks.PreToolUse?.find(({ matcher }) => new RegExp(`^(${matcher})$`).test(tool_name))
  const before = { hook_event_name: 'PreToolUse', tool_name, tool_input: input }
  const [callback_id] = hook?.hookCallbackIds ?? []
  const decided =
    hook && (await ask({ subtype: 'hook_callback', callback_id, input: before, tool_use_id: id }))
  const isAsked = decided?.hookSpecificOutput?.permissionDecision === 'ask'
  const mayEdit = !isAsked && option('permission-mode') === 'acceptEdits' && tool_name === 'Write'
  const answer = mayEdit
    ? { behavior: 'allow', updatedInput: input }
    : await ask({ subtype: 'can_use_tool', tool_name, input, tool_use_id: id, permission_suggestions: [] })
  const isAllowed = answer?.behavior === 'allow'
  const said = isAllowed ? act(answer.updatedInput) : (answer?.message ?? 'no answer')
  message('user', [{ type: 'tool_result', tool_use_id: id, content: said, is_error: !isAllowed }])
  say(said)
  result({
    result: said,
    permission_denials: isAllowed ? [] : [{ tool_name, tool_use_id: id, tool_input: input }],
  })
}

async function turn(prompt) {
  write({
    ...{ type: 'system', subtype: 'init', session_id: session, cwd: process.cwd(), uuid: 'init' },
    ...{
      tools: ['Bash', 'Write'],
      mcp_servers: [],
      model: option('model') ?? 'scripted',
      slash_commands: [],
    },
    ...{
      permissionMode: option('permission-mode') ?? 'default',
      apiKeySource: 'none',
      claude_code_version: '0.0.0',
    },
  })
  const [verb = '', ...words] = prompt.trim().split(' ')
  switch (verb) {
    case 'bash':
      return use('Bash', { command: words.join(' ') }, ({ command }) => `ran ${command}`)
    case 'write': {
      const [file_path, ...text] = words
      return use('Write', { file_path, content: `${text.join(' ')}\n` }, (input) => {
        writeFileSync(input.file_path, input.content)
        return `wrote ${input.content.trim()}`
      })
    }
    case 'flood':
      for (let left = Number(words[0]); left > 0; left--) say('x'.repeat(1 << 20))
      return result({ result: 'flooded' })
    case 'wait':
      say('waiting')
      await new Promise((resolve) => (interrupt = resolve))
      return result({ subtype: 'error_during_execution', is_error: true, errors: ['interrupted'] })
    case 'deaf':
      process.on('SIGTERM', () => undefined)
      say('waiting')
      return setInterval(() => undefined, 1000)
    case 'die':
      process.stderr.write('these are my last words\n')
      return process.exit(Number(words[0]))
    case 'fail':
      return result({ is_error: true, result: words.join(' ') })
    default:
      say(prompt)
      return result({ result: prompt })
  }
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const { type, request_id, request, response, message: said } = JSON.parse(line)
  if (type === 'user') {
    const { content } = said
    void turn(typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(''))
  } else if (type === 'control_response') {
    asked.get(response.request_id)?.(response.response)
  } else if (type === 'control_request') {
    if (request.subtype === 'initialize') hooks = request.hooks ?? {}
    if (request.subtype === 'interrupt') interrupt?.()
    write({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } })
  }
})
