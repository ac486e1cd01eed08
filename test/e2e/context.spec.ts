import { symlinkSync } from 'node:fs'
import { type Page, expect } from '@playwright/test'
import type { FakeAgent } from './fake-agent'
import { mod, notices, type OpenApp, runCommand, test } from './open-app'

const text = 'const first = 1\nconst second = 2\nconst third = 3\n'
const secret = 'TOKEN=do-not-tell-anybody\n'

const view = (page: Page) => page.getByRole('region', { name: 'Context', exact: true })
const part = (page: Page, name: string) => view(page).getByRole('region', { name, exact: true })
const sharing = (page: Page) => page.getByRole('button', { name: /^Sharing with agents:/ })
const openFiles = (page: Page) => part(page, 'Open files').getByRole('listitem')

/** Opens a file from the tree and selects the line that holds some words. */
async function select(app: OpenApp, name: string, words: string): Promise<void> {
  const { page } = app
  const editor = page.getByRole('textbox', { name: `Editor: ${app.path(name)}` })
  // What the test itself has written a moment ago may come up for review, in front of the file.
  await expect(async () => {
    await page.getByRole('treeitem', { name, exact: true }).dblclick()
    await editor.getByText(words).first().click({ timeout: 5_000 })
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+End')
    await expect(editor).toBeFocused({ timeout: 1_000 })
  }).toPass()
}

async function showContext(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Context panel' }).click()
  await expect(view(page)).toBeVisible()
}

interface Frame {
  text?: string
  filePath?: string
  selection?: { isEmpty: boolean }
}
const isClear = ({ text: told, filePath, selection }: Frame) =>
  told === '' && filePath === undefined && selection?.isEmpty === true

/** The last selection that the agent was told. */
const lastTold = (agent: FakeAgent) =>
  agent.told.findLast(({ method }) => method === 'selection_changed')?.params as Frame | undefined

/** Waits until the agent has last been told that there is nothing. */
const toldNothing = (agent: FakeAgent) => expect.poll(() => isClear(lastTold(agent) ?? {})).toBe(true)

async function answer(agent: FakeAgent, tool: string, args: object = {}): Promise<unknown> {
  const { content } = await agent.call(tool, args)
  return JSON.parse(content[0]?.text ?? '') as unknown
}

/** The tools have nothing to tell of the editor. */
async function expectNothing(app: OpenApp, agent: FakeAgent, name = 'app.ts'): Promise<void> {
  expect(await answer(agent, 'getCurrentSelection')).toMatchObject({ success: false })
  expect(await answer(agent, 'getLatestSelection')).toMatchObject({ success: false })
  expect(await answer(agent, 'getOpenEditors')).toEqual({ tabs: [] })
  expect(await answer(agent, 'checkDocumentDirty', { filePath: app.path(name) })).toMatchObject({
    success: false,
  })
  expect(await answer(agent, 'saveDocument', { filePath: app.path(name) })).toMatchObject({ success: false })
}

test('what is selected is told and shown with who got it; one switch takes it back at once', async ({
  app,
}) => {
  app.write('app.ts', text)
  await app.start()
  const { page } = app
  const agent = await app.agent()
  await select(app, 'app.ts', 'second')
  await agent.heard<Frame>('selection_changed', ({ text: told }) => told === 'const second = 2')
  await showContext(page)
  await expect(part(page, 'Selection')).toContainText('app.ts')
  await expect(part(page, 'Selection')).toContainText('const second = 2')
  await expect(part(page, 'Selection')).toContainText(/Claude·(just now|\d+ s ago)/)
  await expect(openFiles(page)).toContainText(/app\.ts.*Claude/)
  await expect(sharing(page)).toHaveText('sharing: selection, 1 file')

  await page.getByRole('button', { name: 'Stop sharing with agents' }).click()
  await expect(sharing(page)).toHaveText('sharing: nothing')
  await toldNothing(agent)
  await expectNothing(app, agent)
  await expect(part(page, 'Selection')).toContainText('Not shared: sharing is off')
  await expect(part(page, 'Selection')).toContainText('May still be known to')
  const editor = page.getByRole('textbox', { name: `Editor: ${app.path('app.ts')}` })
  await editor.getByText('third').click()
  await page.keyboard.press(`${mod}+A`)
  await expect(part(page, 'Selection')).toContainText('lines 1–')
  await page.keyboard.press('Alt+KeyK')
  await expect(notices(page)).toContainText('app.ts can’t be mentioned: sharing with agents is off.')

  // Still off after a restart, for an agent that comes anew.
  await app.stop()
  await app.start()
  await expect(sharing(app.page)).toHaveText('sharing: nothing')
  const second = await app.agent()
  await second.heard<Frame>('selection_changed', isClear)
  await expectNothing(app, second)
  await showContextWhereHidden(app.page)
  await view(app.page).getByRole('switch', { name: 'Share with agents' }).click()
  await expect(sharing(app.page)).toHaveText('sharing: selection, 1 file')
  expect(await answer(second, 'getOpenEditors')).toMatchObject({ tabs: [{ label: 'app.ts' }] })
  for (const one of [agent, second]) {
    expect(JSON.stringify(one.told)).not.toContain('const third')
    expect(one.told.some(({ method }) => method === 'at_mentioned')).toBe(false)
  }
})

test('switching on again tells what is selected by now', { tag: '@long' }, async ({ app }) => {
  app.write('app.ts', text)
  await app.start()
  const agent = await app.agent()
  await select(app, 'app.ts', 'second')
  await agent.heard<Frame>('selection_changed', ({ text: told }) => told === 'const second = 2')
  const stop = app.page.getByRole('button', { name: 'Stop sharing with agents' })
  await stop.click()
  await toldNothing(agent)
  await select(app, 'app.ts', 'third')
  await stop.click()
  await agent.heard<Frame>('selection_changed', ({ text: told }) => told === 'const third = 3')
  expect(await answer(agent, 'getCurrentSelection')).toMatchObject({ text: 'const third = 3' })
})

test(
  'without the selection the agent knows the file; without the files, a selection only',
  { tag: '@long' },
  async ({ app }) => {
    app.write('app.ts', text)
    await app.start()
    const { page } = app
    const agent = await app.agent()
    await select(app, 'app.ts', 'second')
    await agent.heard<Frame>('selection_changed', ({ text: told }) => told === 'const second = 2')
    await showContext(page)
    await part(page, 'Selection').getByRole('switch', { name: 'Share the selection' }).click()
    await expect.poll(() => lastTold(agent)).toMatchObject({ text: '', filePath: app.path('app.ts') })
    expect(await answer(agent, 'getCurrentSelection')).toEqual({
      success: true,
      text: '',
      filePath: app.path('app.ts'),
      selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    })
    await part(page, 'Open files').getByRole('switch', { name: 'Share open files' }).click()
    await toldNothing(agent)
    await expectNothing(app, agent)
    await part(page, 'Selection').getByRole('switch', { name: 'Share the selection' }).click()
    await expect.poll(() => lastTold(agent)?.text).toBe('const second = 2')
    expect(await answer(agent, 'getOpenEditors')).toEqual({ tabs: [] })
  },
)

test('secrets are never told, by whatever name they are opened, and the view says why', async ({ app }) => {
  app.write('.env', secret)
  app.write('config/real', secret)
  app.write('app.ts', text)
  symlinkSync('config/real', app.path('.env.linked'))
  await app.start()
  const { page } = app
  const agent = await app.agent()
  await select(app, '.env', 'TOKEN')
  await showContext(page)
  await expect(part(page, 'Selection')).toContainText('Never shared: .env*')
  await expect(openFiles(page)).toContainText('Never shared: .env*')
  await expectNothing(app, agent, '.env')
  await page.keyboard.press('Alt+KeyK')
  await expect(notices(page)).toContainText('.env can’t be mentioned: the pattern .env* is never shared.')
  await page.getByRole('treeitem', { name: '.env.linked', exact: true }).dblclick()
  await expect(openFiles(page).filter({ hasText: 'real' })).toContainText('Never shared: .env*')
  await page.getByRole('textbox', { name: `Editor: ${app.path('config/real')}` }).click()
  await page.keyboard.press(`${mod}+A`)
  await expect(part(page, 'Selection')).toContainText('real')
  await expectNothing(app, agent, 'config/real')
  // Something that may be told comes after it, so that all that went out before is here.
  await select(app, 'app.ts', 'second')
  await agent.heard<Frame>('selection_changed', ({ text: told }) => told === 'const second = 2')
  expect(await answer(agent, 'getOpenEditors')).toMatchObject({ tabs: [{ label: 'app.ts' }] })
  expect(JSON.stringify(agent.told)).not.toMatch(/\.env|real|TOKEN/)
})

test('a rule that is added takes a file back at once: a pattern, a deny rule of Claude Code, what git ignores', async ({
  app,
}) => {
  app.write('app.ts', text)
  app.write('notes.md', 'some notes\n')
  app.write('.gitignore', 'notes.md\n')
  await app.start()
  const { page } = app
  const agent = await app.agent()
  const isShown = ({ text: told }: Frame) => told === 'const second = 2'
  const clearAfter = async (change: () => unknown) => {
    const before = agent.told.length
    await change()
    await expect
      .poll(() => agent.told.slice(before).some(({ params }) => isClear(params as Frame)))
      .toBe(true)
  }
  await select(app, 'app.ts', 'second')
  await agent.heard<Frame>('selection_changed', isShown)
  await showContext(page)

  const never = part(page, 'Never shared')
  await clearAfter(async () => {
    await never.getByRole('textbox', { name: 'Add a pattern' }).fill('app.*')
    await never.getByRole('button', { name: 'Add', exact: true }).click()
  })
  await expectNothing(app, agent)
  await expect(openFiles(page)).toContainText('Never shared: app.*')
  await never.getByRole('button', { name: 'Remove app.*' }).click()
  await expect.poll(() => lastTold(agent)?.text).toBe('const second = 2')

  await clearAfter(() =>
    app.write('.claude/settings.json', JSON.stringify({ permissions: { deny: ['Read(./app.ts)'] } })),
  )
  await expect(openFiles(page)).toContainText('Never shared: Read(./app.ts) in ')
  await expectNothing(app, agent)
  app.write('.claude/settings.json', '{}')
  await expect(openFiles(page).filter({ hasText: 'app.ts' })).not.toContainText('Never shared')
  // A file that is written while an agent is here may come up for review, and then nothing is selected.
  await select(app, 'app.ts', 'second')
  await expect.poll(() => lastTold(agent)?.text).toBe('const second = 2')

  await select(app, 'notes.md', 'some notes')
  await expect.poll(() => lastTold(agent)?.text).toBe('some notes')
  await clearAfter(() => never.getByRole('switch', { name: 'Also hide files ignored by git' }).click())
  await expect(openFiles(page).filter({ hasText: 'notes.md' })).toContainText('Never shared: git ignores it')
  await expect(openFiles(page).filter({ hasText: 'app.ts' })).not.toContainText('Never shared')
  app.write('.gitignore', '')
  await expect(openFiles(page).filter({ hasText: 'notes.md' })).not.toContainText('Never shared')
  await select(app, 'notes.md', 'some notes')
  await expect.poll(() => lastTold(agent)?.text).toBe('some notes')
})

test(
  'a closed file is gone at once, and a file is put aside from its row',
  { tag: '@long' },
  async ({ app }) => {
    app.write('app.ts', text)
    app.write('other.ts', 'other\n')
    await app.start()
    const { page } = app
    const agent = await app.agent()
    await select(app, 'app.ts', 'second')
    await agent.heard<Frame>('selection_changed', ({ text: told }) => told === 'const second = 2')
    await page.getByRole('button', { name: 'Close app.ts', includeHidden: true }).click()
    await toldNothing(agent)
    await expectNothing(app, agent)
    await select(app, 'other.ts', 'other')
    await agent.heard<Frame>('selection_changed', ({ text: told }) => told === 'other')
    await showContext(page)
    await part(page, 'Open files').getByRole('button', { name: 'Never share other.ts' }).click()
    await expect(openFiles(page)).toContainText(/Never shared: .*other\.ts/)
    await expectNothing(app, agent, 'other.ts')
    await runCommand(page, 'Show what agents see')
    await expect(page.getByRole('complementary', { name: 'Right panel' }).locator(':focus')).toBeVisible()
  },
)

/** The panel as it was left is there again, open or shut. */
async function showContextWhereHidden(page: Page): Promise<void> {
  if (!(await view(page).isVisible())) await showContext(page)
}
