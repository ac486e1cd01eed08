import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Text } from '@codemirror/state'
import type { Browser, Page } from '@playwright/test'
import { type WebSocket, WebSocketServer } from 'ws'
import { Peer } from '../test/claude-ide-peer'
import { diffTexts } from '../src/shared/text/line-diff'
import { openBenchPage } from './bench-page'
import { launchChromium } from './chromium'
import { endHost, readReady, startHost } from './measured-host'
import { type Row, middleRound, rowOf } from './row'
import type {} from './pages/bare-review'

type Layout = 'unified' | 'side-by-side'

/** Lines of a text, how long each is, and how often it is opened. */
const texts = [
  { lines: 1_000, width: 40, rounds: 11 },
  { lines: 10_000, width: 40, rounds: 9 },
  { lines: 50_000, width: 40, rounds: 7 },
  { lines: 100_000, width: 40, rounds: 7 },
  { lines: 100_000, width: 100, rounds: 5 },
]

interface Sample {
  base: string
  proposed: string
}

/**
 * A proposed change from its frame on the agent's socket to the pixel: the built app's host with its disk, diff and
 * journal, and its page in Chromium, beside CodeMirror's merge view that gets the same texts and changes by a bare socket.
 * The two take turns.
 */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const layout of ['unified', 'side-by-side'] as const) rows.push(...(await measureLayout(layout)))
  return rows
}

async function measureLayout(layout: Layout): Promise<Row[]> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-')))
  const folder = join(home, 'project')
  const data = join(home, 'data')
  await mkdir(folder)
  await mkdir(data)
  await writeFile(join(data, 'settings.json'), JSON.stringify({ reviewLayout: layout }))
  // All of it is there before an agent is: what is written later is told as written without asking.
  const samples = texts.map(({ lines, width }) => makeSample(lines, width))
  const pathOf = (kind: number, round: number) => join(folder, `values-${kind}-${round + 1}.ts`)
  for (const [kind, { rounds }] of texts.entries()) {
    for (let round = -1; round < rounds; round++) {
      await writeFile(pathOf(kind, round), samples[kind]?.base ?? '')
    }
  }
  const browser = await launchChromium()
  const bare = await openBare(layout)
  const host = startHost(home, folder, data)
  try {
    const ready = await readReady<{ url: string; claudeIde: { port: number; lockFiles: string[] } }>(host)
    const page = await openApp(browser, ready.url)
    const { port, lockFiles } = ready.claudeIde
    const { authToken } = JSON.parse(readFileSync(lockFiles[0] ?? '', 'utf8')) as { authToken: string }
    const agent = await Peer.connect({ port, token: authToken })
    const rows: Row[] = []
    for (const [kind, { lines, rounds }] of texts.entries()) {
      const sample = samples[kind]
      if (!sample) continue
      const ours: number[] = []
      const limit: number[] = []
      for (let round = -1; round < rounds; round++) {
        const one = await openOurs(page, agent, pathOf(kind, round), sample)
        const other = await bare.open(sample)
        // The first round compiles.
        if (round < 0) continue
        ours.push(one)
        limit.push(other)
      }
      const size = ((sample.proposed.length * 2) / 1e6).toFixed(1)
      rows.push(
        rowOf({
          name: `${lines.toLocaleString('en-US')} lines, both texts ${size} MB, ${layout}: frame on the socket to pixel`,
          ...middleRound(ours, limit),
          target: { most: 2 },
        }),
      )
    }
    agent.dispose()
    return rows
  } finally {
    await browser.close()
    await bare.close()
    await endHost(host)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

function makeSample(lines: number, width: number): Sample {
  const a: string[] = []
  const b: string[] = []
  for (let index = 0; index < lines; index++) {
    const line = `  const value${index} = compute(${(index * 7919) % 10007})`.padEnd(width, '-')
    a.push(line)
    b.push(index % 10 === 9 ? line.replace('const', 'let') : line)
  }
  return { base: `${a.join('\n')}\n`, proposed: `${b.join('\n')}\n` }
}

const now = () => performance.timeOrigin + performance.now()

async function openApp(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  await page.goto(url)
  await page.getByRole('tree', { name: 'Files' }).waitFor()
  return page
}

async function openOurs(page: Page, agent: Peer, path: string, { proposed }: Sample): Promise<number> {
  const painted = page.evaluate(
    (region) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const review = document.querySelector(region)
          const isThere =
            review?.querySelector('.cm-line') && review.querySelector('[aria-label^="Accept change"]')
          if (isThere) setTimeout(() => resolve(performance.timeOrigin + performance.now()))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    `[aria-label="Review: ${path}"]`,
  )
  // What is asked of the page is under way first.
  await page.evaluate(() => undefined)
  const params = {
    name: 'openDiff',
    arguments: { old_file_path: path, new_file_path: path, new_file_contents: proposed, tab_name: path },
  }
  const frame = JSON.stringify({ jsonrpc: '2.0', id: path, method: 'tools/call', params })
  const start = now()
  agent.send(frame)
  const time = (await painted) - start
  await agent.call('close_tab', { tab_name: path })
  await page.getByRole('region', { name: `Review: ${path}` }).waitFor({ state: 'detached' })
  return time
}

interface Bare {
  open(sample: Sample): Promise<number>
  close(): Promise<void>
}

async function openBare(layout: Layout): Promise<Bare> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  await new Promise((resolve) => server.once('listening', resolve))
  const connected = new Promise<WebSocket>((resolve) => server.once('connection', resolve))
  const { page, close } = await openBenchPage('bare-review')
  await page.evaluate(([port, how]) => window.bareReview.connect(port, how), [
    (server.address() as AddressInfo).port,
    layout,
  ] as const)
  const socket = await connected
  return {
    async open({ base, proposed }) {
      const changes = diffTexts(Text.of(base.split('\n')), Text.of(proposed.split('\n')))
      const painted = page.evaluate(() => window.bareReview.painted())
      await page.evaluate(() => undefined)
      const frame = JSON.stringify({ base, proposed, changes })
      const start = now()
      socket.send(frame)
      return (await painted) - start
    },
    async close() {
      await close()
      server.close()
    },
  }
}
