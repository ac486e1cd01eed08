import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
import { type WebSocket, WebSocketServer } from 'ws'
import { launchChromium } from './chromium'
import { endHost, readReady, startHost } from './measured-host'
import { messages, paragraph, sayAll, stream, type Streamed } from './paced-stream'
import { type Row, quantile, rowOf } from './row'
import { byWebSocket, SdkStreamPeer } from './sdk-stream-peer'
import { streamCost, threadsTime } from './stream-cost'

const rounds = 3
/** A stream lasts so long, and idle conversations are looked at so long, in milliseconds. */
const streamed = 5000
const idle = 10_000
/** A frame of a screen that draws 60 a second, in milliseconds. */
const frame = 1000 / 60
const keys = 40

interface Ready {
  url: string
  sdk: { tokenFile: string }
}

/** What takes the pieces of a stream, ours or bare. */
interface Taker extends Streamed {
  page: Page
}

/**
 * What a model writes, on its whole way: from a program that connects by WebSocket through the host to the painted page,
 * with 10,000 messages in the conversation, beside a socket straight into a bare page with the same text. The same stream
 * while the person types, the processor time of the host beside a process that hears the same and only parses it, by
 * WebSocket and from a program of the host's own, and that of ten conversations in which nothing happens.
 */
export const parts: Record<string, () => Promise<Row[]>> = {
  painted: () => inBrowser(paintedRows),
  webSocket: () => inBrowser((browser) => streamCost(browser, 'WebSocket')),
  stdio: () => inBrowser((browser) => streamCost(browser, 'stdio')),
  idle: () => inBrowser(idleRows),
}

async function inBrowser(measure: (browser: Browser) => Promise<Row[]>): Promise<Row[]> {
  const browser = await launchChromium()
  try {
    return await measure(browser)
  } finally {
    await browser.close()
  }
}

async function paintedRows(browser: Browser): Promise<Row[]> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-')))
  const project = join(home, 'project')
  await mkdir(project)
  const host = startHost(home, project, join(home, 'data'))
  try {
    const { url, sdk } = await readReady<Ready>(host)
    const address = readFileSync(sdk.tokenFile, 'utf8').trim()
    const peer = new SdkStreamPeer('bench', await byWebSocket(address))
    const ours: Taker = {
      page: await openOurs(browser, url, peer, project),
      open: () => peer.open(),
      piece: (text) => peer.piece(text),
      end: () => peer.end(),
    }
    const bare = await openBare(browser)
    const painted = { ours: [] as number[], bare: [] as number[] }
    const typed = { ours: [] as number[], bare: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      await bare.page.bringToFront()
      painted.bare.push(...(await paint(bare)))
      typed.bare.push(...(await type(bare, bare.page.locator('textarea'))))
      await ours.page.bringToFront()
      painted.ours.push(...(await paint(ours)))
      typed.ours.push(...(await type(ours, ours.page.getByRole('textbox', { name: 'Message', exact: true }))))
    }
    peer.close()
    await ours.page.close()
    await bare.page.close()
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
    ]
  } finally {
    await endHost(host)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The app's page on a conversation of 10,000 messages, all of them drawn that are in sight. */
async function openOurs(browser: Browser, url: string, peer: SdkStreamPeer, folder: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  await page.goto(url)
  await page.getByRole('tab', { name: /^Claude/ }).click()
  await sayAll(peer, page, folder)
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

/** From each piece's sending to the frame that shows it, in milliseconds. */
async function paint(taker: Taker): Promise<number[]> {
  await taker.page.evaluate(() => (window.pieces.painted = []))
  const sent = await stream(taker, streamed)
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
async function idleRows(browser: Browser): Promise<Row[]> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-')))
  const project = join(home, 'project')
  await mkdir(project)
  const host = startHost(home, project, join(home, 'data'))
  try {
    const { url, sdk } = await readReady<Ready>(host)
    const address = readFileSync(sdk.tokenFile, 'utf8').trim()
    const peers: SdkStreamPeer[] = []
    for (let count = 0; count < 10; count++) {
      const peer = new SdkStreamPeer(`idle${count}`, await byWebSocket(address))
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
    const before = threadsTime(host.pid)
    await new Promise((resolve) => setTimeout(resolve, idle))
    const share = (threadsTime(host.pid) - before) / idle
    for (const peer of peers) peer.close()
    await page.close()
    return [
      rowOf({
        name: 'host, ten idle conversations, percent of a core',
        ours: share * 100,
        limit: 1,
        unit: '%',
        target: { most: 1 },
      }),
    ]
  } finally {
    await endHost(host)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

declare global {
  interface Window {
    pieces: { last: number; painted: [number, number][]; keys: number[] }
  }
}
