import { type FSWatcher, watch } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from '@playwright/test'
import { type WebSocket, WebSocketServer } from 'ws'

const html = `<!doctype html><body style="font: 14px sans-serif"><div id="room" style="height: 600px; overflow: auto"></div>
<script>
const room = document.getElementById('room')
const socket = new WebSocket('ws://' + location.host)
socket.onmessage = ({ data }) => {
  for (const text of JSON.parse(data)) {
    const line = document.createElement('p')
    line.textContent = text
    room.append(line)
  }
  room.scrollTop = room.scrollHeight
}
</script>`

/** As little as can be between a file and the screen: a watch, a read of what is new, a socket, a paragraph. */
export interface BareView {
  readonly page: Page
  close(): Promise<void>
}

/** Opens a page that shows the tail of a file of JSON lines, and what is written to it from now on. */
export async function openBareView(browser: Browser, path: string): Promise<BareView> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html)
  })
  const sockets = new WebSocketServer({ server })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const file = await open(path, 'r')
  let watching: FSWatcher | null = null
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  const connected = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const socket = await connected
  let at = 0
  const tell = async (from: number) => {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.max(0, size - from))
    at = size
    await file.read(buffer, 0, buffer.length, from)
    const lines = buffer
      .toString('utf8')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
    if (lines.length > 0) socket.send(JSON.stringify(lines.slice(-50).map(wordsOf)))
  }
  const { size } = await file.stat()
  await tell(Math.max(0, size - 256 * 1024))
  let telling = Promise.resolve()
  watching = watch(path, () => {
    telling = telling.then(() => tell(at))
  })
  return {
    page,
    async close() {
      watching.close()
      await telling
      await page.close()
      sockets.close()
      socket.terminate()
      server.close()
      await file.close()
    },
  }
}

function wordsOf(line: string): string {
  const { message } = JSON.parse(line) as { message?: { content?: unknown } }
  return typeof message?.content === 'string' ? message.content : JSON.stringify(message?.content ?? '')
}
