import { spawn } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, open, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { findRipgrep } from '../src/main/core/platform/ripgrep'
import type { SessionSummary } from '../src/shared/contract/sessions'
import { openWindowOn, pageOf, startPlainApp } from '../test/plain-app'
import { writeSession } from '../test/session-files'
import { launchChromium } from './chromium'
import { endHost, readUrl, startHost } from './measured-host'
import { type Row, quantile, rowOf } from './row'

/** Some 600 KB each; fewer for a try. */
const sessions = Number(process.env['GREENLIGHT_BENCH_SESSIONS'] ?? 500)
const messages = 250
const searches = 15
const starts = 7
/** A start is over after so many milliseconds. */
const startOver = 1000
/** So many rows are in sight at first. */
const rowsInSight = 20
/** GREENLIGHT_BENCH_PARTS=list measures that alone, for a try. */
const parts = (process.env['GREENLIGHT_BENCH_PARTS'] ?? 'search,tell,list').split(',')
/** Words that stand in one session of so many: the newest ones hold them soon, or late. */
const words = [
  { typed: 'contactor', every: 20, of: 'one session in 20' },
  { typed: 'thermocouple', every: Math.ceil(sessions / 2), of: 'the session in the middle only' },
  { typed: '"loose contactor" screws', every: 20, of: 'several words, one session in 20' },
]

/**
 * 500 sessions with 265 MB in all: from the page's word to the first hits, beside ripgrep over the same files, the newest
 * first; the list told after a start, beside reading begin and end of each file; the figures of the rows in sight, beside
 * reading and parsing their files; and pressed until painted, beside a bare page that has fetched the list before, as ours
 * has, and paints as many lines.
 */
export async function run(): Promise<Row[]> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-sessions-')))
  const project = join(home, 'project')
  await mkdir(project)
  await writeFile(join(project, 'file.ts'), '')
  await write(home, project)
  try {
    const rows = await measureSearches(home, project)
    const telling = parts.includes('tell') ? await measureTelling(home, project) : []
    const list = parts.includes('list') ? [await measureList(home, project)] : []
    return [...rows, ...telling, ...list]
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Writes all sessions, the newest first. */
async function write(home: string, project: string): Promise<void> {
  const folder = join(home, '.claude', 'projects', '-project')
  await mkdir(folder, { recursive: true })
  for (let at = 0; at < sessions; at++) {
    const id = `session-${at}`
    const path = join(folder, `${id}.jsonl`)
    const time = Date.now() - at * 3_600_000
    await writeSession(path, { messages, seed: at + 1, folder: project, startedAt: time - 1_800_000 })
    const found = words.flatMap(({ typed, every }) =>
      at % every === every - 1 ? typed.replaceAll('"', '') : [],
    )
    const line = { type: 'user', uuid: `last-${at}`, timestamp: new Date(time).toISOString(), cwd: project }
    const content = `And what of it? ${found.join(' ')}`
    await appendFile(path, `${JSON.stringify({ ...line, message: { role: 'user', content } })}\n`)
    await utimes(path, new Date(time), new Date(time))
  }
}

async function measureSearches(home: string, project: string): Promise<Row[]> {
  const app = await startPlainApp(home)
  try {
    const page = pageOf(await openWindowOn(app, project))
    await told(page, (all) => all.length === sessions)
    const folder = join(home, '.claude', 'projects', '-project')
    const program = findRipgrep(process.env)
    if (program === null) throw new Error('ripgrep is missing: run npm ci')
    const rows: Row[] = []
    for (const { typed, of } of parts.includes('search') ? words : []) {
      const ours: number[] = []
      const bare: number[] = []
      for (let round = 0; round <= searches; round++) {
        const limit = await searchByRipgrep(program, folder, typed)
        const first = await searchHere(page, typed)
        if (round === 0) continue
        ours.push(first)
        bare.push(limit)
      }
      const limit = quantile(bare, 0.5)
      const name = `first hits: ${of}, beside ripgrep over the same files`
      rows.push(rowOf({ name, ours: quantile(ours, 0.5), limit, target: { most: 1.5 } }))
    }
    return rows
  } finally {
    await app.shutdown()
  }
}

type BarePage = ReturnType<typeof pageOf>

/** Gives the sessions when they are told as wanted. */
function told(
  page: BarePage,
  isWanted: (all: readonly SessionSummary[]) => boolean,
): Promise<SessionSummary[]> {
  return new Promise((resolve) => {
    const known = new Map<string, SessionSummary>()
    const following = page.subscribe(
      'sessions',
      {},
      {
        snapshot: () => undefined,
        delta({ put = [] }) {
          for (const one of put) known.set(one.id, one)
          if (!isWanted([...known.values()])) return
          following.dispose()
          resolve([...known.values()])
        },
      },
    )
  })
}

function searchHere(page: BarePage, text: string): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now()
    const following = page.subscribe(
      'sessionSearch',
      { text },
      {
        snapshot: () => undefined,
        delta({ found }) {
          if (found.length === 0) return
          following.dispose()
          resolve(performance.now() - start)
        },
      },
    )
  })
}

/** Until ripgrep says its first hit; of words in quotes the first, of several the rarest. In milliseconds. */
function searchByRipgrep(program: string, folder: string, typed: string): Promise<number> {
  const text = /"([^"]+)"/.exec(typed)?.[1] ?? typed
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const args = [
      '--ignore-case',
      '--fixed-strings',
      '--sortr',
      'modified',
      '--glob',
      '*.jsonl',
      '--',
      text,
      folder,
    ]
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.once('data', () => {
      resolve(performance.now() - start)
      child.kill()
    })
    child.once('error', reject)
  })
}

/** In a host that was just started, from the page's word: all sessions told, and then the figures of those in sight. */
async function measureTelling(home: string, project: string): Promise<Row[]> {
  const folder = join(home, '.claude', 'projects', '-project')
  const pathOf = (at: number) => join(folder, `session-${at}.jsonl`)
  const seen = Array.from({ length: rowsInSight }, (_, at) => `session-${at}`)
  const [listing, bareListing, counting, bareCounting]: number[][] = [[], [], [], []]
  for (let round = 0; round <= starts; round++) {
    const times = [performance.now()]
    const lap = () => times.push(performance.now())
    for (let at = 0; at < sessions; at++) await readEnds(pathOf(at))
    lap()
    for (let at = 0; at < rowsInSight; at++) {
      for (const line of (await readFile(pathOf(at), 'utf8')).trimEnd().split('\n')) JSON.parse(line)
    }
    lap()
    const app = await startPlainApp(home)
    const page = pageOf(await openWindowOn(app, project))
    lap()
    await told(page, (all) => all.length === sessions)
    lap()
    const counted = told(page, (all) => all.filter(({ messages }) => messages !== null).length >= rowsInSight)
    await page.call('sessions.count', { ids: seen })
    await counted
    lap()
    await app.shutdown()
    if (round === 0) continue
    const took = (step: number) => (times[step + 1] ?? 0) - (times[step] ?? 0)
    for (const [step, into] of [bareListing, bareCounting, null, listing, counting].entries()) {
      into?.push(took(step))
    }
  }
  const row = (name: string, ours: number[] = [], limit: number[] = []) =>
    rowOf({ name, ours: quantile(ours, 0.5), limit: quantile(limit, 0.5) })
  return [
    row(
      `${sessions} sessions told after a start, beside reading begin and end of each`,
      listing,
      bareListing,
    ),
    row(
      `figures of ${rowsInSight} rows told, beside reading and parsing their files`,
      counting,
      bareCounting,
    ),
  ]
}

/** The first 32 and the last 64 KB of a file. */
async function readEnds(path: string): Promise<void> {
  const file = await open(path)
  const { size } = await file.stat()
  await file.read(Buffer.allocUnsafe(32 * 1024), 0, 32 * 1024, 0)
  await file.read(Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, Math.max(0, size - 64 * 1024))
  await file.close()
}

/**
 * From the press that shows the list to its first lines painted. The page asks for the list when it opens, so a start is
 * given a moment to be over.
 */
async function measureList(home: string, project: string): Promise<Row> {
  const app = await startPlainApp(home)
  const page = pageOf(await openWindowOn(app, project))
  const list = JSON.stringify(await told(page, (all) => all.length === sessions))
  await app.shutdown()
  const browser = await launchChromium()
  const bare = await serveBarePage(list)
  try {
    const ours: number[] = []
    const limit: number[] = []
    for (let round = 0; round <= starts; round++) {
      const without = await paintBare(browser, bare.url)
      const within = await paintList(browser, home, project)
      if (round === 0) continue
      limit.push(without)
      ours.push(within)
    }
    return rowOf({
      name: `list of ${sessions}: pressed → painted, beside a bare page that is given the list`,
      ours: quantile(ours, 0.5),
      limit: quantile(limit, 0.5),
      target: { most: 2 },
    })
  } finally {
    bare.close()
    await browser.close()
  }
}

async function paintList(browser: Browser, home: string, project: string): Promise<number> {
  // Data of its own: a window opens with the view that it had at its end.
  const data = await mkdtemp(join(home, 'start-'))
  const host = startHost(home, project, data, join(home, '.claude'))
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto(await readUrl(host))
    await page.getByRole('tree', { name: 'Files' }).waitFor()
    const views = page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('button', { name: 'Sessions' }).waitFor()
    await page.waitForTimeout(startOver)
    return await timePress(page, '[aria-label="Views"] [aria-label="Sessions"]', '.session')
  } finally {
    await context.close()
    await endHost(host)
  }
}

async function paintBare(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'networkidle' })
    return await timePress(page, 'button', 'li')
  } finally {
    await context.close()
  }
}

/** From a press to the frame after the first of what it brings. */
function timePress(page: Page, button: string, brought: string): Promise<number> {
  return page.evaluate(
    ([pressed, wanted]) =>
      new Promise<number>((resolve) => {
        const watching = new MutationObserver(() => {
          if (!document.querySelector(wanted)) return
          watching.disconnect()
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
        })
        watching.observe(document.body, { childList: true, subtree: true })
        const start = performance.now()
        document.querySelector<HTMLElement>(pressed)?.click()
      }),
    [button, brought] as const,
  )
}

/** A page that fetches the list, with a button that shows a line for each of its first 50 sessions. */
async function serveBarePage(list: string): Promise<{ url: string; close(): void }> {
  const script = `const fetched = fetch('list').then((answer) => answer.json())
  document.querySelector('button').onclick = async () => {
    const all = document.createElement('ul')
    for (const { id, firstPrompt, branch } of (await fetched).slice(0, 50)) {
      const line = document.createElement('li')
      line.textContent = id + ' ' + firstPrompt + ' ' + branch
      all.append(line)
    }
    document.body.append(all)
  }`
  const html = `<!doctype html><body><button>Sessions</button><script>${script}</script>`
  const server = createServer((request, response) => {
    if (request.url === '/list') response.end(list)
    else response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
