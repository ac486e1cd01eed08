import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
import { type WebSocket, WebSocketServer } from 'ws'
import { launchChromium } from './chromium'
import { endHost, readReady, startHost } from './measured-host'
import { type Row, middleRound, quantile, rowOf } from './row'
import { SdkStreamPeer } from './sdk-stream-peer'
import parserPath from './sdk-stream-parser?modulePath'

const rate = 200
const messages = 10_000
const rounds = 3
/** A stream lasts so long, and idle conversations are looked at so long, in milliseconds. */
const streamed = 5000
const idle = 10_000
/** A frame of a screen that draws 60 a second, in milliseconds. */
const frame = 1000 / 60
const keys = 40
const paragraph = 'Some words of an answer with what else there is to be said of it.\n\n'

interface Ready {
  url: string
  sdk: { tokenFile: string }
}

/** What takes the pieces of a stream, ours or bare. */
interface Taker {
  page: Page
  open(): void
  piece(text: string): void
  end(): void
}

/**
 * What a model writes, on its whole way: from a program that connects by WebSocket through the host to the painted page,
 * with 10,000 messages in the conversation, beside a socket straight into a bare page with the same text. The same stream
 * while the person types, the processor time of the host beside a process that hears the same and only parses it, and that of ten
 * conversations in which nothing happens.
 */
export async function run(): Promise<Row[]> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-')))
  const project = join(home, 'project')
  await mkdir(project)
  const host = startHost(home, project, join(home, 'data'))
  const browser = await launchChromium()
  const parser = await startParser()
  try {
    const { url, sdk } = await readReady<Ready>(host)
    const address = readFileSync(sdk.tokenFile, 'utf8').trim()
    // The parser hears all that the host hears, at the same time: both are as warm, on the same busy machine.
    const peer = await SdkStreamPeer.connect('bench', address, `ws://127.0.0.1:${parser.port}/`)
    const ours: Taker = {
      page: await openOurs(browser, url, peer, project),
      open: () => peer.open(),
      piece: (text) => peer.piece(text),
      end: () => peer.end(),
    }
    const bare = await openBare(browser)
    const painted = { ours: [] as number[], bare: [] as number[] }
    const typed = { ours: [] as number[], bare: [] as number[] }
    const used = { ours: [] as number[], limit: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      await bare.page.bringToFront()
      painted.bare.push(...(await paint(bare)))
      typed.bare.push(...(await type(bare, bare.page.locator('textarea'))))
      await ours.page.bringToFront()
      // What it does anyway, with a page open on a conversation, is no cost of the stream.
      const both = [host.pid, parser.process.pid]
      const rest = await spentIn(both, () => new Promise((resolve) => setTimeout(resolve, streamed)))
      const spent = await spentIn(both, async () => painted.ours.push(...(await paint(ours))))
      const [ofHost = Number.NaN, ofParser = Number.NaN] = spent.map((time, of) => time - (rest[of] ?? 0))
      used.ours.push(ofHost)
      used.limit.push(ofParser)
      typed.ours.push(...(await type(ours, ours.page.getByRole('textbox', { name: 'Message', exact: true }))))
    }
    peer.close()
    const rest = await idleShare(browser)
    const within = (share: number, frames: number) =>
      rowOf({
        name: `delta to painted in 10,000 messages, p${share * 100}, beside a bare page and ${frames} frames`,
        ours: quantile(painted.ours, share),
        limit: quantile(painted.bare, share) + frames * frame,
        target: { most: 1 },
      })
    return [
      within(0.5, 1),
      within(0.99, 3),
      rowOf({
        name: 'key to painted in the composer during a stream, p99',
        ours: quantile(typed.ours, 0.99),
        limit: quantile(typed.bare, 0.99),
        target: { most: 1.3 },
      }),
      rowOf({
        name: `host, processor time of ${streamed / 1000} s of stream, beside parsing it`,
        ...middleRound(used.ours, used.limit),
        target: { most: 1.5 },
      }),
      rowOf({
        name: 'host, ten idle conversations, percent of a core',
        ours: rest * 100,
        limit: 1,
        unit: '%',
        target: { most: 1 },
      }),
    ]
  } finally {
    await browser.close()
    if (parser.process.connected) parser.process.disconnect()
    await endHost(host)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The app's page on a conversation of 10,000 messages, all of them drawn that are in sight. */
async function openOurs(browser: Browser, url: string, peer: SdkStreamPeer, folder: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  await page.goto(url)
  await page.getByRole('tab', { name: /^Claude/ }).click()
  peer.begin(folder)
  for (let count = 0; count < messages; count++) {
    peer.reply(paragraph.repeat(3))
    if (count % 500 === 499) await peer.sent()
  }
  peer.reply('All are here.')
  peer.end()
  await page.getByRole('log').getByText('All are here.').waitFor()
  await watchPieces(page)
  return page
}

/** What was said before is there and not laid out, and the end is scrolled to once a frame: anything less would be slower. */
const bareHtml = `<!doctype html><body style="margin: 0; font: 14px sans-serif">
<style>
  #before { content-visibility: auto; contain-intrinsic-size: auto 1000000px; white-space: pre-wrap }
  #now { contain: content }
</style>
<div id="room" style="height: 700px; overflow: auto"><div id="before"></div><div id="now"></div></div>
<textarea rows="3" style="width: 100%"></textarea>
<script>
const room = document.getElementById('room')
const now = document.getElementById('now')
for (let count = 0; count < ${messages}; count++) {
  const message = document.createElement('div')
  message.textContent = ${JSON.stringify(paragraph.repeat(3))}
  document.getElementById('before').append(message)
}
let last = null
const open = () => now.append((last = document.createElement('p')))
let isComing = false
const scroll = () => {
  isComing = false
  room.scrollTop = room.scrollHeight
}
const socket = new WebSocket('ws://' + location.host)
socket.onmessage = ({ data }) => {
  const piece = JSON.parse(data)
  last.append(piece)
  if (piece.endsWith('\\n\\n')) open()
  if (isComing) return
  isComing = true
  requestAnimationFrame(scroll)
}
open()
scroll()
</script>`

/** As little as can be: a socket, and text appended. */
async function openBare(browser: Browser): Promise<Taker> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(bareHtml)
  })
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  const connected = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const socket = await connected
  await watchPieces(page)
  return {
    page,
    open: () => undefined,
    piece: (text) => socket.send(JSON.stringify(text)),
    end: () => undefined,
  }
}

/** Notes in a page when each piece is painted: after the frame that follows its coming into the document. */
async function watchPieces(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { last: -1, painted: [] as [number, number][], keys: [] as number[] }
    window.pieces = seen
    let isComing = false
    const afterFrame = (then: (upTo: number) => void) =>
      requestAnimationFrame(() => {
        const upTo = seen.last
        const channel = new MessageChannel()
        channel.port1.onmessage = () => then(upTo)
        channel.port2.postMessage(null)
      })
    const note = () => {
      isComing = true
      afterFrame((upTo) => {
        isComing = false
        seen.painted.push([upTo, performance.timeOrigin + performance.now()])
        if (seen.last > upTo) note()
      })
    }
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        for (const node of type === 'characterData' ? [target] : addedNodes) {
          const numbers = (node.textContent ?? '').slice(-300).match(/piece \d+/g)
          if (numbers) seen.last = Math.max(seen.last, Number(numbers.at(-1)?.slice(6)))
        }
      }
      if (!isComing) note()
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
    document.addEventListener(
      'keydown',
      ({ timeStamp }) => afterFrame(() => seen.keys.push(performance.now() - timeStamp)),
      { capture: true },
    )
  })
}

let pieces = 0

/** Streams for a while; gives when each piece was sent, by its number, in milliseconds since the epoch. */
async function stream(
  to: Pick<Taker, 'open' | 'piece' | 'end'>,
  until?: Promise<unknown>,
): Promise<Map<number, number>> {
  const sent = new Map<number, number>()
  const begun = performance.now()
  let isOver = false
  void until?.then(() => (isOver = true))
  to.open()
  while (until ? !isOver : performance.now() - begun < streamed) {
    for (const due = ((performance.now() - begun) / 1000) * rate; sent.size < due;) {
      const number = pieces++
      sent.set(number, performance.timeOrigin + performance.now())
      to.piece(number % 12 === 11 ? `piece ${number}.\n\n` : `piece ${number} `)
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 / rate))
  }
  to.end()
  return sent
}

/** From each piece's sending to the frame that shows it, in milliseconds. */
async function paint(taker: Taker): Promise<number[]> {
  await taker.page.evaluate(() => (window.pieces.painted = []))
  const sent = await stream(taker)
  const last = Math.max(...sent.keys())
  await taker.page.waitForFunction((number) => (window.pieces.painted.at(-1)?.[0] ?? -1) >= number, last)
  const painted = await taker.page.evaluate(() => window.pieces.painted)
  return [...sent].map(([number, at]) => {
    const shown = painted.find(([upTo]) => upTo >= number)
    return (shown?.[1] ?? Number.NaN) - at
  })
}

/** From each key's event to the frame that shows it, during a stream, in milliseconds. */
async function type(taker: Taker, field: Locator): Promise<number[]> {
  const { page } = taker
  await field.focus()
  await page.evaluate(() => (window.pieces.keys = []))
  const typing = (async () => {
    for (let key = 0; key < keys; key++) {
      await page.keyboard.press('abcdefgh '[key % 9] ?? 'a')
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  })()
  await stream(taker, typing)
  const times = await page.evaluate(() => window.pieces.keys)
  await field.fill('')
  if (times.length < keys) throw new Error(`${times.length} of ${keys} keys were seen`)
  return times
}

/** The share of a core that a host with a page takes while ten conversations rest. */
async function idleShare(browser: Browser): Promise<number> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-')))
  const project = join(home, 'project')
  await mkdir(project)
  const host = startHost(home, project, join(home, 'data'))
  try {
    const { url, sdk } = await readReady<Ready>(host)
    const address = readFileSync(sdk.tokenFile, 'utf8').trim()
    const peers: SdkStreamPeer[] = []
    for (let count = 0; count < 10; count++) {
      const peer = await SdkStreamPeer.connect(`idle${count}`, address)
      peer.begin(project)
      peer.reply(paragraph)
      peer.end()
      await peer.sent()
      peers.push(peer)
    }
    const page = await browser.newPage()
    await page.goto(url)
    await page
      .getByRole('tab', { name: /^Claude/ })
      .nth(9)
      .waitFor()
    // What a start still does is over by then.
    await new Promise((resolve) => setTimeout(resolve, 5000))
    const before = processorTime(host.pid)
    await new Promise((resolve) => setTimeout(resolve, idle))
    const share = (processorTime(host.pid) - before) / idle
    for (const peer of peers) peer.close()
    await page.close()
    return share
  } finally {
    await endHost(host)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The processor time that each process spends while something is done, in milliseconds. */
async function spentIn(
  pids: readonly (number | undefined)[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const before = pids.map(processorTime)
  await work()
  return pids.map((pid, index) => processorTime(pid) - (before[index] ?? 0))
}

/** The processor time of all threads of a process, in milliseconds. Linux alone tells. */
function processorTime(pid: number | undefined): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const of = (task: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // It has ended meanwhile.
      return 0
    }
  }
  return tasks.reduce((sum, task) => sum + of(task), 0) / 1_000_000
}

/** A process that parses what comes and does nothing else. */
async function startParser(): Promise<{ process: ChildProcess; port: number }> {
  const child = fork(parserPath, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { process: child, port }
}

declare global {
  interface Window {
    pieces: { last: number; painted: [number, number][]; keys: number[] }
  }
}
