import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { writeSession } from '../test/session-files'
import { openBareView } from './bare-view'
import { launchChromium } from './chromium'
import { endHost, readUrl, residentMemory, startHost } from './measured-host'
import { type Row, quantile, rowOf } from './row'

const sizes = [1_000, 10_000, 100_000]
const opens = 9
const appends = 25
const followed = 20
/** Of the host, while nothing happens; in milliseconds. */
const idleTime = 30_000
/** So many times two seconds the end of other work is waited for, */
const mostLooks = 60
/** which takes no more than so many milliseconds of two seconds. */
const atRest = 40
const frameCount = 3_000

/** GREENLIGHT_BENCH_PARTS=scroll,idle measures these alone, for a try: memory, open, append, scroll, idle. */
const parts = process.env['GREENLIGHT_BENCH_PARTS']?.split(',')
const isWanted = (part: string) => parts === undefined || parts.includes(part)

/** A session file of so many messages. */
interface Measured {
  messages: number
  path: string
  title: string
}

/**
 * The conversation view as a person has it, in Chromium on the headless host, with sessions of 1,000, 10,000 and 100,000
 * messages: opened, appended to, held, scrolled. The limit of an append is a bare watch, socket and paragraph.
 */
export async function run(): Promise<Row[]> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-bench-')))
  const browser = await launchChromium()
  try {
    const project = join(base, 'project')
    const folder = join(base, 'claude', 'projects', project.replaceAll(/[^a-zA-Z0-9]/g, '-'))
    mkdirSync(project)
    mkdirSync(folder, { recursive: true })
    const all: Measured[] = []
    for (const messages of sizes) all.push(await makeSession(folder, project, messages))
    const rows: Row[] = []
    const memory: number[] = []
    for (const session of isWanted('memory') ? [all[0], all.at(-1)] : []) {
      if (session)
        memory.push(await withApp(browser, base, (page, host) => measureMemory(page, host, session)))
    }
    if (isWanted('memory'))
      rows.push(
        rowOf({
          name: 'host memory with 100,000 messages open, beside 1,000',
          ours: memory[1] ?? Number.NaN,
          limit: memory[0] ?? Number.NaN,
          unit: 'MB',
          target: { most: 1.5 },
        }),
      )
    if (isWanted('open')) rows.push(...(await withApp(browser, base, (page) => measureOpening(page, all))))
    if (isWanted('append'))
      rows.push(...(await withApp(browser, base, (page) => measureAppending(browser, page, all))))
    const longest = all.at(-1)
    if (longest && isWanted('scroll'))
      rows.push(
        ...(await withApp(browser, base, (page, host) => measureScrolling(browser, page, host, longest))),
      )
    if (!isWanted('idle')) return rows
    for (let index = all.length; index < followed; index++) all.push(await makeSession(folder, project, 200))
    rows.push(await withApp(browser, base, (page, host) => measureIdle(page, host, all)))
    return rows
  } finally {
    await browser.close()
    rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function makeSession(folder: string, project: string, messages: number): Promise<Measured> {
  const sessionId = randomUUID()
  const path = join(folder, `${sessionId}.jsonl`)
  const title = `Measured ${messages} ${sessionId.slice(0, 8)}`
  await writeSession(path, { messages, sessionId, folder: project })
  appendFileSync(path, `${JSON.stringify({ type: 'custom-title', customTitle: title, sessionId })}\n`)
  return { messages, path, title }
}

/** A fresh app, its page open at the list of sessions. */
async function withApp<T>(
  browser: Browser,
  base: string,
  measure: (page: Page, host: ChildProcess) => Promise<T>,
): Promise<T> {
  const host = startHost(base, join(base, 'project'), join(base, `data-${randomUUID()}`))
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto(await readUrl(host))
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
    await page.getByRole('list', { name: 'Sessions' }).waitFor()
    return await measure(page, host)
  } finally {
    await context.close()
    await endHost(host)
  }
}

const rowIn = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Sessions' }).getByRole('button', { name: title, exact: true })

/** From the click on a session in the list until its conversation stands at its end, in milliseconds. */
async function openOnce(page: Page, { title }: Measured): Promise<number> {
  return rowIn(page, title).evaluate((button: HTMLElement) => {
    const start = performance.now()
    button.click()
    return new Promise<number>((resolve) => {
      const look = () => {
        const log = [...document.querySelectorAll<HTMLElement>('[role="log"]')].find((one) =>
          one.checkVisibility(),
        )
        const isThere =
          log?.querySelector('[data-index]') && log.scrollHeight - log.scrollTop - log.clientHeight < 4
        if (isThere) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  })
}

async function closeTab(page: Page): Promise<void> {
  await page.getByRole('tab', { selected: true }).first().click({ button: 'middle' })
  await page.getByRole('log', { name: 'Conversation' }).waitFor({ state: 'detached' })
}

async function measureOpening(page: Page, all: readonly Measured[]): Promise<Row[]> {
  const times = all.map((): number[] => [])
  // The first round loads the view's code.
  for (let round = 0; round <= opens; round++) {
    for (const [index, session] of all.entries()) {
      const time = await openOnce(page, session)
      if (round > 0) times[index]?.push(time)
      await closeTab(page)
    }
  }
  const [small = Number.NaN, middle = Number.NaN, large = Number.NaN] = times.map((each) =>
    quantile(each, 0.5),
  )
  return [
    rowOf({ name: 'open 10,000 messages, beside 1,000', ours: middle, limit: small, target: { most: 1.2 } }),
    rowOf({ name: 'open 100,000 messages, beside 1,000', ours: large, limit: small, target: { most: 1.2 } }),
  ]
}

/** Writes a line to a session, and waits until a page shows it. In milliseconds, by the clock of this machine. */
async function appendOnce(page: Page, path: string, room: string): Promise<number> {
  const word = `said-${randomUUID()}`
  const painted = page.evaluate(
    ({ word, room }) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const all = document.querySelectorAll<HTMLElement>(room)
          const isThere = [...all].some((one) => one.checkVisibility() && one.textContent.includes(word))
          if (isThere) resolve(performance.timeOrigin + performance.now())
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    { word, room },
  )
  // What is asked of the page is under way first.
  await page.evaluate(() => undefined)
  const message = { role: 'user', content: `${word} ${'more '.repeat(40)}` }
  const start = performance.timeOrigin + performance.now()
  appendFileSync(
    path,
    `${JSON.stringify({ type: 'user', uuid: randomUUID(), parentUuid: lastUuid(path), message, timestamp: new Date().toISOString() })}\n`,
  )
  return (await painted) - start
}

/** The newest record's id, so that what is said follows it. */
function lastUuid(path: string): string | null {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const tail = Buffer.alloc(Math.min(size, 64 * 1024))
    readSync(file, tail, 0, tail.length, size - tail.length)
    return [...tail.toString('utf8').matchAll(/"uuid":"([^"]+)"/g)].at(-1)?.[1] ?? null
  } finally {
    closeSync(file)
  }
}

async function measureAppending(browser: Browser, page: Page, all: readonly Measured[]): Promise<Row[]> {
  const rows: Row[] = []
  const medians: number[] = []
  for (const session of all) {
    await openOnce(page, session)
    const bare = await openBareView(browser, session.path)
    const [ours, limit]: number[][] = [[], []]
    for (let round = 0; round <= appends; round++) {
      const one = await appendOnce(page, session.path, '[role="log"]')
      const other = await appendOnce(bare.page, session.path, '#room')
      if (round === 0) continue
      ours?.push(one)
      limit?.push(other)
    }
    await bare.close()
    await closeTab(page)
    const median = quantile(ours ?? [], 0.5)
    medians.push(median)
    rows.push(
      rowOf({
        name: `${session.messages.toLocaleString('en-US')} messages: appended → painted (p50)`,
        ours: median,
        limit: quantile(limit ?? [], 0.5),
        target: { most: 3 },
      }),
    )
  }
  const [small = Number.NaN, , large = Number.NaN] = medians
  rows.push(
    rowOf({ name: 'appended to 100,000, beside 1,000', ours: large, limit: small, target: { most: 1.2 } }),
  )
  return rows
}

/** Resident memory of the host with one session open, in MB. */
async function measureMemory(page: Page, host: ChildProcess, session: Measured): Promise<number> {
  await openOnce(page, session)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 3000)))
  return residentMemory(host.pid)
}

/**
 * How much of a core the host takes with sessions followed in tabs, while nothing is written: what its threads have
 * computed in half a minute, as the system counts it in nanoseconds. A tenth of that time in hundredths of a second, as
 * it was measured before, was wrong by a tenth of the target with each tick.
 */
async function measureIdle(page: Page, host: ChildProcess, all: readonly Measured[]): Promise<Row> {
  for (const session of all) await openOnce(page, session)
  await rested(page, host)
  const before = threadTimes(host.pid)
  await rest(page, idleTime)
  const share = (timeSince(before, host.pid) / idleTime) * 100
  return rowOf({
    name: `idle with ${all.length} sessions followed`,
    ours: share,
    limit: 1,
    unit: '% of a core',
    target: { most: 1 },
  })
}

function rest(page: Page, time: number): Promise<unknown> {
  return page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), time)
}

/** Settles when the host has nothing more to do. */
async function rested(page: Page, host: ChildProcess): Promise<void> {
  for (let look = 0; look < mostLooks; look++) {
    const before = threadTimes(host.pid)
    await rest(page, 2000)
    if (timeSince(before, host.pid) < atRest) return
  }
}

/** What each thread of a process has computed, in milliseconds. Linux alone tells. */
function threadTimes(pid: number | undefined): Map<string, number> {
  const folder = `/proc/${pid}/task`
  return new Map(
    readdirSync(folder).map((thread) => {
      const [nanoseconds] = readFileSync(join(folder, thread, 'schedstat'), 'utf8').split(' ')
      return [thread, Number(nanoseconds) / 1e6]
    }),
  )
}

function timeSince(before: ReadonlyMap<string, number>, pid: number | undefined): number {
  let sum = 0
  for (const [thread, time] of threadTimes(pid)) sum += time - (before.get(thread) ?? 0)
  return sum
}

/** How far each frame scrolls, in pixels: as one reads, where diffs are drawn as they come, and as one skims. */
const steps = { 'at reading pace': 12, skimming: 120 } as const

/**
 * Wheels up through the longest session, and through an empty page of the same height. A frame is as long as the time
 * until the next one: from one frame's time to the next one's, as the browser gives it to its callbacks. When the
 * callback itself runs moves by some milliseconds within a frame that is shown in time, on an empty page too; it stands
 * in a row of its own. A frame counts as late where it is longer than one in a hundred of the empty page's.
 */
async function measureScrolling(
  browser: Browser,
  page: Page,
  host: ChildProcess,
  session: Measured,
): Promise<Row[]> {
  await openOnce(page, session)
  await rested(page, host)
  const empty = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  await empty.setContent(
    '<div role="log" style="height: 700px; overflow: auto"><div style="height: 9000000px"></div></div>',
  )
  await empty.evaluate(() => document.querySelector('[role="log"]')?.scrollTo(0, 9_000_000))
  const rows: Row[] = []
  for (const [pace, step] of Object.entries(steps)) {
    const ours: Scrolled = { frames: [], callbacks: [] }
    const limit: Scrolled = { frames: [], callbacks: [] }
    for (let part = 0; part < 6; part++) {
      for (const [room, all] of [[page, ours] as const, [empty, limit] as const]) {
        const { frames, callbacks } = await scroll(room, frameCount / 6, step)
        all.frames.push(...frames)
        all.callbacks.push(...callbacks)
      }
    }
    // Frame times are rounded.
    const late = quantile(limit.frames, 0.99) + 0.5
    const lateIn = ({ frames }: Scrolled) =>
      (frames.filter((time) => time > late).length / frames.length) * 1000
    rows.push(
      rowOf({
        name: `scrolling 100,000 ${pace}: late frames in 1,000, beside the ten that an empty page may have`,
        ours: lateIn(ours),
        limit: 10,
        unit: '',
        target: { most: 1 },
      }),
      rowOf({
        name: `scrolling 100,000 ${pace}: longest frame`,
        ours: Math.max(...ours.frames),
        limit: Math.max(...limit.frames),
      }),
      rowOf({
        name: `scrolling 100,000 ${pace}: from callback to callback (p99)`,
        ours: quantile(ours.callbacks, 0.99),
        limit: quantile(limit.callbacks, 0.99),
      }),
    )
  }
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  await empty.close()
  return [
    rowOf({ name: 'elements of the page', ours: nodes, limit: 5000, unit: '', target: { most: 1 } }),
    ...rows,
  ]
}

/** In milliseconds: from frame to frame, and between the callbacks in them. */
interface Scrolled {
  frames: number[]
  callbacks: number[]
}

/** Moves the visible log up by some pixels in each frame. */
function scroll(page: Page, count: number, step: number): Promise<Scrolled> {
  return page.evaluate(
    ([count, pixels]) =>
      new Promise<Scrolled>((resolve) => {
        const log = [...document.querySelectorAll<HTMLElement>('[role="log"]')].find((one) =>
          one.checkVisibility(),
        )
        const scrolled: Scrolled = { frames: [], callbacks: [] }
        let before = { frame: Number.NaN, callback: Number.NaN }
        const step = (frame: number) => {
          const callback = performance.now()
          if (!Number.isNaN(before.frame)) {
            scrolled.frames.push(frame - before.frame)
            scrolled.callbacks.push(callback - before.callback)
          }
          before = { frame, callback }
          if (scrolled.frames.length === count) return resolve(scrolled)
          log?.scrollBy(0, -pixels)
          requestAnimationFrame(step)
        }
        requestAnimationFrame(step)
      }),
    [count, step] as const,
  )
}
