import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { type ClaudeInApp, tasks, test } from './claude-in-app'
import { expect, stepOf, taskOf } from './cli-in-app'
import { type Reply, type Script, say, use } from './messages-api'

/** What the real command line asks in a conversation without a terminal, answered on the cards in the page. */
const approval = ({ page }: ClaudeInApp): Locator => page.getByRole('group', { name: /^Approval: / })
const message = ({ page }: ClaudeInApp): Locator =>
  page.getByRole('textbox', { name: 'Message', exact: true })
const bash = (command: string): Reply => use({ name: 'Bash', input: { command, description: 'Make a file' } })

/** Starts the app and begins a conversation with a first prompt. */
async function converse(
  claude: ClaudeInApp,
  first: string,
  { mode, mcp }: { mode?: string; mcp?: string } = {},
): Promise<void> {
  claude.trustProject()
  await claude.start()
  const { page } = claude
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  await dialog.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('Claude Code')
  if (mode !== undefined)
    await dialog.getByRole('combobox', { name: 'Permission mode', exact: true }).selectOption(mode)
  if (mcp !== undefined) {
    await dialog.getByRole('button', { name: 'More' }).click()
    await dialog.getByRole('textbox', { name: 'MCP configuration' }).fill(mcp)
  }
  await dialog.getByRole('textbox', { name: 'First message' }).fill(first)
  await dialog.getByRole('button', { name: 'Start conversation' }).click()
  await expect(dialog).toHaveCount(0)
}

/** Shows the conversation's tab and says something. */
async function prompt(claude: ClaudeInApp, text: string): Promise<void> {
  await claude.page.getByRole('tab').filter({ hasNotText: 'Approvals' }).first().click()
  await message(claude).fill(text)
  await message(claude).press('Enter')
}

/** Waits for the card, and shows it where the conversation stands in front of it. */
async function shown(claude: ClaudeInApp): Promise<Locator> {
  const show = claude.page.getByRole('button', { name: 'Show approval' })
  await expect(approval(claude).or(show)).toBeVisible()
  if (await show.isVisible()) await show.click()
  await expect(approval(claude)).toBeVisible()
  return approval(claude)
}

/** Presses an option of the card that shows some words, which then goes. */
async function answer(claude: ClaudeInApp, shows: string | RegExp, option: string): Promise<void> {
  const card = (await shown(claude)).filter({ hasText: shows })
  const button = card.getByRole('button', { name: option, exact: true })
  await expect(button).toBeEnabled()
  await button.click()
  await expect(card).toHaveCount(0)
}

test('a command is allowed once, for the session or always, denied with a reason, and ends the turn', async ({
  claude,
}) => {
  claude.api.setScript(
    tasks({
      'task-once': [bash('touch once.txt'), bash('touch once.txt')],
      'task-session': [bash('touch session.txt'), bash('touch session.txt')],
      'task-always': [bash('touch always.txt'), bash('touch always.txt')],
      'task-denied': [bash('touch denied.txt')],
      'task-stopped': [bash('touch stopped.txt')],
    }),
  )
  await converse(claude, 'do task-once')
  await expect(await shown(claude)).toContainText('Make a file')
  await expect(approval(claude)).toContainText(claude.path('once.txt'))
  await claude.picture('command')
  await answer(claude, 'touch once.txt', 'Allow once')
  await claude.told('task-once', 1)
  expect(claude.exists('once.txt')).toBe(true)
  // Once is once.
  await answer(claude, 'touch once.txt', 'Allow once')
  await claude.told('task-once', 2)

  await prompt(claude, 'do task-session')
  await answer(claude, 'touch session.txt', 'Allow for session')
  await claude.told('task-session', 2)
  expect(claude.exists('.claude/settings.local.json')).toBe(false)

  await prompt(claude, 'do task-always')
  await answer(claude, 'touch always.txt', 'Always allow here')
  await claude.told('task-always', 2)
  expect(claude.read('.claude/settings.local.json')).toContain('Bash(touch always.txt)')

  await prompt(claude, 'do task-denied')
  const denial = await shown(claude)
  await denial.getByRole('textbox', { name: 'Reason for denying, told to Claude' }).fill('Use make instead.')
  await answer(claude, 'touch denied.txt', 'Deny')
  const denied = await claude.told('task-denied', 1)
  expect(denied.results).toEqual([expect.objectContaining({ text: 'Use make instead.', isError: true })])
  expect(claude.exists('denied.txt')).toBe(false)

  await prompt(claude, 'do task-stopped')
  await answer(claude, 'touch stopped.txt', 'Deny and stop')
  await claude.page.getByRole('tab').filter({ hasNotText: 'Approvals' }).first().click()
  await expect(claude.page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
  expect(claude.exists('stopped.txt')).toBe(false)
  expect(claude.requestsOf('task-stopped')).toBe(1)

  // The rules that it keeps are shown beside ours.
  await claude.page.getByRole('tab', { name: 'Approvals' }).click()
  await claude.page.getByRole('button', { name: 'Rules', exact: true }).click()
  const rules = claude.page.getByRole('list', { name: 'Rules of Claude' })
  await expect(rules).toContainText('Bash(touch session.txt)')
  await expect(rules).toContainText('Bash(touch always.txt)')
  await claude.picture('rules')
})

test('a question is answered by what it offers and in own words', async ({ claude }) => {
  const options = (...labels: string[]) => labels.map((label) => ({ label, description: `${label} it is` }))
  const questions = [
    { question: 'Which colour?', header: 'Colour', options: options('Red', 'Blue'), multiSelect: false },
    { question: 'Which parts?', header: 'Parts', options: options('Roof', 'Door'), multiSelect: true },
  ]
  claude.api.setScript(tasks({ 'task-ask': [use({ name: 'AskUserQuestion', input: { questions } })] }))
  await converse(claude, 'do task-ask')
  const card = await shown(claude)
  await card.getByRole('radio', { name: 'Blue' }).check()
  await card.getByRole('checkbox', { name: 'Roof' }).check()
  await card.getByRole('textbox', { name: 'Something else for Which parts?' }).fill('a chimney')
  await claude.picture('question')
  await answer(claude, 'Which colour?', 'Answer')
  const told = await claude.told('task-ask', 1)
  expect(told.results[0]?.text).toContain('"Which colour?"="Blue"')
  expect(told.results[0]?.text).toContain('"Which parts?"="Roof, a chimney"')
})

const plan = '# Warmer rooms\n\n1. Read the sensors\n2. Turn the pump on\n'

/** A model that writes its plan into the file that the command line names, and shows it until it is approved. */
function planning(): Script {
  return (request, before) => {
    const task = taskOf(request)
    if (!request.main || task === null) return say('ok')
    const path = /\/[^\s`"']*\/plans\/[\w-]+\.md/.exec(request.everything)?.[0]
    const step = stepOf(request, before, task)
    if (step === 0) return use({ name: 'Write', input: { file_path: path, content: plan } })
    if (step === 1 || request.results.some(({ isError }) => isError))
      return use({ name: 'ExitPlanMode', input: {} })
    return say(`${task} is done.`)
  }
}

test('a plan goes back with comments, and is approved as the person changed it, in the mode they chose', async ({
  claude,
}) => {
  claude.api.setScript(planning())
  await converse(claude, 'do task-plan', { mode: 'Plan' })
  const { page } = claude
  await expect((await shown(claude)).getByRole('heading', { name: 'Warmer rooms' })).toBeVisible()
  await page.getByRole('button', { name: 'Comment on line 4' }).click()
  await page.keyboard.type('Only below 20 °C.')
  await approval(claude).getByRole('textbox', { name: 'Reason for denying, told to Claude' }).fill('Nearly.')
  await claude.picture('plan')
  await answer(claude, 'Turn the pump on', 'Keep planning')
  const rejected = await claude.told('task-plan', 2)
  expect(rejected.results[0]).toMatchObject({
    text: 'Nearly.\n\nLine 4, “2. Turn the pump on”: Only below 20 °C.',
    isError: true,
  })

  await (await shown(claude)).getByRole('button', { name: 'Edit plan' }).click()
  const changed = plan.replace('pump on', 'pump on below 20 °C')
  await page.getByRole('textbox', { name: 'Plan as Markdown' }).fill(changed)
  await answer(claude, 'You changed this plan.', 'Approve and switch to Accept edits')
  const approved = await claude.told('task-plan', 3)
  expect(approved.results[0]?.text).toContain('(edited by user)')
  expect(approved.results[0]?.text).toContain('Turn the pump on below 20 °C')
  const [, saved = ''] = /saved to: (\S+\.md)/.exec(approved.results[0]?.text ?? '') ?? []
  expect(readFileSync(saved, 'utf8')).toBe(changed)
  await page.getByRole('tab').filter({ hasNotText: 'Approvals' }).first().click()
  await expect(page.getByRole('combobox', { name: 'Permission mode' })).toHaveValue('acceptEdits')
})

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
  await converse(claude, 'do task-ticket', { mcp })
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
