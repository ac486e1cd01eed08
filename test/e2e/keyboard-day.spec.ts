import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { richSession } from '../conversation-harness/scenes'
import {
  button,
  keepTyping,
  mod,
  openShell,
  terminalInput,
  terminalScreen,
  test,
  type OpenApp,
} from './open-app'
import { recordSession } from './recorded-session'
import { linesWith } from './thirty-lines'

/** Writes down every byte that it gets, and nothing else: what reaches it is what an agent's prompt would get. */
const recorder = `
const { appendFileSync, writeFileSync } = require('node:fs')
process.chdir(__dirname)
process.stdin.setRawMode(true)
process.stdin.on('data', (bytes) => {
  appendFileSync('recorded.bin', bytes)
  if (bytes.includes(4)) process.exit()
})
writeFileSync('recorded.bin', '')
console.log('recording')
`

/** A person without a mouse: counts what they press. */
class Keyboard {
  pressed = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async press(key: string): Promise<void> {
    this.pressed++
    await this.#page.keyboard.press(key)
  }

  /** As often as given, without looking what comes of it. */
  async hammer(key: string, times: number): Promise<void> {
    for (let time = 0; time < times; time++) await this.press(key)
  }

  /** Holds a key down, so that it repeats itself, until something has come of it, and a little longer. */
  async hold(key: string, until: () => Promise<boolean> = async () => true): Promise<void> {
    this.pressed++
    await this.#page.keyboard.down(mod)
    do await this.#page.keyboard.down(key)
    while (!(await until()))
    for (let time = 0; time < 5; time++) await this.#page.keyboard.down(key)
    await this.#page.keyboard.up(key)
    await this.#page.keyboard.up(mod)
  }

  /** Has Enter pressed once more in the very moment in which something in a place gets the focus. */
  async pressAgainIn(place: string): Promise<void> {
    await this.#page.evaluate((within) => {
      const enter = { key: 'Enter', code: 'Enter', keyCode: 13 }
      const press = { ...enter, ctrlKey: true, bubbles: true, cancelable: true }
      const again = ({ target }: FocusEvent) => {
        if (!(target instanceof HTMLElement) || !target.closest(within)) return
        document.removeEventListener('focusin', again)
        setTimeout(() => {
          target.dispatchEvent(new KeyboardEvent('keydown', press))
          document.documentElement.dataset['pressedAgain'] = ''
        })
      }
      document.addEventListener('focusin', again)
    }, place)
  }

  async type(text: string): Promise<void> {
    this.pressed += text.length
    await this.#page.keyboard.type(text)
  }
}

const three = ['a.txt', 'b.txt', 'c.txt']
const many = Array.from({ length: 25 }, (_, index) => `f${String(index + 1).padStart(2, '0')}.txt`)

interface Asked {
  name: string
  changes: number
  answer: Promise<string[]>
}

/** An app with a terminal in which the recorder runs, and the focus in it. */
async function begin(app: OpenApp) {
  // Outside of the project: what a terminal's program writes there would be reviewed.
  writeFileSync(join(app.place.base, 'recorder.cjs'), recorder)
  for (const name of [...three, ...many]) app.write(name, linesWith([]))
  await app.start()
  const { page } = app
  await openShell(page)
  await page.keyboard.type('node ../recorder.cjs\n')
  await expect(terminalScreen(page)).toContainText('recording')
  const agent = await app.agent()
  /** Asks for changes to a file; writes what is accepted, as an agent does. */
  const ask = (name: string, changes: 1 | 2): Asked => {
    const path = app.path(name)
    const answer = agent.openDiff(path, linesWith(changes === 1 ? [3] : [3, 15]))
    const written = answer.then(([verdict, text]) => {
      if (verdict === 'FILE_SAVED') writeFileSync(path, text ?? '')
      return [verdict ?? '', text ?? '']
    })
    return { name, changes, answer: written }
  }
  /** Asks for one change in each of three files, one after the other: each has a tab. */
  const askThree = async (): Promise<Asked[]> => {
    const asked: Asked[] = []
    for (const name of three) {
      asked.push(ask(name, 1))
      await expect(page.getByRole('tab', { name })).toBeVisible()
    }
    await expect(terminalInput(page)).toBeFocused()
    return asked
  }
  return { page, keyboard: new Keyboard(page), ask, askThree }
}

/** What the program in the terminal has got. */
const recorded = (app: OpenApp) => readFileSync(join(app.place.base, 'recorded.bin'), 'latin1')

/** The review or card with this file, while the focus is in it. */
const focusedReview = (app: OpenApp, name: string): Locator =>
  app.page
    .getByRole('region', { name: `Review: ${app.path(name)}`, exact: true })
    .filter({ has: app.page.locator(':focus') })
    .or(app.page.locator(`:focus[aria-label="Review: ${app.path(name)}"]`))

/** Waits until a person sees that the keys are for this review: it has the focus, and its button can be pressed. */
async function readyFor(app: OpenApp, name: string): Promise<void> {
  await expect(focusedReview(app, name)).toBeVisible()
  await expect(button(focusedReview(app, name), 'Accept file')).toBeEnabled()
}

test(
  'files decided by keys alone, one after the other, and no key reaches the agent',
  { tag: '@long' },
  async ({ app }) => {
    test.slow()
    const { page, keyboard, ask, askThree } = await begin(app)

    // Three, each in its tab.
    const asked = await askThree()
    await keyboard.press('Shift+F6')
    const isInTerminal = () => terminalInput(page).evaluate((field) => field === document.activeElement)
    for (const { name, answer } of asked) {
      await readyFor(app, name)
      // After the last the focus is back where the person was. A key that is still down then is not for the agent.
      if (name === 'c.txt') await keyboard.hold('Enter', isInTerminal)
      else await keyboard.press(`${mod}+Enter`)
      expect((await answer)[0]).toBe('FILE_SAVED')
    }
    await expect(page.getByRole('tab', { name: 'c.txt' })).toHaveCount(0)
    expect(recorded(app)).toBe('')

    // Twenty-five in one scroll.
    const before = keyboard.pressed
    const all = many.map((name, index) => ask(name, index % 5 < 4 ? 2 : 1))
    await expect(page).toHaveTitle(/^\(25\) /)
    await keyboard.press(`${mod}+Shift+P`)
    await keyboard.type('all rev')
    await expect(page.getByRole('option', { selected: true })).toContainText('Show all reviews')
    await keyboard.press('Enter')
    const headings = page.getByRole('region', { name: 'All reviews' }).getByRole('heading', { level: 3 })
    await expect(headings).toHaveCount(25)
    // What is asked at the same time is listed as it has come.
    const listed = await headings.allTextContents()
    expect([...listed].sort()).toEqual(many)
    // Nor is one that is pressed again at once after the last.
    await keyboard.pressAgainIn('.xterm')
    for (const [index, name] of listed.entries()) {
      await readyFor(app, name)
      const place = many.indexOf(name)
      const answer = all[place]?.answer ?? Promise.resolve([])
      // One of two changes: where the only one is rejected, the file can’t be accepted.
      if (place % 5 === 1) {
        await keyboard.press('F7')
        await keyboard.press(`${mod}+Shift+D`)
        await expect(button(focusedReview(app, name), 'Undo change 1')).toBeVisible()
      }
      await keyboard.press(index % 7 === 3 ? `${mod}+Shift+Backspace` : `${mod}+Enter`)
      expect((await answer)[0]).toBe(index % 7 === 3 ? 'DIFF_REJECTED' : 'FILE_SAVED')
    }
    const changes = all.reduce((sum, asked) => sum + asked.changes, 0)
    const perChange = (keyboard.pressed - before) / changes
    expect(perChange, `${keyboard.pressed - before} keys for ${changes} changes`).toBeLessThanOrEqual(1.2)

    await expect(terminalInput(page)).toBeFocused()
    await expect(page.locator('html[data-pressed-again]')).toBeAttached()
    // What the person types there reaches it, and nothing has come before.
    await keyboard.type('thanks')
    await expect.poll(() => recorded(app)).toBe('thanks')
    await keyboard.press('Control+d')
  },
)

test('a key that is pressed in haste or held down decides one file, and reaches no terminal', async ({
  app,
}) => {
  const { page, keyboard, askThree } = await begin(app)
  const asked = await askThree()
  await keyboard.press('Shift+F6')
  await readyFor(app, 'a.txt')
  await keyboard.hold('Enter')
  expect((await asked[0]?.answer)?.[0]).toBe('FILE_SAVED')
  await readyFor(app, 'b.txt')
  await keyboard.pressAgainIn(`[aria-label="Review: ${app.path('c.txt')}"]`)
  await keyboard.press(`${mod}+Enter`)
  expect((await asked[1]?.answer)?.[0]).toBe('FILE_SAVED')
  await expect(page.locator('html[data-pressed-again]')).toBeAttached()
  // Neither has decided the next one too.
  await readyFor(app, 'c.txt')
  await expect(page).toHaveTitle(/^\(1\) /)

  // Closing the tab of the last rejects it; the focus stays in the page, and in no terminal.
  await keyboard.hammer(`${mod}+w`, 1)
  expect((await asked[2]?.answer)?.[0]).toBe('DIFF_REJECTED')
  await expect(page.getByRole('tab', { name: 'c.txt' })).toHaveCount(0)
  await expect(page.locator('main:focus, main :focus')).toBeAttached()
  await keyboard.hold('w')
  await keyboard.hammer(`${mod}+Enter`, 2)
  expect(recorded(app)).toBe('')

  // The person goes there and types; the empty pane's own button comes first.
  await keyboard.press('F6')
  await expect(button(page, 'New conversation')).toBeFocused()
  await keyboard.press('F6')
  await expect(terminalInput(page)).toBeFocused()
  await keyboard.type('ok')
  await expect.poll(() => recorded(app)).toBe('ok')
  await keyboard.press('Control+d')
})

test('whoever types anywhere while changes are proposed is not moved, and loses no letter', async ({
  app,
}) => {
  test.slow()
  const session = '11111111-2222-4333-8444-555555555555'
  recordSession(app.place, session, richSession().records)
  const { page, ask } = await begin(app)
  const asked: Asked[] = []
  /** Types a word, a proposal comes, another word: all of it is where it was begun. */
  const typeThrough = async (name: string, where: Locator, textOf: () => Promise<string>) => {
    await expect(where).toBeFocused()
    await page.keyboard.type('before ')
    asked.push(ask(name, 1))
    await expect(page).toHaveTitle(new RegExp(`^\\(${asked.length}\\) `))
    await page.keyboard.type('after')
    await expect(where).toBeFocused()
    await expect.poll(textOf).toContain('before after')
  }
  await typeThrough('f01.txt', terminalInput(page), async () => recorded(app))

  // The review of then stands in front; a file is opened from the tree.
  await page.getByRole('treeitem', { name: 'hello.txt' }).dblclick()
  const editor = page.getByRole('textbox', { name: `Editor: ${app.path('hello.txt')}` })
  await keepTyping(page)
  await typeThrough('f02.txt', editor, () => editor.innerText())

  await page.getByRole('treeitem', { name: 'a.txt' }).click()
  await page.keyboard.press('F2')
  const field = page.getByRole('tree', { name: 'Files' }).getByRole('textbox')
  await page.keyboard.press(`${mod}+a`)
  await typeThrough('f03.txt', field, () => field.inputValue())
  await page.keyboard.press('Escape')

  await page.keyboard.press(`${mod}+Shift+F`)
  const search = page.getByRole('textbox', { name: 'Search text' })
  await typeThrough('f04.txt', search, () => search.inputValue())

  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
  await page
    .getByRole('list', { name: 'Sessions' })
    .getByRole('button', { name: /^Keep the heating/ })
    .click()
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.click()
  await typeThrough('f05.txt', message, () => message.inputValue())
  expect(recorded(app)).toBe('before after')
})
