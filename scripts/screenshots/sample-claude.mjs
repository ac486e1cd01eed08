// Speaks Claude Code's stream protocol for the pictures: what it's told decides what it asks for.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { proposals } from './sample-project.mjs'

const plan = `# Let the timer pause

The timer should keep **what is left** while it pauses, and go on from there.

1. Add \`pause()\`, and let \`start()\` go on
2. Tick every 250 ms, so that a pause is felt at once
3. Show whole seconds only
4. Write a test for a paused timer

\`\`\`ts
timer.pause()
timer.start()
\`\`\`
`
const models = [{ value: 'default', displayName: 'Default', description: 'Opus 5' }]
const session = '11111111-2222-4333-8444-555555555555'
const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const asked = new Map()
let count = 0

function ask(request) {
  const request_id = `ask-${++count}`
  write({ type: 'control_request', request_id, request })
  return new Promise((resolve) => asked.set(request_id, resolve))
}

function message(role, ...content) {
  write({
    ...{ type: role, session_id: session, uuid: `${role}-${++count}`, parent_tool_use_id: null },
    message: { role, content, id: `message-${count}`, model: 'claude-opus-5' },
  })
}

/** Asks to use a tool, and says what came of it. */
async function use(name, input) {
  const tool_use_id = `tool-${++count}`
  message('assistant', { type: 'tool_use', id: tool_use_id, name, input })
  const answer = await ask({
    ...{ subtype: 'can_use_tool', tool_name: name, input, tool_use_id, permission_suggestions: [] },
    ...(name === 'ExitPlanMode' && { requires_user_interaction: true }),
  })
  const may = answer.behavior === 'allow'
  if (may && name === 'Write') writeFileSync(input.file_path, answer.updatedInput.content)
  const content = may ? 'Done.' : answer.message
  message('user', { type: 'tool_result', tool_use_id, content, is_error: !may })
}

/** A tool that asks nobody. */
function show(name, input, content) {
  const id = `tool-${++count}`
  message('assistant', { type: 'tool_use', id, name, input })
  message('user', { type: 'tool_result', tool_use_id: id, content, is_error: false })
}

async function turn(prompt) {
  const path = (name) => join(process.cwd(), name)
  write({
    ...{ type: 'system', subtype: 'init', session_id: session, cwd: process.cwd(), uuid: `init-${++count}` },
    ...{ tools: ['Bash', 'Edit', 'Read', 'Write'], mcp_servers: [], model: 'claude-opus-5' },
    ...{
      slash_commands: [],
      permissionMode: 'default',
      apiKeySource: 'none',
      claude_code_version: '2.1.330',
    },
  })
  if (prompt.includes('plan')) {
    message('assistant', { type: 'text', text: 'Here is how I would do it.' })
    await use('ExitPlanMode', { plan, planFilePath: path('plan.md') })
  } else {
    const [name, text] = proposals.seconds
    message('assistant', { type: 'text', text: 'Let me see how the time is written.' })
    show('Read', { file_path: path(name) }, readFileSync(path(name), 'utf8'))
    message('assistant', {
      type: 'text',
      text: 'With four ticks a second, parts of a second would show. I count each as a whole one:',
    })
    await use('Write', { file_path: path(name), content: text })
  }
  write({
    ...{ type: 'result', subtype: 'success', is_error: false, session_id: session, num_turns: 1 },
    ...{ duration_ms: 1, total_cost_usd: 0.04, usage: {}, modelUsage: {}, permission_denials: [] },
    ...{ uuid: `result-${++count}`, result: '' },
  })
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, request_id, response, message: said } = JSON.parse(line)
  if (type === 'control_response') asked.get(response.request_id)?.(response.response)
  else if (type === 'control_request')
    write({
      type: 'control_response',
      response: { subtype: 'success', request_id, response: { models, hook_on_failure_supported: true } },
    })
  else if (type === 'user') {
    const { content } = said
    void turn(typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(''))
  }
})
