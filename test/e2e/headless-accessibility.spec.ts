import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, expect } from '@playwright/test'
import { richSession } from '../conversation-harness/scenes'
import {
  type OpenApp,
  button,
  keepTyping,
  mod,
  openShell,
  press,
  review,
  runCommand,
  tab,
  terminalInput,
  test,
} from './open-app'
import { accessibilityFaults } from '../accessibility'
import { beforeTool } from '../hook-peer'
import { peerInTerminal } from './hooks-in-terminal'
import { claudeAsks } from '../scripted-agent/claude-asks'
import { test as scripted } from '../scripted-agent/scripted-app'
import { recordSession } from './recorded-session'

const before = Array.from({ length: 30 }, (_, line) => `line ${line + 1}\n`).join('')
const proposed = before.replace('line 3\n', 'LINE 3\n').replace('line 15\n', 'LINE 15\n')

/** Has axe look at what is shown, in light and then in dark; at `region` alone where the rest has been looked at. */
async function lookAt(page: Page, view: string, region?: string): Promise<void> {
  const wear = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
  }
  await wear('light')
  const light = await accessibilityFaults(page, region)
  await wear('dark')
  // In the dark nothing else differs.
  const dark = await accessibilityFaults(page, region, ['color-contrast'])
  expect.soft({ light, dark }, view).toEqual({ light: [], dark: [] })
}

async function openPanel(page: Page, command: string, name: string): Promise<void> {
  await runCommand(page, command)
  await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
}

/** A window with a file, a terminal and a review. */
async function fill(app: OpenApp) {
  const path = app.write('list.txt', before)
  app.write(
    'notes.md',
    '# Notes\n\n- [x] *one*\n- `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst a = 1\n```\n',
  )
  app.write('src/long name with a space and more than fits into the side bar.txt', 'text\n')
  await app.start()
  const { page } = app
  await page.getByRole('treeitem', { name: 'hello.txt' }).dblclick()
  await expect(page.getByRole('textbox', { name: /^Editor: .*hello\.txt$/ })).toBeFocused()
  await openShell(page)
  const agent = await app.agent()
  return { page, path, agent }
}

// Each look takes its time, so that it is at as many views as there is room for.
test('what one works with has no fault that axe knows, light and dark', async ({ app }) => {
  const { page, path, agent } = await fill(app)
  await openPanel(page, 'Show what agents see', 'Context')
  await lookAt(page, 'files, editor, terminal, context')
  await page.getByRole('textbox', { name: /^Editor: .*hello\.txt$/ }).focus()
  await page.keyboard.type('unsaved ')
  await runCommand(page, 'Compare with saved')
  const comparison = page.getByRole('region', { name: /^Comparison: / })
  await expect(comparison.getByText('1 change', { exact: true })).toBeVisible()
  await lookAt(page, 'compare with saved', '[aria-label^="Comparison: "]')
  void agent.openDiff(path, proposed)
  await expect(button(review(page), 'Accept change 1')).toBeVisible()
  await button(review(page), 'Side by side').click()
  await runCommand(page, 'Show pending reviews')
  await openPanel(page, 'Show connections', 'Connections')
  await expect(
    page.getByRole('list', { name: 'Checks for Claude Code', exact: true }).getByRole('listitem').first(),
  ).toBeVisible()
  await button(review(page), 'Comment on change 1').click()
  await page.keyboard.type('Why?')
  await expect(review(page).getByRole('region', { name: 'Comments' })).toBeVisible()
  await lookAt(page, 'pending reviews, review side by side with a comment, connections')
  await button(review(page), 'Side by side').click()
  await runCommand(page, 'Show all reviews')
  await expect(tab(page, 'Reviews')).toBeVisible()
  await runCommand(page, 'Replace in folder')
  const search = page.getByRole('region', { name: 'Search', exact: true })
  await search.getByRole('textbox', { name: 'Search text' }).fill('line')
  await button(search, 'Which files').click()
  await expect(search.getByRole('tree', { name: 'Results' })).toBeVisible()
  await openPanel(page, 'Show protocol log', 'Log')
  await page.getByRole('listbox', { name: 'Messages' }).getByRole('option').first().click()
  await expect(page.getByRole('region', { name: /^Message \d/ })).toBeVisible()
  await lookAt(page, 'search, all reviews, log')
})

test('what stands beside the work has no fault that axe knows, light and dark', async ({ app }) => {
  recordSession(app.place, '11111111-2222-4333-8444-555555555555', richSession().records)
  const { page, path, agent } = await fill(app)
  void agent.openDiff(path, proposed)
  await press(page, 'Reject file')
  await expect(review(page)).toHaveCount(0)
  await runCommand(page, 'Show the record of writes')
  const record = page.getByRole('region', { name: 'Record of writes' })
  await record.getByRole('listitem').getByRole('button', { expanded: false }).click()
  await lookAt(page, 'record of writes', '[aria-label="Record of writes"]')
  await terminalInput(page).focus()
  await page.keyboard.type('$EDITOR notes.md\n')
  await expect(page.getByRole('group', { name: 'Waiting command' })).toBeVisible()
  await runCommand(page, 'Show preview')
  await expect(page.getByRole('document', { name: 'Preview of notes.md' })).toBeVisible()
  await lookAt(page, 'file that a command waits for, Markdown preview')
  await page.keyboard.press(`${mod}+1`)
  await openPanel(page, 'Settings', 'Settings')
  await page.keyboard.press(`${mod}+2`)
  await runCommand(page, 'Keyboard shortcuts')
  await expect(page.getByRole('searchbox', { name: 'Search keyboard shortcuts' })).toBeFocused()
  await lookAt(page, 'settings, keyboard shortcuts')
  await page.keyboard.press(`${mod}+1`)
  await runCommand(page, 'Welcome')
  await expect(page.getByRole('listitem', { name: 'OpenCode' })).toBeVisible()
  await page.keyboard.press(`${mod}+2`)
  await runCommand(page, 'Show sessions')
  await page.keyboard.press(`${mod}+j`)
  const list = page.getByRole('list', { name: 'Sessions' })
  await list.getByRole('button', { name: /^Keep the heating/ }).click()
  const log = page.getByRole('log', { name: 'Conversation' })
  await expect(log.getByText('And now the pump, please.')).toBeVisible()
  await log.getByRole('article').last().focus()
  await page.keyboard.press('Home')
  await log.getByRole('button', { name: /^Grep, /, expanded: false }).click()
  await expect(page.getByRole('textbox', { name: /^After: / }).first()).toBeAttached()
  await lookAt(page, 'sessions, welcome, conversation')
})

scripted('what an agent asks has no fault that axe knows, light and dark', async ({ app }) => {
  await app.start()
  const { page } = app
  const robo = await app.scripted()
  const approval = page.getByRole('group', { name: /^Approval: / })
  const answer = async (name: string) => {
    await expect(button(approval, name)).toBeEnabled()
    await button(approval, name).click()
  }
  const asked = robo.ask('ask', {
    subject: 'npm test \u202egnp.exe',
    why: 'To see',
    folder: app.place.project,
  })
  await expect(approval).toBeVisible()
  await answer('Always allow')
  await asked.answer
  const choices = ['red', 'blue'].map((value) => ({ value, label: value, help: null }))
  const field = { help: 'One is enough', required: true, initial: null }
  void robo.ask('ask', {
    kind: 'question',
    subject: 'How shall it be?',
    fields: [
      { ...field, id: 'one', label: 'Colour', kind: 'choice', choices, allowsOther: true },
      {
        ...field,
        ...{
          id: 'name',
          label: 'Name',
          kind: 'text',
          lines: 'many',
          format: 'text',
          shortest: 2,
          longest: null,
        },
      },
    ],
  })
  await expect(approval.getByText('How shall it be?')).toBeVisible()
  await answer('Allow once')
  await expect(approval.getByText('Choose one.')).toBeVisible()
  const withdrawn = robo.ask('ask', { subject: 'sleep 1' })
  await expect(page.getByText('1 of 2')).toBeVisible()
  await runCommand(page, 'Show pending reviews')
  await lookAt(page, 'approval with a form, list of what waits')
  withdrawn.cancel()
  // Withdrawn while it is shown, it would give its place to the one that waits.
  await expect(button(page, 'Waiting (1)')).toBeVisible()
  await button(page, 'Next approval').click()
  await expect(approval.getByText(/^Withdrawn\./)).toBeVisible()
  await lookAt(page, 'withdrawn approval', '.approvals')
  await button(page, 'Rules').click()
  await button(page, 'Change rule npm test \\u{202e}gnp.exe').click()
  await button(page, 'New rule').click()
  await expect(page.getByRole('textbox', { name: 'Pattern' })).toHaveCount(3)
  await lookAt(page, 'rules', '.approvals')
  await button(page, 'Record').click()
  await expect(page.getByRole('list', { name: 'Record' })).toBeVisible()
  await lookAt(page, 'record', '.approvals')
})

scripted('what Claude asks has no fault that axe knows, light and dark', async ({ app }) => {
  await app.start()
  const { page } = app
  const claude = await app.scripted({ agent: 'Claude', session: 's1' })
  const approval = page.getByRole('group', { name: /^Approval: / })
  for (const [name, request] of Object.entries(claudeAsks)) {
    const asked = claude.ask('askAsClaude', { request })
    await expect(approval).toBeVisible()
    if (name === 'plan') await page.getByRole('button', { name: 'Comment on line 3' }).click()
    await lookAt(page, name, '.approvals')
    if (name === 'plan') {
      await button(page, 'Edit plan').click()
      await page.getByRole('textbox', { name: 'Plan as Markdown' }).fill('# Other')
      await lookAt(page, 'plan as it is changed', '.approvals')
      await button(page, 'Show as it reads').click()
      await lookAt(page, 'comment whose line is gone', '.approvals')
    }
    if (name === 'questions') {
      await page.getByRole('radio', { name: 'Columns' }).check()
      await page.getByLabel('Something else for Which parts do you want?').fill('a search')
      await lookAt(page, 'questions with answers', '.approvals')
    }
    if (name === 'form') {
      await button(approval, 'Send').click()
      await expect(approval.getByRole('textbox', { name: 'Title' })).toHaveAttribute('aria-invalid', 'true')
      await lookAt(page, 'form with something missing', '.approvals')
    }
    asked.cancel()
    await button(approval, 'Dismiss').click()
    await expect(approval).toHaveCount(0)
  }
})

scripted('a talk with an agent has no fault that axe knows, light and dark', async ({ app }) => {
  await app.start()
  const { page } = app
  const robo = await app.scripted()
  const { id } = await robo.call<{ id: string }>('converse', { title: 'A talk with Robo' })
  const field = page.getByLabel('Message', { exact: true })
  const say = async (text: string) => {
    await field.fill(text)
    await field.press('Enter')
    await expect(field).toHaveValue('')
  }
  await expect(field).toBeEditable()
  await say('stream 100000 5')
  await expect(page.getByRole('button', { name: /^Run, ls/ })).toBeVisible()
  await say('and then the tests')
  await expect(page.getByRole('list', { name: 'Waiting messages' })).toBeVisible()
  await field.fill('/')
  // The approval comes behind the conversation.
  await keepTyping(page)
  void robo.ask('ask', { subject: 'npm test', conversation: id })
  await expect(button(page, 'Show approval')).toBeVisible()
  await expect(page.getByRole('listbox', { name: 'Commands' })).toBeVisible()
  await lookAt(page, 'conversation at work, with its commands', '.conversation')
  await field.fill('')
  await button(page, 'Stop').click()
  await say('die 3')
  await button(page, 'Last words').click()
  await lookAt(page, 'conversation whose agent has ended', '.conversation')
})

test('how much is asked has no fault that axe knows, light and dark', async ({ app }) => {
  const config = join(app.place.home, '.claude')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'settings.json'), JSON.stringify({ disableAllHooks: true }))
  const path = app.write('list.txt', before)
  await app.start()
  const { page } = app
  // A bar that has just appeared takes no press.
  const answer = async (name: string) => {
    await expect(button(page, name)).not.toHaveAttribute('aria-disabled', 'true')
    await button(page, name).click()
  }
  await answer('Not now')
  const bar = page.getByRole('region', { name: 'Review in every mode' })
  await expect(bar).toBeVisible()
  await lookAt(page, 'hooks are switched off', '[aria-label="Review in every mode"]')
  await answer('Leave them off')

  const peer = await peerInTerminal(app)
  const ask = (call: string) =>
    peer.send(beforeTool('Write', { file_path: path, content: proposed }, { tool_use_id: call }))
  const first = ask('1')
  await button(review(page), 'Comment on change 1').click()
  await page.getByRole('textbox', { name: 'Comment on line 3' }).fill('Why?')
  await page.keyboard.press('Escape')
  await press(page, 'Reject file')
  // Who asks for the same change before the first has its answer gets the same one.
  await first.answer
  await expect(review(page)).toHaveCount(0)
  const again = ask('2')
  await expect(review(page).getByRole('group', { name: 'What you said before' })).toBeVisible()
  await lookAt(page, 'review with earlier comments', '[aria-label="Comments"]')
  again.hangUp()
  await expect(review(page)).toHaveCount(0)
  await button(page, 'Reviews in this terminal: review every change').click()
  await lookAt(page, 'how much is asked in a terminal', '[role="menu"]')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Claude: / }).click()
  await button(page, 'Approvals, their rules and record').click()
  await button(page, 'Rules').click()
  const form = page.getByRole('form', { name: 'New rule for files' })
  await form.getByRole('textbox', { name: 'Pattern' }).fill('docs/**')
  await button(form, 'Add rule').click()
  await expect(page.getByRole('list', { name: 'Patterns of files' }).getByRole('listitem')).toHaveCount(1)
  await form.getByRole('textbox', { name: 'Pattern' }).fill('*a*b*c*d')
  await button(form, 'Add rule').click()
  await expect(form.getByRole('alert')).toBeVisible()
  await lookAt(page, 'rules for files', '.approvals')
})

test('what opens above the window has no fault that axe knows, light and dark', async ({ app }) => {
  const { page } = await fill(app)
  const above = '[role="dialog"]'
  const bar = page.getByRole('region', { name: 'Trust', exact: true })
  await expect(button(bar, 'Not now')).not.toHaveAttribute('aria-disabled', 'true')
  await lookAt(page, 'whether a folder is trusted', '[aria-label="Trust"]')
  await button(bar, 'Not now').click()
  await button(page, 'not trusted').click()
  await lookAt(page, 'a folder that is not trusted', '[role="menu"]')
  await page.keyboard.press('Escape')
  // A terminal keeps most keys for its program.
  await page.getByRole('treeitem', { name: 'hello.txt' }).click()
  await page.keyboard.press(`${mod}+p`)
  await expect(page.getByRole('dialog', { name: 'Go to file' }).getByRole('option').first()).toBeVisible()
  await lookAt(page, 'go to file', above)
  await page.keyboard.press('Escape')
  await page.keyboard.press(`${mod}+Shift+P`)
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
  await lookAt(page, 'commands', above)
  await page.keyboard.press('Escape')
  await page.keyboard.press('F1')
  await expect(page.getByText('All shortcuts').or(page.getByText('Keyboard shortcuts')).first()).toBeVisible()
  await lookAt(page, 'shortcuts', above)
  await page.keyboard.press('Escape')
  await runCommand(page, 'Folders of this window')
  await lookAt(page, 'folders', above)
  await page.keyboard.press('Escape')
  await runCommand(page, 'Trusted folders')
  await lookAt(page, 'folders that are not trusted', above)
  await button(page, `Trust ${app.place.project}`).click()
  await expect(button(page, `Stop trusting ${app.place.project}`)).toBeVisible()
  await lookAt(page, 'trusted folders', above)
})

test('a window without a folder has no fault that axe knows', async ({ app }) => {
  await app.start([])
  await expect(button(app.page, 'Open a folder …')).toBeVisible()
  expect(await accessibilityFaults(app.page)).toEqual([])
})

test('at 200 % everything is reached without scrolling across, and motion and colours follow the system', async ({
  app,
}) => {
  const { page, path, agent } = await fill(app)
  void agent.openDiff(path, proposed)
  await expect(button(review(page), 'Accept change 1')).toBeVisible()
  // 200 % of a window of 1,400 by 900.
  await page.setViewportSize({ width: 700, height: 450 })
  const widest = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(widest).toBe(0)
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Editor' }).click()
  for (const name of ['Accept file', 'Reject file', 'Next change', 'Accept change 1']) {
    await expect(button(review(page), name)).toBeInViewport()
  }

  // What one has shown alone does not shut the others when there is room again.
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Panel' }).click()
  await page.setViewportSize({ width: 1400, height: 900 })
  await expect(page.getByRole('tree', { name: 'Files' })).toBeInViewport()
  await page.setViewportSize({ width: 700, height: 450 })
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Editor' }).click()

  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const { transitionDuration, animationDuration, animationName } = getComputedStyle(element)
        const lasts = (times: string) => times.split(',').some((time) => Number.parseFloat(time) > 0.01)
        return lasts(transitionDuration) || (animationName !== 'none' && lasts(animationDuration))
      })
      .map(({ className }) => String(className)),
  )
  expect(moving).toEqual([])

  await page.emulateMedia({ forcedColors: 'active' })
  // What is pressed, where the focus is and what was added must not stand on a colour that is gone now.
  await button(review(page), 'Previous change').focus()
  await page.keyboard.press('ArrowRight')
  await expect(button(review(page), 'Next change')).toBeFocused()
  const outline = await button(review(page), 'Next change').evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return { outlineStyle, outlineWidth: Number.parseFloat(outlineWidth) }
  })
  expect(outline.outlineStyle).not.toBe('none')
  expect(outline.outlineWidth).toBeGreaterThanOrEqual(1)
})

test('a day by keyboard alone: a file, an edit, a review, a terminal, and back', async ({ app }) => {
  const path = app.write('list.txt', before)
  await app.start()
  const { page } = app
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())

  // Into the tree, by the letters of a name.
  await runCommand(page, 'Show files')
  await expect(page.getByRole('tree', { name: 'Files' })).toBeFocused()
  // Each letter leads there, also if they come so slowly that they are no word.
  await page.keyboard.type('he')
  await press('Enter')
  const editor = page.getByRole('textbox', { name: /^Editor: .*hello\.txt$/ })
  await expect(editor).toBeFocused()
  await press(`${mod}+End`)
  await page.keyboard.type('more\n')
  await press(`${mod}+s`)
  await expect.poll(() => app.read('hello.txt')).toBe('hello\nmore\n')

  // The list of reviews takes the focus while it is empty too; a review that comes leaves it there, and the list leads
  // to it.
  const agent = await app.agent()
  await runCommand(page, 'Show pending reviews')
  await expect(page.locator('[data-pane="side"]:is(:focus, :focus-within)')).toBeVisible()
  const answer = agent.openDiff(path, proposed)
  const row = page.getByRole('list', { name: 'Pending reviews' }).getByRole('button', { name: /^list\.txt/ })
  await expect(row).toBeVisible()
  while (!(await row.evaluate((element) => element === document.activeElement))) await press('Tab')
  await press('Enter')
  await expect(review(page)).toBeVisible()
  while ((await review(page).locator(':focus').count()) === 0) await press('F6')
  await expect(button(review(page), 'Accept file')).not.toHaveAttribute('aria-disabled', 'true')
  await press('F7', `${mod}+Shift+Y`)
  await expect(button(review(page), 'Undo change 1')).toBeVisible()
  await press(`${mod}+Shift+D`)
  await expect(button(review(page), 'Undo change 2')).toBeVisible()
  await press(`${mod}+Enter`)
  expect(await answer).toEqual(['FILE_SAVED', before.replace('line 3\n', 'LINE 3\n')])

  // A terminal, and out of it again.
  await runCommand(page, 'New terminal: Shell')
  await expect(terminalInput(page)).toBeFocused()
  await page.keyboard.type('echo done-$((6*7))\n')
  await expect(page.getByRole('region', { name: /^Terminal: / }).locator('.xterm-rows')).toContainText(
    'done-42',
  )
  await press('F6')
  await expect(terminalInput(page)).not.toBeFocused()
})
