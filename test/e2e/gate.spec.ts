import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { beforeTool, decisionIn, type HookPeer } from '../hook-peer'
import { peerInTerminal } from './hooks-in-terminal'
import { button, notices, press, review, runCommand, tab, test } from './open-app'
import { linesWith } from './thirty-lines'

const before = linesWith([])
const proposed = linesWith([3, 15, 27])

/** Each time it is asked, what is decided on a write of a file, by a call of its own. */
function decidingOn(peer: HookPeer, path: string) {
  let calls = 0
  return async () => {
    const call = beforeTool('Write', { file_path: path, content: 'x' }, { tool_use_id: `toolu_${calls++}` })
    return decisionIn(await peer.ask(call))
  }
}

test('a change that only a hook asks about is reviewed: accepted in part, rejected, and taken back', async ({
  app,
}) => {
  const path = app.write('list.txt', before)
  await app.start()
  const peer = await peerInTerminal(app)
  const { page } = app

  const called = peer.send(beforeTool('Write', { file_path: path, content: proposed }))
  await expect(review(page)).toHaveAccessibleName(`Review: ${path}`)
  await press(page, 'Reject change 2')
  await press(page, 'Accept file')
  const answer = decisionIn(await called.answer)
  expect(answer).toMatchObject({
    permissionDecision: 'allow',
    updatedInput: { file_path: path, content: linesWith([3, 27]) },
  })
  expect(answer['additionalContext']).toContain(path)
  // The agent writes it, nobody else.
  expect(app.read('list.txt')).toBe(before)
  app.write('list.txt', linesWith([3, 27]))
  await expect(notices(page)).toContainText('list.txt accepted and written.')

  const another = peer.send(
    beforeTool('Write', { file_path: path, content: 'x' }, { tool_use_id: 'toolu_2' }),
  )
  await press(page, 'Reject file')
  expect(decisionIn(await another.answer)['permissionDecision']).toBe('deny')

  const interrupted = peer.send(
    beforeTool('Write', { file_path: path, content: 'y' }, { tool_use_id: 'toolu_3' }),
  )
  await expect(button(review(page), 'Accept file')).toBeEnabled()
  interrupted.hangUp()
  await expect(review(page)).toHaveCount(0)
  expect(app.read('list.txt')).toBe(linesWith([3, 27]))
})

test('a new file that is empty is accepted, and taken back', { tag: '@long' }, async ({ app }) => {
  const path = app.path('lib/__init__.py')
  await app.start()
  const peer = await peerInTerminal(app)
  const { page } = app
  const called = peer.send(beforeTool('Write', { file_path: path, content: '' }))
  await expect(review(page).getByText('The new file is empty.')).toBeVisible()
  await press(page, 'Accept file')
  expect(decisionIn(await called.answer)).toMatchObject({
    permissionDecision: 'allow',
    updatedInput: { file_path: path, content: '' },
  })
  app.write('lib/__init__.py', '')
  await expect(notices(page).getByText('__init__.py accepted and written.')).toBeVisible()
  await button(notices(page), 'Undo').click()
  await expect.poll(() => existsSync(path)).toBe(false)
})

test('what waits when the app is ended is refused with a sentence, and the same agent goes on after its start', async ({
  app,
}) => {
  const path = app.path('new.txt')
  await app.start()
  const peer = await peerInTerminal(app)
  const called = peer.send(beforeTool('Write', { file_path: path, content: 'new\n' }))
  await expect(button(review(app.page), 'Accept file')).toBeEnabled()
  const stopped = app.stop()
  const { permissionDecision, permissionDecisionReason } = decisionIn(await called.answer)
  expect(permissionDecision).toBe('deny')
  expect(permissionDecisionReason).toContain('Greenlight was closed while it asked')
  await stopped
  expect(existsSync(path)).toBe(false)

  await app.start()
  const again = peer.send(
    beforeTool('Write', { file_path: path, content: 'again\n' }, { tool_use_id: 'toolu_2' }),
  )
  await press(app.page, 'Accept file')
  expect(decisionIn(await again.answer)).toMatchObject({ updatedInput: { content: 'again\n' } })
})

test('what is refused is read: by whom, and why', async ({ app }, info) => {
  const path = app.write('list.txt', before)
  await app.start()
  const peer = await peerInTerminal(app)
  const { page } = app
  const notice = (text: string) => notices(page).getByText(text)
  const refused = (why: string) => `A call of Claude’s hooks in terminal “Shell” was refused. ${why}`
  const call = beforeTool('Write', { file_path: path, content: proposed })

  expect((await peer.ask('{"hook_event_name":')).status).toBe(500)
  await expect(notice(refused('Greenlight doesn’t understand this event.'))).toBeVisible()
  expect((await peer.ask(Buffer.alloc(64 * 1024 * 1024 + 1, ' '))).status).toBe(413)
  await expect(notice(refused('A hook’s call may have 64 MB at most.'))).toBeVisible()
  const lying = beforeTool('Write', { file_path: '../list.txt', content: 'x' }, { tool_use_id: 'lying' })
  expect(decisionIn(await peer.ask(lying))['permissionDecision']).toBe('deny')
  await expect(
    notice('A change by Claude was refused: it didn’t say plainly which file it changes.'),
  ).toBeVisible()

  const called = peer.send(call)
  await expect(button(review(page), 'Accept file')).toBeEnabled()
  const other = { ...call, tool_input: { file_path: path, content: 'x' } }
  expect((await peer.ask(other)).status).toBe(500)
  await expect(notice(refused('Another change came with the same id.'))).toBeVisible()
  await page.screenshot({ path: info.outputPath('refused.png') })

  await press(page, 'Accept file')
  expect(decisionIn(await called.answer)['permissionDecision']).toBe('allow')
  // Of two hooks that give another input the last to answer counts.
  app.write('list.txt', 'by another hook\n')
  await expect(notice('list.txt no longer matches what you accepted. Check the file.')).toBeVisible()
})

test('rules for files are kept among the rules, and hold for the next change', async ({ app }, info) => {
  const path = app.path('docs/a.md')
  await app.start()
  const { page } = app
  const peer = await peerInTerminal(app)
  const decision = decidingOn(peer, path)
  await page.getByRole('button', { name: /^Claude: / }).click()
  await button(page, 'Approvals, their rules and record').click()
  await button(page, 'Rules').click()
  const form = page.getByRole('form', { name: 'New rule for files' })
  const pattern = form.getByRole('textbox', { name: 'Pattern' })
  await pattern.fill('*a*b*c*d')
  await button(form, 'Add rule').click()
  await expect(form.getByRole('alert')).toHaveText('Too many stars to be certain. Name more of the path.')
  await pattern.fill('docs/**')
  await form.getByRole('combobox', { name: 'What agents may do' }).selectOption('May not be changed')
  await button(form, 'Add rule').click()
  const rules = page.getByRole('list', { name: 'Patterns of files' })
  await expect(rules.getByRole('listitem')).toHaveCount(1)
  await page.screenshot({ path: info.outputPath('file-rules.png') })
  const denied = await decision()
  expect(denied['permissionDecision']).toBe('deny')
  expect(denied['permissionDecisionReason']).toContain('docs/**')

  await rules
    .getByRole('combobox', { name: 'What agents may do with docs/**' })
    .selectOption('May be written')
  await expect.poll(async () => (await decision())['permissionDecision']).toBe('allow')
  await rules.getByRole('button', { name: /^Remove rule for docs/ }).click()
  await expect(rules).toHaveCount(0)
  await expect(pattern).toBeFocused()
})

test(
  'a review offers to let its file or folder be written from now on, which decides nothing here',
  { tag: '@long' },
  async ({ app }, info) => {
    const path = app.path('docs/a.md')
    await app.start()
    const { page } = app
    const peer = await peerInTerminal(app)
    const decision = decidingOn(peer, path)
    const first = decision()
    await expect(review(page)).toHaveAccessibleName(`Review: ${path}`)
    await button(review(page), 'Don’t ask again').click()
    await expect(page.getByRole('menuitem', { name: 'docs/a.md' })).toBeVisible()
    await page.screenshot({ path: info.outputPath('ask-less.png') })
    await page.getByRole('menuitem', { name: 'docs/**' }).click()
    await expect(review(page)).toContainText(
      'docs/** is among the rules in Approvals. This change still waits for you.',
    )
    await press(page, 'Reject file')
    expect((await first)['permissionDecision']).toBe('deny')
    expect((await decision())['permissionDecision']).toBe('allow')
  },
)

test('how much is asked is chosen for one terminal, or as in the settings', async ({ app }, info) => {
  const path = app.path('new.txt')
  await app.start()
  const { page } = app
  const peer = await peerInTerminal(app)
  const decision = decidingOn(peer, path)
  const first = peer.send(beforeTool('Write', { file_path: path, content: 'x' }, { tool_use_id: 'first' }))
  await press(page, 'Reject file')
  expect(decisionIn(await first.answer)['permissionDecision']).toBe('deny')
  await button(page, 'Reviews in this terminal: review every change').click()
  await page.screenshot({ path: info.outputPath('gate-menu.png') })
  await page.getByRole('menuitemcheckbox', { name: 'As the agent’s mode says' }).click()
  // A change that comes before the choice has arrived is held.
  const chosen = button(page, 'Reviews in this terminal: as the agent’s mode says')
  await expect(chosen).toBeVisible()
  expect(await decision()).toEqual({})
  await chosen.click()
  await page.getByRole('menuitemcheckbox', { name: 'As in the settings: review every change' }).click()
  await expect(button(page, 'Reviews in this terminal: review every change')).toBeVisible()
  const again = peer.send(beforeTool('Write', { file_path: path, content: 'y' }, { tool_use_id: 'again' }))
  await press(page, 'Reject file')
  expect(decisionIn(await again.answer)['permissionDecision']).toBe('deny')
})

test(
  'where the person’s settings switch hooks off it is asked once, after trust, and takes no focus',
  { tag: '@long' },
  async ({ app }, info) => {
    const config = join(app.place.home, '.claude')
    mkdirSync(config, { recursive: true })
    const own = { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] }
    writeFileSync(join(config, 'settings.json'), JSON.stringify({ disableAllHooks: true, hooks: own }))
    await app.start()
    const { page } = app
    const trust = page.getByRole('region', { name: 'Trust', exact: true })
    const bar = () => app.page.getByRole('region', { name: 'Review in every mode' })
    const declines = button(bar(), 'Leave them off')
    await expect(trust).toBeVisible()
    await expect(bar()).toBeHidden()
    await expect(button(trust, 'Not now')).not.toHaveAttribute('aria-disabled', 'true')
    await button(trust, 'Not now').click()
    await expect(bar()).toContainText('also switches on your own: 1 in ~/.claude/settings.json')
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    await expect(declines).not.toHaveAttribute('aria-disabled', 'true')
    await page.screenshot({ path: info.outputPath('hooks-are-off.png') })
    await declines.click()
    await expect(bar()).toBeHidden()
    const stored = () => readFileSync(join(app.place.data, 'settings.json'), 'utf8')
    expect(JSON.parse(stored())).toEqual({ claudeHooksDespiteOff: 'off' })

    await app.crashAndStart()
    await button(app.page, 'Connections panel').click()
    await expect(app.page.getByText('Hooks are switched off in ~/.claude/settings.json')).toBeVisible()
    await expect(bar()).toBeHidden()
  },
)

test(
  'a setting switches the hooks off for all folders, and the switch in Connections on again for this one',
  { tag: '@long' },
  async ({ app }) => {
    const path = app.path('new.txt')
    await app.start()
    const { page } = app
    const peer = await peerInTerminal(app)
    const decision = decidingOn(peer, path)
    await runCommand(page, 'Settings')
    const settings = page.getByRole('region', { name: 'Settings', exact: true })
    const hooks = settings.getByRole('switch', { name: 'Use Claude Code’s hooks', exact: true })
    await expect(hooks).toBeChecked()
    await hooks.click()
    await button(page, 'Connections panel').click()
    const here = page.getByRole('switch', { name: 'Review Claude Code’s changes in every mode' })
    // A change that comes before the choice has arrived is held.
    await expect(here).not.toBeChecked()
    expect(await decision()).toEqual({})
    await settings.getByRole('button', { name: 'Open rules for files' }).click()
    await expect(page.getByText('have no effect now')).toBeVisible()
    await here.click()
    await expect(page.getByText('have no effect now')).toBeHidden()
    const asked = peer.send(beforeTool('Write', { file_path: path, content: 'x' }, { tool_use_id: 'asked' }))
    await press(page, 'Reject file')
    expect(decisionIn(await asked.answer)['permissionDecision']).toBe('deny')
    await tab(page, 'Settings').click()
    await expect(settings.getByText('project has its own value')).toBeVisible()
  },
)
