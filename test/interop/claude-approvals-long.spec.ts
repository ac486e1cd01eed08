import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tasks, test } from './claude-in-app'
import { answer, approval, bash, converse, shown, withMore } from './claude-conversing'
import { expect } from './cli-in-app'
import { use } from './messages-api'

/** More of what the real command line asks. */

test('a sub-agent’s command is asked about as its own', async ({ claude }) => {
  claude.api.setScript(
    tasks({
      'task-parent': [
        use({
          name: 'Agent',
          input: { description: 'Help', prompt: 'do task-child', subagent_type: 'general-purpose' },
        }),
      ],
      'task-child': [bash('touch child.txt')],
    }),
  )
  await converse(claude, 'do task-parent')
  await expect(await shown(claude)).toContainText('Asked by a sub-agent.')
  await answer(claude, 'touch child.txt', 'Allow once')
  await claude.told('task-child', 1)
  expect(claude.exists('child.txt')).toBe(true)
})

/** A server of tools whose one tool asks the person for a ticket and gives what came of it. */
const ticketServer = `
import { createInterface } from 'node:readline'
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const requestedSchema = {
  type: 'object',
  properties: { title: { type: 'string', title: 'Title' }, size: { type: 'integer', minimum: 1 } },
  required: ['title'],
}
let call
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === 'initialize') {
    const serverInfo = { name: 'tickets', version: '1' }
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'tools/list') {
    send({ id, result: { tools: [{ name: 'file', description: 'Files', inputSchema: { type: 'object' } }] } })
  } else if (method === 'tools/call') {
    call = id
    send({ id: 'e', method: 'elicitation/create', params: { message: 'What for?', requestedSchema } })
  } else if (id === 'e') {
    send({ id: call, result: { content: [{ type: 'text', text: JSON.stringify(result) }] } })
  }
})
`

test('a server of tools asks with a form, and gets what was filled in', async ({ claude }) => {
  const server = join(claude.place.root, 'tickets.mjs')
  writeFileSync(server, ticketServer)
  const mcp = JSON.stringify({ mcpServers: { tickets: { command: process.execPath, args: [server] } } })
  claude.api.setScript(tasks({ 'task-ticket': [use({ name: 'mcp__tickets__file', input: {} })] }))
  await converse(claude, 'do task-ticket', withMore('MCP configuration', mcp))
  await answer(claude, 'Use file of tickets', 'Allow once')
  const card = await shown(claude)
  await expect(card).toContainText('What for?')
  await card.getByRole('textbox', { name: 'Title' }).fill('Too cold')
  await card.getByRole('textbox', { name: 'size' }).fill('3')
  await answer(claude, 'What for?', 'Send')
  const told = await claude.told('task-ticket', 1)
  expect(told.results[0]?.text).toBe('{"action":"accept","content":{"title":"Too cold","size":3}}')
})

test('what is asked as the person stops the turn stays as withdrawn', async ({ claude }) => {
  claude.api.setScript(tasks({ 'task-stop': [bash('touch stop.txt')] }))
  await converse(claude, 'do task-stop')
  const { page } = claude
  await expect(page.getByRole('button', { name: 'Show approval' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('tab', { name: 'Approvals' }).click()
  await expect(approval(claude)).toContainText('touch stop.txt')
  await expect(approval(claude)).toContainText('Withdrawn. The agent has taken it back.')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('No agent is waiting for an answer')).toBeVisible()
  expect(claude.exists('stop.txt')).toBe(false)
})
