import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { holds } from './held-text'
import {
  button,
  mod,
  notices,
  type OpenApp,
  openShell,
  press,
  proposedText,
  review,
  tab,
  terminalInput,
  test,
} from './open-app'
import { root } from './running-host'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const after = 'ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n'

const pending = (page: Page) => page.getByRole('list', { name: 'Pending reviews' }).getByRole('listitem')

async function showList(page: Page): Promise<void> {
  const list = page.getByRole('heading', { name: 'Reviews' })
  if (!(await list.isVisible())) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reviews' }).click()
  }
}

/** An agent in a terminal of its own that writes without asking. */
class Robot {
  readonly #app: OpenApp
  readonly #tasks: string
  #count = 0

  constructor(app: OpenApp) {
    this.#app = app
    this.#tasks = join(app.place.base, 'tasks')
  }

  /** Makes it one of the person's profiles; before the app is started. */
  prepare(settings: object = {}): void {
    mkdirSync(this.#tasks, { recursive: true })
    mkdirSync(this.#app.place.data, { recursive: true, mode: 0o700 })
    const args = [join(root, 'test', 'e2e', 'writing-agent.mjs'), this.#tasks]
    const robot = { id: 'robot', title: 'Robot', command: process.execPath, args }
    const all = { terminalProfiles: [robot], ...settings }
    writeFileSync(join(this.#app.place.data, 'settings.json'), JSON.stringify(all), { mode: 0o600 })
  }

  async start(): Promise<void> {
    const { page } = this.#app
    await button(page, 'New terminal').click()
    await page.getByRole('menuitem', { name: 'Robot' }).click()
    const screen = page.getByRole('region', { name: 'Terminal: Robot' }).locator('.xterm-rows')
    await expect(screen).toContainText('Robot is ready.')
  }

  /** Has it write files, delete them (null), or run a program; resolves when it has. */
  async do(writes: Record<string, string | null>, run?: readonly string[]): Promise<void> {
    const path = join(this.#tasks, `${++this.#count}.json`)
    const named = Object.entries(writes).map(([name, text]) => [this.#app.path(name), text])
    writeFileSync(`${path}.new`, JSON.stringify({ writes: named, ...(run ? { run } : {}) }))
    renameSync(`${path}.new`, path)
    await expect.poll(() => existsSync(path)).toBe(false)
  }
}

function git(app: OpenApp, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: app.place.project,
    stdio: 'pipe',
  })
}

/** A repository with committed files, the app on it, and the robot at work. */
async function open(app: OpenApp, files: Record<string, string>, settings: object = {}): Promise<Robot> {
  for (const [name, text] of Object.entries(files)) app.write(name, text)
  git(app, 'add', '-A')
  git(app, 'commit', '-q', '-m', 'first')
  const robot = new Robot(app)
  robot.prepare(settings)
  await app.start()
  await robot.start()
  return robot
}

/** Nothing comes: what the agent does next is shown, and it alone. */
async function onlyNextIsShown(app: OpenApp, robot: Robot): Promise<void> {
  await robot.do({ 'next.txt': 'next\n' })
  await expect(review(app.page)).toHaveAccessibleName(`Review: ${app.path('next.txt')}`)
  await showList(app.page)
  await expect(pending(app.page)).toHaveCount(1)
}

test('a write that nobody was asked about: keep one change, put the other back', async ({ app }, info) => {
  const robot = await open(app, { 'list.txt': before })
  const { page } = app
  await robot.do({ 'list.txt': after })
  await expect(review(page)).toHaveAccessibleName(`Review: ${app.path('list.txt')}`)
  await expect(review(page).getByText('Already written')).toBeVisible()
  // Who has written cannot be seen, only in whose turn it was.
  await expect(review(page).getByText('During Robot’s turn', { exact: true })).toBeVisible()
  const told = page.getByRole('status').filter({ hasText: 'list.txt changed during Robot’s turn' })
  await expect(told).toBeAttached()
  await showList(page)
  const item = button(pending(page), 'list.txt, Robot')
  await expect(item).toContainText('During Robot’s turn')
  await expect(item).toHaveAccessibleDescription('Already written, During Robot’s turn')
  await press(page, 'Reject change 1')
  await expect(button(review(page), 'Put back')).toBeVisible()
  // The name is what one reads.
  await expect(button(review(page), 'Keep file')).toContainText('Keep file · 1 of 2 changes')
  await page.screenshot({ path: info.outputPath('already-written.png') })
  expect(app.read('list.txt')).toBe(after)
  await press(page, 'Keep file')
  await expect.poll(() => app.read('list.txt')).toBe(after.replace('ONE', 'one'))
  await expect(review(page)).toHaveCount(0)
  await notices(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => app.read('list.txt')).toBe(after)
})

test(
  'several writes are one review; kept as it is, nothing is written',
  { tag: '@long' },
  async ({ app }) => {
    const robot = await open(app, { 'list.txt': before })
    const { page } = app
    await robot.do({ 'list.txt': after })
    await press(page, 'Reject change 1')
    await robot.do({ 'list.txt': after.replace('four', 'FOUR') })
    await expect(proposedText(page)).toContainText('FOUR')
    await expect(button(review(page), 'Undo change 1')).toBeVisible()
    await press(page, 'Undo change 1')
    await press(page, 'Keep file')
    await expect(review(page)).toHaveCount(0)
    expect(app.read('list.txt')).toBe(after.replace('four', 'FOUR'))
  },
)

test('a dirty file goes back to the person’s own text, a new file goes, a deleted one comes back', async ({
  app,
}) => {
  app.write('dirty.txt', 'committed\n')
  app.write('gone.txt', before)
  git(app, 'add', '-A')
  git(app, 'commit', '-q', '-m', 'first')
  app.write('dirty.txt', 'mine, not committed\n')
  const robot = new Robot(app)
  robot.prepare()
  await app.start()
  await robot.start()
  const { page } = app
  await robot.do({ 'dirty.txt': 'theirs\n', 'new.txt': 'new\n', 'gone.txt': null })
  for (const name of ['dirty.txt', 'new.txt', 'gone.txt']) {
    await tab(page, name).click()
    await expect(review(page)).toHaveAccessibleName(`Review: ${app.path(name)}`)
    if (name === 'gone.txt') await expect(review(page).getByText('Deleted', { exact: true })).toBeVisible()
    await press(page, 'Put back')
    await expect(tab(page, name)).toHaveCount(0)
  }
  await expect.poll(() => app.read('dirty.txt')).toBe('mine, not committed\n')
  await expect.poll(() => existsSync(app.path('new.txt'))).toBe(false)
  await expect.poll(() => existsSync(app.path('gone.txt')) && app.read('gone.txt')).toBe(before)
})

test(
  'what the person saves, what git ignores, and a Shell’s write while no agent works are not shown',
  { tag: '@long' },
  async ({ app }) => {
    const robot = await open(app, { 'mine.txt': 'mine\n', 'shell.txt': 'shell\n', '.gitignore': '*.log\n' })
    const { page } = app
    await page.getByRole('treeitem', { name: 'mine.txt' }).click()
    await page.getByRole('textbox', { name: 'Editor: ' }).getByText('mine').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' saved')
    // In the middle of a turn, too.
    await robot.do({ 'noise.log': 'noise\n' })
    await page.keyboard.press(`${mod}+s`)
    await expect.poll(() => app.read('mine.txt')).toBe('mine saved\n')

    await openShell(page)
    // The turn is over three seconds after the agent's last word. What is written in the second before an agent begins may
    // be its own, so the next turn comes some seconds after.
    await page.keyboard.type('sleep 4; echo more >> shell.txt; touch written; sleep 3; touch finished.log\n')
    await expect(terminalInput(page)).toBeFocused()
    await expect.poll(() => existsSync(app.path('finished.log'))).toBe(true)
    await onlyNextIsShown(app, robot)
  },
)

test('a checkout of sixty files is one row: a review of one of them, keep all, put back all', async ({
  app,
}, info) => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`src/f${index}.txt`, 'main\n']))
  for (const [name, text] of Object.entries(files)) app.write(name, text)
  git(app, 'add', '-A')
  git(app, 'commit', '-q', '-m', 'main')
  git(app, 'checkout', '-q', '-b', 'other')
  for (const name of Object.keys(files)) app.write(name, 'other\n')
  git(app, 'commit', '-q', '-am', 'other')
  git(app, 'checkout', '-q', 'main')
  const robot = new Robot(app)
  robot.prepare()
  await app.start()
  await robot.start()
  const { page } = app
  await robot.do({}, ['git', 'checkout', '-q', 'other'])
  // Told as one file is, though it has no tab: with the list not in sight.
  const sentence = 'Many files changed at once during Robot’s turn.'
  const notice = notices(page).getByText(sentence)
  await expect(notice).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: sentence })).toBeAttached()
  const views = page.getByRole('navigation', { name: 'Views' })
  await expect(button(views, 'Reviews')).toHaveAccessibleDescription('Reviews · 1 change to decide')
  await expect(button(page.getByRole('contentinfo', { name: 'Status' }), '1 review')).toBeVisible()
  await expect(page).toHaveTitle(/^\(1\) /)
  await page.screenshot({ path: info.outputPath('told.png') })
  await button(notices(page), 'Show').click()
  const group = page.getByRole('listitem', { name: '60 files changed at once, Robot' })
  await expect(group).toBeVisible()
  await expect(group).toContainText('Written during Robot’s turn')
  await expect(pending(page)).toHaveCount(0)
  await button(group, 'Open list').click()
  await page.screenshot({ path: info.outputPath('changed-at-once.png') })
  await button(group, 'Review f7.txt').click()
  await expect(review(page)).toHaveAccessibleName(`Review: ${app.path('src/f7.txt')}`)
  await press(page, 'Put back')
  await expect.poll(() => app.read('src/f7.txt')).toBe('main\n')
  const rest = page.getByRole('listitem', { name: '59 files changed at once, Robot' })
  await button(rest, 'Keep all').click()
  await expect(rest).toHaveCount(0)
  await expect(button(views, 'Reviews')).not.toHaveAccessibleDescription(/decide/)
  await expect(page).not.toHaveTitle(/^\(/)
  expect(app.read('src/f8.txt')).toBe('other\n')
  // Once more, and back again: asked first, and never over what a person has made of a file since.
  await robot.do({}, ['git', 'checkout', '-q', '--force', 'main'])
  const again = page.getByRole('listitem', { name: '59 files changed at once, Robot' })
  await button(again, 'Put back all').click()
  const asked = again.getByRole('group', { name: 'Put back 59 files?' })
  await expect(button(asked, 'Cancel')).toBeFocused()
  await page.screenshot({ path: info.outputPath('put-back-asked.png') })
  await page.keyboard.press('Escape')
  await expect(asked).toHaveCount(0)
  await page.keyboard.press(`${mod}+p`)
  const dialog = page.getByRole('dialog', { name: 'Go to file' })
  await dialog.getByRole('combobox').fill('f9.txt')
  await expect(dialog.getByRole('option', { selected: true })).toContainText('f9.txt')
  await page.keyboard.press('Enter')
  const editor = page.getByRole('textbox', { name: `Editor: ${app.path('src/f9.txt')}` })
  await expect(editor).toHaveText('main')
  await button(again, 'Put back all').click()
  await expect(button(asked, 'Put back 59 files')).toBeVisible()
  // Saved here it is the person's, even as long as Robot's turn lasts. That may be seen before the press.
  await editor.press(`${mod}+a`)
  await page.keyboard.insertText('mine\n')
  await page.keyboard.press(`${mod}+s`)
  await expect.poll(() => app.read('src/f9.txt')).toBe('mine\n')
  await page.getByRole('button', { name: /^Put back 5[89] files$/ }).click()
  await expect(page.getByRole('status').getByText(/Put back 58 files/)).toBeAttached()
  expect(app.read('src/f8.txt')).toBe('other\n')
  expect(app.read('src/f7.txt')).toBe('main\n')
  expect(app.read('src/f9.txt')).toBe('mine\n')
})

test('comes back after a crash, and can be put back then', async ({ app }) => {
  const robot = await open(app, { 'list.txt': before })
  await robot.do({ 'list.txt': after })
  await expect(review(app.page)).toBeVisible()
  await expect.poll(() => holds(join(app.place.data, 'reviews'), app.path('list.txt'))).toBe(true)
  await app.crashAndStart()
  const { page } = app
  await showList(page)
  await pending(page).first().getByRole('button').click()
  await expect(review(page).getByText('Already written')).toBeVisible()
  expect(app.read('list.txt')).toBe(after)
  await press(page, 'Put back')
  await expect.poll(() => app.read('list.txt')).toBe(before)
})

test('is not shown where the person has switched it off', { tag: '@long' }, async ({ app }) => {
  const robot = await open(app, { 'list.txt': before, 'asked.txt': 'asked\n' }, { reviewUnasked: false })
  await robot.do({ 'list.txt': after })
  const agent = await app.agent()
  void agent.openDiff(app.path('asked.txt'), 'changed\n')
  await expect(review(app.page)).toHaveAccessibleName(`Review: ${app.path('asked.txt')}`)
  await showList(app.page)
  await expect(pending(app.page)).toHaveCount(1)
})
