import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { OpenApp, button, proposedText, review, tab } from '../e2e/open-app'
import { Place } from '../e2e/running-host'
import { linesWith } from '../e2e/thirty-lines'
import {
  BusyPerson,
  type Decision,
  type Diary,
  type EditedFile,
  type ReviewedFile,
  before,
  decidable,
  editorOf,
  emptyDiary,
  lettersOf,
  marks,
  writeFiles,
} from './busy-person'
import { Chance, isLong } from './chance'
import { note } from './figures'

/** Whatever the person saw done this many milliseconds before a kill must be there after it. */
const grace = 250
/** Each test kills its app twice. */
const tests = isLong ? 100 : 2

/** What went wrong, a sentence each. */
interface Losses {
  decisions: string[]
  letters: string[]
  files: string[]
  tabs: string[]
  undo: string[]
}

/** How much was checked. */
interface Checked {
  decisions: number
  letters: number
  undone: number
}

for (let number = 1; number <= tests; number++) {
  test(`kills ${number}`, async ({ browser }) => {
    const chance = new Chance(`kills ${number}`)
    const app = await newApp(browser)
    const losses: Losses = { decisions: [], letters: [], files: [], tabs: [], undo: [] }
    const checked: Checked = { decisions: 0, letters: 0, undone: 0 }
    try {
      const diary = emptyDiary()
      writeFiles(app)
      await app.start()
      for (const mark of marks) {
        const killedAt = await liveUntilKilled(app, chance, { diary, mark })
        await app.start()
        await compare(app.page, { diary, killedAt, losses, checked })
      }
      await keepAll(app.page, diary, losses)
    } finally {
      await app.dispose()
    }
    note({ name: 'kills', measured: 2 })
    note({ name: 'decisions older than 250 ms: checked', measured: checked.decisions })
    note({ name: 'decisions older than 250 ms: lost', measured: losses.decisions.length, atMost: 0 })
    note({ name: 'characters older than 250 ms: checked', measured: checked.letters })
    note({ name: 'characters older than 250 ms: lost', measured: losses.letters.length, atMost: 0 })
    note({ name: 'files harmed by kills', measured: losses.files.length, atMost: 0 })
    note({ name: 'tabs lost by kills', measured: losses.tabs.length, atMost: 0 })
    note({ name: 'accepted files undone after a kill', measured: checked.undone })
    note({ name: 'accepted files that could not be undone', measured: losses.undo.length, atMost: 0 })
    expect(losses).toEqual({ decisions: [], letters: [], files: [], tabs: [], undo: [] })
  })
}

async function newApp(browser: Browser): Promise<OpenApp> {
  const place = new Place()
  execFileSync('git', ['init', '-q', '-b', 'main', place.project])
  return new OpenApp(place, 'headless', browser)
}

/** Works until the host is killed, at a random moment or just after an Accept. Resolves with the time of the kill. */
async function liveUntilKilled(
  app: OpenApp,
  chance: Chance,
  { diary, mark }: { diary: Diary; mark: string },
): Promise<number> {
  // Which view was shown may be what the last kill took.
  await showView(app.page, 'Files')
  const agent = await app.agent()
  const person = new BusyPerson(app, agent, chance, { diary, mark })
  const isInAccept = chance.next() < 0.4
  const afterAccept = chance.between(0, 250)
  const latest = isInAccept ? 8_000 : chance.between(200, 5_000)
  const due = new Promise<void>((resolve) => {
    setTimeout(resolve, latest)
    if (isInAccept) person.onAccept = () => void setTimeout(resolve, afterAccept)
  })
  let killedAt = 0
  const work = (async () => {
    while (killedAt === 0) await person.act()
  })()
  // A failure before the kill is a real one; after it the page is gone.
  work.catch(() => undefined)
  await Promise.race([due, work])
  killedAt = Date.now()
  await app.kill()
  await agent.closed
  return killedAt
}

/** A view of the side bar; pressing the one that is shown would close it. */
async function showView(page: Page, name: string): Promise<void> {
  const view = page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name, exact: true })
  if ((await view.getAttribute('aria-pressed')) !== 'true') await view.click()
}

/** A review in the list. */
const pending = (page: Page, name: string): Locator => button(page, `${name}, Claude`)

/** Whether a review is in the list. Drafts without an agent have no tab, and several are folded into one line. */
async function comes(page: Page, name: string): Promise<boolean> {
  const unfold = button(page, 'Show list')
  try {
    await expect(async () => {
      if (await unfold.isVisible()) await unfold.click({ timeout: 500 })
      await expect(pending(page, name)).toBeVisible({ timeout: 500 })
    }).toPass({ timeout: 5_000 })
    return true
  } catch {
    return false
  }
}

interface Comparison {
  diary: Diary
  killedAt: number
  losses: Losses
  checked: Checked
}

/** Checks that the page and the files show everything the person saw done in time. */
async function compare(page: Page, { diary, killedAt, losses, checked }: Comparison): Promise<void> {
  const due = killedAt - grace
  const reviewed = new Set(diary.reviews.map(({ name }) => name))
  for (const { name, seen } of diary.tabs) {
    if (seen > due || reviewed.has(name)) continue
    const isThere = await tab(page, name)
      .waitFor({ timeout: 5_000 })
      .then(() => true)
      .catch(() => false)
    if (!isThere) losses.tabs.push(name)
  }
  diary.tabs = diary.tabs.filter(({ seen }) => seen <= due)
  for (const editor of diary.editors) await compareEditor(page, editor, { due, losses, checked })
  await showView(page, 'Reviews')
  for (const file of diary.reviews) await compareReview(page, file, { due, losses, checked })
  await undoAccepted(page, diary, { losses, checked })
  await showView(page, 'Files')
}

type Part = { due: number; losses: Losses; checked: Checked }

async function compareEditor(page: Page, editor: EditedFile, { due, losses, checked }: Part): Promise<void> {
  const { name, path, base, typed, saved } = editor
  const letters = lettersOf(typed)
  const onDisk = readFileSync(path, 'utf8')
  // The file holds a prefix of what was typed, and nothing else.
  const isWhole = (base + letters).startsWith(onDisk) && onDisk.length >= base.length
  if (!isWhole) losses.files.push(`${name}: ${JSON.stringify(onDisk)}`)
  if (saved && saved.seen <= due && !onDisk.startsWith(saved.text)) losses.files.push(`${name}: not saved`)
  if ((await tab(page, name).count()) === 0) return
  await tab(page, name).click()
  const shown = (await editorOf(page, path).innerText()).split('\n').at(-1) ?? ''
  const kept = shown.replace(/^last line: ?/, '')
  const wanted = typed.filter(({ seen }) => seen <= due).length
  checked.letters += wanted
  const isBeginning = letters.startsWith(kept)
  if (!isBeginning || kept.length < wanted) {
    losses.letters.push(`${name}: ${JSON.stringify(kept)} of ${JSON.stringify(letters)}, ${wanted} due`)
  }
  // What the kill cut off is forgotten.
  editor.typed = typed.slice(0, kept.length)
}

async function compareReview(page: Page, file: ReviewedFile, { due, losses, checked }: Part): Promise<void> {
  const { name, path, word, answer, typed } = file
  const onDisk = readFileSync(path, 'utf8')
  const wantedText = answer?.accepted ? answer.text : before
  if (onDisk !== wantedText) losses.files.push(`${name}: ${JSON.stringify(onDisk)}`)
  const isPending = answer ? (await pending(page, name).count()) > 0 : await comes(page, name)
  if (answer) {
    checked.decisions++
    if (isPending)
      losses.decisions.push(`${name}: ${answer.accepted ? 'accepted' : 'rejected'}, and asked again`)
    return
  }
  // Nobody was answered: what the person had done in the review is still there, unless it was being rejected.
  if (!isPending) {
    const isTouched = [...file.decisions, ...typed].some(({ seen }) => seen <= due)
    if (isTouched && word?.accepted !== false) losses.decisions.push(`${name}: the whole review`)
    return
  }
  await pending(page, name).click()
  await expect(review(page)).toHaveAccessibleName(`Review: ${path}`)
  await expect(button(review(page), 'Keep as my change')).toBeEnabled()
  for (const change of decidable) {
    const all = file.decisions.filter((one) => one.change === change)
    const last = all.findLastIndex(({ seen }) => seen <= due)
    const allowed: Decision[] = [
      ...(last < 0 ? ['undecided' as const] : []),
      ...all.slice(Math.max(last, 0)).map((one) => one.decision),
    ]
    const shown = await decisionOf(page, change)
    if (last >= 0) checked.decisions++
    if (!allowed.includes(shown))
      losses.decisions.push(`${name}: change ${change} is ${shown}, not ${allowed.join(' or ')}`)
    file.decisions = [
      ...file.decisions.filter((one) => one.change !== change),
      { change, decision: shown, begun: 0, seen: 0 },
    ]
  }
  const shown = (
    await proposedText(page)
      .getByText(/^LINE 27/)
      .innerText()
  ).replace(/^LINE 27/, '')
  const wanted = typed.filter(({ seen }) => seen <= due).length
  checked.letters += wanted
  if (!lettersOf(typed).startsWith(shown) || shown.length < wanted) {
    losses.letters.push(
      `${name}: ${JSON.stringify(shown)} of ${JSON.stringify(lettersOf(typed))}, ${wanted} due`,
    )
  }
  file.typed = typed.slice(0, shown.length)
}

async function decisionOf(page: Page, change: number): Promise<Decision> {
  const undo = button(review(page), `Undo change ${change}`)
  if ((await undo.count()) === 0) return 'undecided'
  const words = await undo.locator('..').innerText()
  return words.includes('Rejected') ? 'rejected' : 'accepted'
}

/** Undoes every accepted file. */
async function undoAccepted(
  page: Page,
  diary: Diary,
  { losses, checked }: { losses: Losses; checked: Checked },
): Promise<void> {
  const accepted = diary.reviews.filter(({ answer }) => answer?.accepted)
  for (const file of accepted) {
    const undone = await (async () => {
      await button(page, `Undo accepted ${file.name}`).click({ timeout: 5_000 })
      await expect.poll(() => readFileSync(file.path, 'utf8'), { timeout: 5_000 }).toBe(before)
    })().then(
      () => true,
      () => false,
    )
    if (undone) checked.undone++
    else losses.undo.push(file.name)
    diary.reviews.splice(diary.reviews.indexOf(file), 1)
  }
}

/** Keeps every draft, and checks that the file then holds exactly what the draft showed. */
async function keepAll(page: Page, diary: Diary, losses: Losses): Promise<void> {
  await showView(page, 'Reviews')
  for (const { name, path, decisions, typed, answer } of diary.reviews) {
    if (answer || !(await comes(page, name))) continue
    await pending(page, name).click()
    await expect(review(page)).toHaveAccessibleName(`Review: ${path}`)
    await button(review(page), 'Keep as my change').click()
    const isRejected = (change: number) =>
      decisions.findLast((one) => one.change === change)?.decision === 'rejected'
    const lines = [3, 9, 15, 21, 27].filter((_, index) => !isRejected(index + 1))
    const wanted = linesWith(lines).replace('LINE 27', `LINE 27${lettersOf(typed)}`)
    const isWritten = await expect
      .poll(() => readFileSync(path, 'utf8'))
      .toBe(wanted)
      .then(
        () => true,
        () => false,
      )
    if (!isWritten) losses.files.push(`${name}: kept as ${JSON.stringify(readFileSync(path, 'utf8'))}`)
  }
}
