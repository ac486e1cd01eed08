import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test as base, type Browser, type Page } from '@playwright/test'
import { OpenApp, button, mod, press, proposedText, review, tab } from '../e2e/open-app'
import { Place } from '../e2e/running-host'
import { linesWith } from '../e2e/thirty-lines'
import { editorOf } from './busy-person'
import { Chance, isLong } from './chance'
import { type KeptFile, damages } from './damages'
import { note } from './figures'

const before = linesWith([])
const proposed = linesWith([3, 15, 27])
const pieces = ['alpha ', 'beta ', 'gamma ', 'delta ']

/** How long a file was after each step. */
interface Grown {
  path: string
  sizes: number[]
}

/** A data directory as a crash left it. */
class Crashed {
  readonly app: OpenApp
  readonly #whole: string
  readonly files: Record<KeptFile, string>
  readonly review: Grown
  readonly unsaved: Grown

  private constructor(app: OpenApp, review: Grown, unsaved: Grown) {
    this.app = app
    this.review = review
    this.unsaved = unsaved
    this.#whole = join(app.place.base, 'whole')
    const folder = join(review.path, '..')
    const copy = unsaved.path.replace(/\.log$/, '.1.copy')
    this.files = {
      head: join(folder, 'head.json'),
      log: review.path,
      a: join(folder, 'a.txt'),
      b: join(folder, 'b.txt'),
      'unsaved log': unsaved.path,
      'unsaved copy': copy,
    }
    for (const [name, path] of Object.entries(this.files)) {
      if (!existsSync(path)) throw new Error(`there is no ${name}: ${path}`)
    }
    // A socket cannot be copied, and is of the process that is gone.
    cpSync(app.place.data, this.#whole, { recursive: true, filter: (path) => !path.endsWith('.sock') })
  }

  static async make(browser: Browser): Promise<Crashed> {
    const place = new Place()
    execFileSync('git', ['init', '-q', '-b', 'main', place.project])
    const app = new OpenApp(place, 'headless', browser)
    const path = app.write('list.txt', before)
    const notes = app.write('notes.txt', 'last line: ')
    await app.start()
    const { page } = app
    await page.getByRole('treeitem', { name: 'notes.txt' }).dblclick()
    await editorOf(page, notes).focus()
    await page.keyboard.press(`${mod}+End`)
    const unsaved = await growing(
      join(place.data, 'unsaved'),
      '.log',
      pieces.map((piece) => () => page.keyboard.insertText(piece)),
    )
    const agent = await app.agent()
    void agent.openDiff(path, proposed)
    await tab(page, 'list.txt').click()
    const type = (piece: string) => async () => {
      await proposedText(page)
        .getByText(/^LINE 27/)
        .click()
      await page.keyboard.press('End')
      await page.keyboard.insertText(piece)
    }
    const log = await growing(join(place.data, 'reviews'), '.ndjson', [
      () => press(page, 'Accept change 1'),
      type('alpha '),
      () => press(page, 'Reject change 2'),
      type('beta '),
      () => press(page, 'Undo change 1'),
      type('gamma '),
    ])
    await app.kill()
    return new Crashed(app, log, unsaved)
  }

  /** Puts the data directory back as it was after the crash. */
  restore(): void {
    rmSync(this.app.place.data, { recursive: true, force: true })
    cpSync(this.#whole, this.app.place.data, { recursive: true })
  }
}

/** Takes the steps in turn, each once the one before is on disk, and notes how long the file is after it. */
async function growing(
  folder: string,
  ending: string,
  steps: readonly (() => Promise<void>)[],
): Promise<Grown> {
  const find = () => {
    const name = readdirSync(folder, { recursive: true }).find((one) => String(one).endsWith(ending))
    return name === undefined ? undefined : join(folder, String(name))
  }
  const sizeNow = () => {
    const path = find()
    return path === undefined ? 0 : statSync(path).size
  }
  const sizes: number[] = [sizeNow()]
  for (const step of steps) {
    const last = sizes.at(-1) ?? 0
    await step()
    await expect.poll(sizeNow).toBeGreaterThan(last)
    sizes.push(sizeNow())
  }
  return { path: find() ?? '', sizes }
}

/** What the review shows after each step: whether changes 1 and 2 are decided, and what was typed. */
const shownAfter = [
  'open open ',
  'decided open ',
  'decided open alpha ',
  'decided decided alpha ',
  'decided decided alpha beta ',
  'open decided alpha beta ',
  'open decided alpha beta gamma ',
]

const test = base.extend<object, { crashed: Crashed }>({
  crashed: [
    async ({ browser }, use) => {
      const crashed = await Crashed.make(browser)
      await use(crashed)
      await crashed.app.dispose()
    },
    { scope: 'worker' },
  ],
})

/** The step after which the review stands; -1 if there is no review, or it is as after none of them. */
async function standOfReview(page: Page): Promise<number> {
  if ((await tab(page, 'list.txt').count()) === 0) return -1
  await tab(page, 'list.txt').click()
  const isShown = await expect(button(review(page), 'Keep as my change'))
    .toBeEnabled({ timeout: 10_000 })
    .then(
      () => true,
      () => false,
    )
  if (!isShown) return -1
  const decided = await Promise.all(
    [1, 2].map(async (change) =>
      (await button(review(page), `Undo change ${change}`).count()) === 0 ? 'open' : 'decided',
    ),
  )
  const line = await proposedText(page)
    .getByText(/^LINE 27/)
    .innerText({ timeout: 2_000 })
    .catch(() => 'none')
  return shownAfter.indexOf(`${decided.join(' ')} ${line.replace(/^LINE 27/, '').replace(/\u00a0/g, ' ')}`)
}

/** How many of the typed pieces the editor shows; -1 if it shows anything else. */
async function standOfText(page: Page, path: string): Promise<number> {
  await tab(page, 'notes.txt').click()
  await expect(editorOf(page, path)).toBeVisible()
  const shown = (await editorOf(page, path).innerText()).replace(/\u00a0/g, ' ').replace(/\n$/, '')
  const texts = pieces.map((_, index) => `last line: ${pieces.slice(0, index + 1).join('')}`)
  return ['last line: ', ...texts].findIndex((text) => text.trimEnd() === shown.trimEnd())
}

/** How many steps the first bytes of a file hold. */
const stepsWithin = ({ sizes }: Grown, bytes: number): number =>
  sizes.filter((size) => size <= bytes).length - 1

/** Whether the page says that something was damaged and names an existing path in the data directory. */
async function isTold(page: Page, data: string): Promise<boolean> {
  const words = await page.locator('body').innerText()
  if (!/damaged|couldn’t be read|can’t be read|can’t be restored/i.test(words)) return false
  return words
    .split(/\s/)
    .filter((word) => word.startsWith(`${data}/`))
    .some((word) => existsSync(word.replace(/[.,;]$/, '')))
}

const chosen = isLong ? damages : new Chance('damages').some(damages, 8)

for (const { name, file, strike } of chosen) {
  test(`damage: ${name}`, async ({ crashed }) => {
    const { app, files } = crashed
    crashed.restore()
    const whole = strike(files[file], new Chance(`damage: ${name}`))
    await app.start()
    const { page, place } = app
    try {
      const all = { review: shownAfter.length - 1, text: pieces.length }
      const stand = {
        review: await standOfReview(page),
        text: await standOfText(page, app.path('notes.txt')),
      }
      // Somebody put a folder there: it is left alone, and told.
      const isFolder = name.endsWith('is a folder')
      // Only a damaged log may take anything with it, from the damage on; only the proposal itself is nowhere else.
      const due = { ...all }
      if (file === 'log') due.review = Math.max(0, stepsWithin(crashed.review, whole))
      if (file === 'b' || (isFolder && file !== 'a')) due.review = -1
      if (file === 'unsaved log') due.text = Math.max(0, stepsWithin(crashed.unsaved, whole))
      const isBack = stand.review >= due.review && stand.text >= due.text
      const isAll = stand.review === all.review && stand.text === all.text
      const told = isAll || (await isTold(page, place.data))
      note({ name: 'kinds of damage', measured: 1 })
      note({ name: 'damage: something before it lost', measured: isBack ? 0 : 1, atMost: 0 })
      note({ name: 'damage: something lost silently', measured: told ? 0 : 1, atMost: 0 })
      expect.soft(stand.review, 'steps of the review').toBeGreaterThanOrEqual(due.review)
      expect.soft(stand.text, 'pieces of the unsaved text').toBeGreaterThanOrEqual(due.text)
      expect.soft(told, `told: ${JSON.stringify({ stand, all })}`).toBe(true)
      expect(app.read('list.txt')).toBe(before)
      expect(app.read('notes.txt')).toBe('last line: ')
    } finally {
      await app.kill()
    }
  })
}

test.describe('damage elsewhere in the data directory', () => {
  const beside: [name: string, strike: (data: string) => void][] = [
    [
      'settings.json is nested 100,000 deep',
      (data) => writeFileSync(join(data, 'settings.json'), '['.repeat(100_000)),
    ],
    [
      'settings.json is garbage',
      (data) => writeFileSync(join(data, 'settings.json'), Buffer.alloc(5000, 0xff)),
    ],
    [
      'the state of the folder is garbage',
      (data) => {
        for (const name of readdirSync(join(data, 'folders')))
          writeFileSync(join(data, 'folders', name), '\0garbage')
      },
    ],
    [
      'sessions.json is nested 100,000 deep',
      (data) => writeFileSync(join(data, 'sessions.json'), '['.repeat(100_000)),
    ],
    ['the lock is garbage', (data) => writeFileSync(join(data, 'lock'), '\0garbage')],
    [
      'hand-over.json is a folder',
      (data) => {
        rmSync(join(data, 'hand-over.json'), { force: true, recursive: true })
        cpSync(join(data, 'folders'), join(data, 'hand-over.json'), { recursive: true })
      },
    ],
  ]

  for (const [name, strike] of isLong ? beside : beside.slice(0, 1)) {
    test(name, async ({ crashed }) => {
      const { app } = crashed
      crashed.restore()
      strike(app.place.data)
      await app.start()
      try {
        expect(await standOfReview(app.page)).toBe(shownAfter.length - 1)
        note({ name: 'kinds of damage', measured: 1 })
      } finally {
        await app.kill()
      }
    })
  }

  test('a lock that is a folder is named', async ({ crashed }) => {
    const { app } = crashed
    crashed.restore()
    const lock = join(app.place.data, 'lock')
    rmSync(lock)
    cpSync(join(app.place.data, 'folders'), lock, { recursive: true })
    const { code, stderr } = await app.place.run([
      app.place.project,
      '--headless',
      '--data-dir',
      app.place.data,
    ])
    expect(code).toBe(1)
    expect(stderr).toContain(lock)
    expect(stderr).not.toMatch(/^\s+at /m)
    note({ name: 'kinds of damage', measured: 1 })
  })
})
