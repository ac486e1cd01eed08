// npm run screenshots: the pictures of README.md and docs/user-guide.md, taken of the built app in Chromium with a
// sample project and a sample agent. Needs no display. Words after -- name the pictures to take; all without them.
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from '@playwright/test'
import { ensureBuilt } from './building.mjs'
import { ensureChromium, findTestChromium } from './chromium.mjs'
import { ensureInstalled } from './installation.mjs'
import { requireNode } from './node-version.mjs'
import { root, say } from './programs.mjs'
import { makeProject, proposals } from './screenshots/sample-project.mjs'
import { makeSessions } from './screenshots/sample-sessions.mjs'

const pictures = join(root, 'docs', 'screenshots')
/** Of a window with everything in it, and of one view. */
const size = { width: 1400, height: 900 }
const small = { width: 1120, height: 640 }

/** A home of its own: nothing of the machine's user is in the pictures, and nothing of theirs is touched. */
function makeHome({ isTrusted, hasClaude }) {
  // A plain name: paths below it are in some of the pictures. They are taken one after another.
  const home = join(tmpdir(), 'greenlight-pictures', 'ada')
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  const project = join(home, 'tea-timer')
  const dataDir = join(home, 'data')
  mkdirSync(dataDir, { recursive: true })
  makeProject(project)
  makeSessions(home, project)
  writeFileSync(join(home, '.bashrc'), "PS1='\\W $ '\n")
  const trusted = { version: 1, folders: [{ path: realpathSync(home), mayRun: true }] }
  if (isTrusted) writeFileSync(join(dataDir, 'trusted-folders.json'), JSON.stringify(trusted))
  mkdirSync(join(home, 'bin'))
  if (hasClaude) {
    const script = join(root, 'scripts', 'screenshots', 'sample-claude.mjs')
    writeFileSync(join(home, 'bin', 'claude'), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`, {
      mode: 0o755,
    })
  }
  return { home, project, dataDir }
}

/** Starts the built app on the project and waits until it says where its page is. */
async function startApp({ home, project, dataDir }, settings, folders = [project]) {
  const terminalProfiles = [
    {
      id: 'sample',
      title: 'Sample agent',
      command: process.execPath,
      args: [join(root, 'scripts', 'screenshots', 'sample-agent.mjs')],
    },
  ]
  writeFileSync(
    join(dataDir, 'settings.json'),
    JSON.stringify({ terminalShell: '/bin/bash', terminalProfiles, ...settings }),
  )
  // Only what every machine has, so that the pictures do not depend on what is installed.
  const env = {
    HOME: home,
    PATH: `${join(home, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
  }
  const args = [join(root, 'out', 'main', 'headless.js'), '--headless', '--data-dir', dataDir, ...folders]
  const child = spawn(process.execPath, args, { env, cwd: project, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`the app ended with ${code} before it was ready`)))
  })
  return {
    url: JSON.parse(line).url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** What a person does in the window, by the names that people and tests hold on to. */
function hands(page) {
  const review = page.getByRole('region', { name: /^Review: / })
  const terminal = page.getByRole('region', { name: /^Terminal: / })
  return {
    review,
    async openFile(...way) {
      const tree = page.getByRole('tree', { name: 'Files' })
      for (const name of way.slice(0, -1)) await tree.getByRole('treeitem', { name }).click()
      await tree.getByRole('treeitem', { name: way.at(-1) }).dblclick()
      await page.getByRole('textbox', { name: /^Editor: / }).waitFor()
    },
    async startAgent() {
      await page.getByRole('button', { name: 'New terminal' }).first().click()
      await page.getByRole('menuitem', { name: 'Sample agent' }).click()
      await page.getByRole('button', { name: 'Claude: 1 connected' }).waitFor()
      await terminal.getByText('Sample agent ·').waitFor()
    },
    async prompt(text) {
      await terminal.locator('textarea').focus()
      await page.keyboard.type(`${text}\n`)
      await terminal.getByText('waits for your review').last().waitFor()
    },
    /** Has the agent write without asking. */
    async order(text) {
      await terminal.locator('textarea').focus()
      await page.keyboard.type(`${text}\n`)
      await terminal.getByText('written without asking').last().waitFor()
    },
    async showPanel(name) {
      await page
        .getByRole('navigation', { name: 'Views' })
        .getByRole('button', { name: `${name} panel` })
        .click()
      await page.getByRole('region', { name, exact: true }).waitFor()
    },
    async showReviews() {
      await page.getByRole('button', { name: 'Reviews', exact: true }).click()
    },
    async accept(number) {
      await review.getByRole('button', { name: `Accept change ${number}`, exact: true }).click()
    },
    async reject(number) {
      await review.getByRole('button', { name: `Reject change ${number}`, exact: true }).click()
    },
    /** A decision by hand counts once the review has been in view for 400 ms; its buttons say when. */
    async ready() {
      await review.locator('.gl-accept:not([aria-disabled])').waitFor()
    },
    /** Runs a command by its title. */
    async command(title) {
      await page.keyboard.press('Control+Shift+P')
      const palette = page.getByRole('dialog', { name: 'Commands' })
      await palette.getByRole('combobox').fill(title)
      await palette.getByRole('option').first().getByText(title).first().waitFor()
      await page.keyboard.press('Enter')
      await palette.waitFor({ state: 'hidden' })
    },
    /** Begins a conversation with the first thing said in it. */
    async converse(text) {
      await page.getByRole('button', { name: 'Terminals', exact: true }).click()
      await this.command('New conversation')
      const dialog = page.getByRole('dialog', { name: 'New conversation' })
      await dialog.getByLabel('First message').fill(text)
      await dialog.getByRole('button', { name: 'Start conversation' }).click()
      await dialog.waitFor({ state: 'hidden' })
    },
    async hideTerminals() {
      await page.getByRole('button', { name: 'Terminals', exact: true }).click()
    },
    /** Nothing is pointed at in a picture. */
    rest: () => page.mouse.move(560, page.viewportSize().height - 1),
  }
}

/** Shows the sample conversation from its beginning, as much of it as the menu's line says. */
async function showDensity(page, act, words) {
  await scenes.sessions(page, act)
  await page.getByRole('button', { name: 'More for this conversation' }).click()
  await page.getByRole('menuitemcheckbox', { name: words }).click()
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await page.getByRole('log', { name: 'Conversation' }).evaluate((element) => element.scrollTo(0, 0))
}

/** Each picture is taken in an app of its own. */
const scenes = {
  async window(page, act) {
    await act.openFile('src', 'tea-timer.ts')
    await act.startAgent()
    await page
      .getByRole('textbox', { name: /^Editor: / })
      .getByText('start(): void')
      .click()
  },
  async review(_page, act) {
    await act.openFile('src', 'tea-timer.ts')
    await act.startAgent()
    await act.prompt('The timer should be able to pause.')
    await act.ready()
  },
  async 'side-by-side'(page, act) {
    await scenes.review(page, act)
    await act.review.getByRole('button', { name: 'Side by side' }).click()
  },
  async decided(page, act) {
    await scenes.review(page, act)
    await act.reject(1)
    await act.accept(2)
    await act.review.getByText('if (this.handle) return').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' // it runs already')
    await act.review.getByText('Edited').waitFor()
  },
  async 'reviews-list'(page, act) {
    await scenes.review(page, act)
    await page.getByRole('button', { name: 'Reviews', exact: true }).click()
    const items = page.getByRole('list', { name: 'Pending reviews' }).getByRole('listitem')
    await act.prompt('Show whole seconds only.')
    await items.nth(1).waitFor()
    await act.prompt('And a test, please.')
    await items.nth(2).waitFor()
  },
  async 'all-reviews'(page, act) {
    await scenes['reviews-list'](page, act)
    await page.getByRole('button', { name: 'Review all files' }).click()
    const cards = page.getByRole('region', { name: 'All reviews' }).getByRole('region')
    await cards.first().locator('.gl-accept:not([aria-disabled])').waitFor()
    await cards
      .nth(1)
      .getByRole('checkbox', { name: /^Viewed / })
      .click()
  },
  async written(page, act) {
    await act.openFile('src', 'main.ts')
    await act.startAgent()
    await act.order('Tidy up a little.')
    await act.showReviews()
    const items = page.getByRole('list', { name: 'Pending reviews' }).getByRole('listitem')
    await items.nth(1).waitFor()
    await act.order('And draw the leaves.')
    await page.getByRole('listitem', { name: /^64 files changed at once/ }).waitFor()
    await items.filter({ hasText: 'main.ts' }).getByRole('button').first().click()
    await act.ready()
  },
  async context(page, act) {
    await act.openFile('package.json')
    await act.openFile('src', 'format-time.ts')
    await act.openFile('tea-timer.ts')
    await act.startAgent()
    await act.showPanel('Context')
    const context = page.getByRole('region', { name: 'Context', exact: true })
    await context.getByRole('button', { name: /^Never share .*package\.json/ }).click()
    const editor = page.getByRole('textbox', { name: /^Editor: / })
    await editor.getByText('start(): void').click()
    await page.keyboard.press('Home')
    for (let line = 0; line < 3; line++) await page.keyboard.press('Shift+ArrowDown')
    await context
      .getByText(/Claude/)
      .first()
      .waitFor()
  },
  async connections(page, act) {
    await act.startAgent()
    await act.showPanel('Connections')
    await page
      .getByRole('list', { name: 'Checks for Claude Code', exact: true })
      .getByRole('listitem')
      .first()
      .waitFor()
  },
  async log(page, act) {
    await scenes.review(page, act)
    await act.showPanel('Connections')
    await page.getByRole('button', { name: 'Log view' }).click()
    await page.getByRole('listbox', { name: 'Messages' }).getByText('openDiff').first().waitFor()
  },
  async terminal(page, act) {
    await scenes.review(page, act)
  },
  async sessions(page, act) {
    await act.hideTerminals()
    await act.command('Show sessions')
    await page
      .getByRole('list', { name: 'Sessions' })
      .getByRole('button', { name: 'Let the timer pause', exact: true })
      .click()
    await page.getByRole('log', { name: 'Conversation' }).getByText('Shall').waitFor()
  },
  async conversation(page, act) {
    await scenes.sessions(page, act)
    const log = page.getByRole('log', { name: 'Conversation' })
    await log.getByRole('button', { name: /^Grep, /, expanded: false }).click()
    await page.getByRole('textbox', { name: /^After: / }).waitFor()
    await log.evaluate((element) => element.scrollTo(0, 0))
  },
  async summary(page, act) {
    await showDensity(page, act, /^Summary: /)
  },
  async verbose(page, act) {
    await showDensity(page, act, /^Verbose: /)
  },
  async welcome(page) {
    await page.getByRole('listitem', { name: 'OpenCode' }).waitFor()
  },
  async tour(page, act) {
    await page.getByRole('button', { name: 'Take the tour' }).click()
    await act.ready()
    await act.accept(1)
    await page.getByText('Step 2 of 3.').waitFor()
  },
  async files(page, act, { project }) {
    await act.hideTerminals()
    mkdirSync(join(project, 'node_modules', 'vitest'), { recursive: true })
    // Git says nothing of folders without files.
    writeFileSync(join(project, 'node_modules', 'vitest', 'index.js'), '')
    appendFileSync(join(project, 'src', 'main.ts'), "timer.events.on('tick', console.log)\n")
    writeFileSync(join(project, 'src', 'kettle.ts'), 'export const kettle = true\n')
    await act.openFile('src', 'main.ts')
    await page.getByRole('treeitem', { name: 'kettle.ts' }).getByText('U', { exact: true }).waitFor()
    await page.getByRole('treeitem', { name: 'main.ts' }).getByText('M', { exact: true }).waitFor()
    await page.getByRole('treeitem', { name: 'main.ts' }).click({ button: 'right' })
    await page.getByRole('menu').waitFor()
  },
  async search(page, act) {
    await act.hideTerminals()
    await act.openFile('src', 'format-time.ts')
    await act.command('Replace in folder')
    const search = page.getByRole('region', { name: 'Search', exact: true })
    await search.getByRole('textbox', { name: 'Search text' }).fill('timer')
    await search.getByRole('textbox', { name: 'Replacement' }).fill('clock')
    await search.getByRole('button', { name: /^Review \d+ changed files/ }).waitFor()
    await search.getByRole('tree', { name: 'Results' }).getByText('clock').first().waitFor()
  },
  async split(page, act) {
    await act.hideTerminals()
    await act.openFile('README.md')
    await page.keyboard.press('Control+Shift+V')
    await page.getByRole('heading', { name: 'Tea timer' }).waitFor()
  },
  async compare(page, act, { project }) {
    await act.hideTerminals()
    const path = join(project, 'src', 'tea-timer.ts')
    writeFileSync(path, proposals.pause[1])
    await act.openFile('src', 'tea-timer.ts')
    await act.command('Compare with HEAD')
    await page
      .getByRole('region', { name: /^Comparison: / })
      .getByText(/^\d+ changes$/)
      .waitFor()
  },
  async settings(page, act) {
    await act.hideTerminals()
    await page.keyboard.press('Control+,')
    await page.getByRole('searchbox', { name: 'Search settings' }).waitFor()
  },
  async keys(page, act) {
    await act.hideTerminals()
    await act.command('Keyboard shortcuts')
    await page.getByRole('searchbox', { name: 'Search keyboard shortcuts' }).fill('side')
    await page.getByRole('button', { name: 'Change the key of Toggle side bar' }).click()
    await page.keyboard.press('Control+J')
    await page.getByText('also means').waitFor()
  },
  async trust(page, act) {
    await act.hideTerminals()
    await act.openFile('README.md')
    await page.getByText('Do you trust what is in').waitFor()
  },
  async 'driven-conversation'(page, act) {
    await act.converse('Show whole seconds only.')
    await page.getByText('is waiting for your review of').waitFor()
  },
  async plan(page, act) {
    await act.converse('Make a plan: the timer should be able to pause.')
    await page.getByRole('button', { name: 'Show approval' }).click()
    await page.getByRole('button', { name: /^Comment on line 6/ }).click()
    await page.keyboard.type('100 ms: it is felt even sooner.')
    await page.getByLabel('Reason for denying, told to Claude').fill('Nearly. One thing about the ticks.')
  },
  async dark(page, act) {
    await scenes['side-by-side'](page, act)
    await act.accept(1)
  },
}
const withoutFolder = ['welcome', 'tour']
const [untrusted, withClaude] = [['trust'], ['driven-conversation', 'plan']]
const sizes = {
  trust: { ...small, height: 400 },
  'driven-conversation': { ...size, height: 720 },
  plan: { ...small, height: 900 },
  welcome: small,
  tour: small,
  files: small,
  search: { ...size, height: 640 },
  split: { ...small, height: 480 },
  compare: small,
  settings: small,
  keys: { ...small, height: 480 },
  sessions: { ...size, height: 720 },
  conversation: { ...size, height: 720 },
  summary: { ...size, height: 560 },
  verbose: { ...size, height: 560 },
}
const dark = ['dark', 'conversation']
const settingsOf = { terminal: { terminalPosition: 'right' } }

async function take(name, browser) {
  const place = makeHome({ isTrusted: !untrusted.includes(name), hasClaude: withClaude.includes(name) })
  const isEmpty = withoutFolder.includes(name)
  const app = await startApp(
    place,
    { theme: dark.includes(name) ? 'dark' : 'light', ...settingsOf[name] },
    isEmpty ? [] : undefined,
  )
  const page = await browser.newPage({
    viewport: sizes[name] ?? size,
    colorScheme: dark.includes(name) ? 'dark' : 'light',
  })
  try {
    await page.goto(app.url)
    if (!isEmpty) await page.getByRole('tree', { name: 'Files' }).waitFor()
    const act = hands(page)
    await scenes[name](page, act, place)
    await act.rest()
    // Fonts and the last frame of what came late (word marks, sizes of panes) belong to the picture.
    await page.evaluate(async () => {
      await document.fonts.ready
      for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame)
    })
    await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled', caret: 'hide' })
    say(`docs/screenshots/${name}.png`)
  } finally {
    await page.close()
    await app.stop()
    rmSync(place.home, { recursive: true, force: true, maxRetries: 5 })
  }
}

requireNode()
await ensureInstalled()
await ensureChromium()
await ensureBuilt()
mkdirSync(pictures, { recursive: true })
const executablePath = findTestChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  // What is drawn is drawn whole, or corners differ by a shade from run to run.
  args: ['--disable-partial-raster', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
})
try {
  const wanted = process.argv.slice(2)
  for (const name of Object.keys(scenes))
    if (wanted.length === 0 || wanted.includes(name)) await take(name, browser)
} finally {
  await browser.close()
}
