import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, screenOf, skipWithout } from './cli-in-app'
import { type ClaudeInApp, editOf, readOf, tasks, test, writeOf } from './claude-in-app'
import { converse, inMode } from './claude-conversing'
import { installSdkUrlClaude, sdkUrlClaudeVersion } from './install-cli'
import { say } from './messages-api'

/** Opens Connections from a warning in the status bar. */
async function panel(claude: ClaudeInApp, connected: string): Promise<Locator> {
  await claude.page
    .getByRole('button', { name: `Claude: ${connected}, not every change reviewed`, exact: true })
    .click()
  return claude.page.getByRole('region', { name: 'Connections' })
}

/** A task in which app.ts is read and edited. */
function scriptEdit(claude: ClaudeInApp, task = 'task-edit'): void {
  claude.write('app.ts', 'one\ntwo\n')
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ [task]: [readOf(path), editOf(path, 'two', 'TWO')] }))
}

/** Has that task done by Claude Code in a terminal of its own. */
async function editInTerminal(claude: ClaudeInApp): Promise<void> {
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-edit')
  await expect(screenOf(terminal)).toContainText('task-edit is done.')
}

test('started with --safe-mode it is said by the end of the turn in which a file was written', async ({
  claude,
}) => {
  scriptEdit(claude)
  await claude.start()
  const terminal = await claude.openShell()
  await claude.type(terminal, 'claude --safe-mode --permission-mode acceptEdits')
  await claude.connected(1)
  await expect(screenOf(terminal)).toContainText('❯')
  await claude.prompt(terminal, 'do task-edit')
  await expect(screenOf(terminal)).toContainText('task-edit is done.')
  await expect(await panel(claude, '1 connected')).toContainText(
    'Claude was started with --safe-mode, which leaves hooks out.',
  )
})

test('hooks switched off under one that is connected to nothing: said at once, though nothing shows its turns', async ({
  claude,
}) => {
  scriptEdit(claude, 'task-asked')
  await claude.start()
  const terminal = await claude.openShell()
  await claude.type(terminal, 'CLAUDE_CODE_AUTO_CONNECT_IDE=false claude --permission-mode acceptEdits')
  await expect(screenOf(terminal)).toContainText('❯')
  await claude.prompt(terminal, 'do task-asked')
  await claude.accept('app.ts')
  await expect(screenOf(terminal)).toContainText('task-asked is done.')
  const said = (words: string) =>
    claude.page.getByRole('button', { name: `Claude: not connected, ${words}`, exact: true })
  await expect(said('every change reviewed')).toBeVisible()

  writeFileSync(join(claude.place.config, 'settings.json'), JSON.stringify({ disableAllHooks: true }))
  await expect(said('not every change reviewed')).toBeVisible()
  await expect(await panel(claude, 'not connected')).toContainText('Hooks are switched off in ')
})

test('one that connects to nothing and calls no hooks is a warning on its terminal and in Connections within a turn', async ({
  claude,
}) => {
  // A turn of a moment isn't seen between two looks; no model is that quick.
  claude.api.setScript(async () => {
    await new Promise((thought) => setTimeout(thought, 2000))
    return say('Nothing to do.')
  })
  await claude.start()
  const terminal = await claude.openShell()
  await claude.type(terminal, 'claude --bare --permission-mode acceptEdits')
  await expect(screenOf(terminal)).toContainText('❯')
  await expect(claude.page.getByRole('button', { name: 'Claude: not connected', exact: true })).toBeVisible()
  await claude.prompt(terminal, 'Go on.')
  const connections = await panel(claude, 'not connected')
  await expect(connections.getByRole('list', { name: 'Connected agents' })).toContainText(
    /in terminal “Shell”.*Claude was started with --bare, which leaves hooks out\. Restart it without\./,
  )
  await expect(
    claude.page.getByRole('button', { name: 'Reviews in this terminal: not in force' }),
  ).toBeVisible()
  await claude.picture('connected-to-nothing')
  // With it goes its warning.
  await claude.type(terminal, '/exit')
  await expect(claude.page.getByRole('button', { name: 'Claude: not connected', exact: true })).toBeVisible()
})

test('a version that may be too old, and connects to nothing, is a warning once it has written', async ({
  claude,
}) => {
  const old = await installSdkUrlClaude()
  skipWithout(old)
  if ('skipped' in old) return
  claude.addProgram('claude', old.path)
  claude.setSettings({ claudePermissionMode: 'acceptEdits' })
  const path = claude.path('new.txt')
  claude.api.setScript(tasks({ 'task-new': [writeOf(path, 'written\n')] }))
  await claude.start()
  const terminal = await claude.openTerminal('Claude Code')
  await expect(screenOf(terminal)).toContainText('accept edits on')
  await claude.prompt(terminal, 'do task-new')
  // An Enter that comes right after the text may be taken for a part of it, as pasted.
  await expect(async () => {
    if (claude.requestsOf('task-new') === 0) await claude.page.keyboard.press('Enter')
    expect(claude.requestsOf('task-new')).toBeGreaterThan(0)
  }).toPass()
  await claude.told('task-new', 1)
  await expect(
    (await panel(claude, 'not connected')).getByRole('list', { name: 'Connected agents' }),
  ).toContainText(`Claude Code ${sdkUrlClaudeVersion} may be too old`)
  await expect(
    claude.page.getByRole('button', { name: 'Reviews in this terminal: not in force' }),
  ).toBeVisible()
  await claude.picture('old-and-connected-to-nothing')
})

test('where the token is kept out by a setting, it says which', async ({ claude }) => {
  writeFileSync(join(claude.place.config, 'settings.json'), JSON.stringify({ httpHookAllowedEnvVars: [] }))
  scriptEdit(claude)
  await claude.start()
  await editInTerminal(claude)
  expect(claude.read('app.ts')).toBe('one\ntwo\n')
  await expect(await panel(claude, '1 connected')).toContainText('httpHookAllowedEnvVars')
})

test('a write whose tool called no hook is a warning, though the turn began with one', async ({ claude }) => {
  claude.setSettings({ claudePermissionMode: 'acceptEdits' })
  scriptEdit(claude)
  await claude.start()
  // As if the others were lost on the way.
  const file = join(claude.ready?.hooks?.plugin ?? '', 'hooks', 'hooks.json')
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown> }
  writeFileSync(file, JSON.stringify({ hooks: { UserPromptSubmit: hooks['UserPromptSubmit'] } }))
  await editInTerminal(claude)
  expect(claude.read('app.ts')).toBe('one\nTWO\n')
  await expect(await panel(claude, '1 connected')).toContainText(
    'Greenlight’s hooks aren’t called by this Claude, so it may write without review.',
  )
})

const policies = {
  'switches hooks off': { disableAllHooks: true },
  'allows only its own hooks': { allowManagedHooksOnly: true },
  'keeps out what is added by variables': { disableSideloadFlags: true },
}
const byPolicy =
  'Your organisation’s policy keeps Greenlight’s hooks out, so only what Claude’s mode asks about'

for (const [what, policy] of Object.entries(policies)) {
  test(`an organisation’s policy that ${what} is named on the terminal and in Connections within a turn`, async ({
    claude,
  }) => {
    claude.manage(policy)
    claude.setSettings({ claudePermissionMode: 'acceptEdits' })
    scriptEdit(claude)
    await claude.start()
    await editInTerminal(claude)
    expect(claude.read('app.ts')).toBe('one\nTWO\n')
    const connections = await panel(claude, '1 connected')
    await expect(connections.getByRole('list', { name: 'Connected agents' })).toContainText(byPolicy)
    await expect(connections.getByText(byPolicy)).toHaveCount(2)
    await expect(
      claude.page.getByRole('button', { name: 'Reviews in this terminal: not in force' }),
    ).toBeVisible()
    await claude.picture('by-policy')
  })

  test(`under a policy that ${what} a conversation is reviewed all the same`, async ({ claude }) => {
    claude.manage(policy)
    scriptEdit(claude)
    await converse(claude, 'do task-edit', inMode('acceptEdits'))
    await claude.page.getByRole('tab', { name: 'app.ts' }).click()
    await claude.review('app.ts')
    expect(claude.read('app.ts')).toBe('one\ntwo\n')
    await claude.accept('app.ts')
    await claude.told('task-edit')
    expect(claude.read('app.ts')).toBe('one\nTWO\n')
  })
}
