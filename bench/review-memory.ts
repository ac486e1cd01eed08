import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import WebSocket from 'ws'
import { launchChromium } from './chromium'
import { endHost, readReady, residentMemory, startHost } from './measured-host'
import { type Row, rowOf } from './row'

const reviews = 20
const lines = 2_000

interface Ready {
  url: string
  pid: number
  claudeIde: { port: number; lockFiles: string[] }
}

/**
 * Memory with 20 reviews open, each a file of 2,000 lines with a tenth of them changed and each looked at once: of the
 * host and of the page, beside the same app with the same window and no review. Told, without a target.
 */
export async function run(): Promise<Row[]> {
  const base = mkdtempSync(join(tmpdir(), 'greenlight-bench-'))
  const project = join(base, 'project')
  mkdirSync(project)
  const browser = await launchChromium()
  const host = startHost(base, project, join(base, 'data'))
  let socket: WebSocket | null = null
  try {
    const ready = await readReady<Ready>(host)
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
    await page.goto(ready.url)
    await page.getByRole('tree', { name: 'Files' }).waitFor()
    const empty = { host: residentMemory(ready.pid), page: await pageMemory(page) }
    socket = await connect(ready)
    for (let index = 0; index < reviews; index++) {
      const path = join(project, `file-${String(index).padStart(2, '0')}.ts`)
      writeFileSync(path, textOf(false))
      propose(socket, index + 1, path, textOf(true))
    }
    const list = page.getByRole('list', { name: 'Pending reviews' })
    await page
      .getByRole('button', { name: /^Reviews/ })
      .first()
      .click()
    for (let index = 0; index < reviews; index++) {
      const name = `file-${String(index).padStart(2, '0')}.ts`
      await list
        .getByRole('listitem', { name: `${name}, Claude` })
        .getByRole('button')
        .first()
        .click()
      const region = page.getByRole('region', { name: `Review: ${join(project, name)}` })
      await region.getByRole('button', { name: 'Accept change 1', exact: true }).waitFor()
    }
    const full = { host: residentMemory(ready.pid), page: await pageMemory(page) }
    const row = (name: string, ours: number, limit: number) =>
      rowOf({ name, ours, limit, target: null, unit: 'MB' })
    return [
      row(`host with ${reviews} reviews open, beside none`, full.host, empty.host),
      row(`page heap with ${reviews} reviews open, beside none`, full.page, empty.page),
    ]
  } finally {
    socket?.terminate()
    await browser.close()
    await endHost(host)
    rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  }
}

function textOf(changed: boolean): string {
  return Array.from({ length: lines }, (_line, index) => {
    const word = changed && index % 100 < 10 ? 'changed' : 'plain'
    return `export const ${word}${index} = ${index} // a line of an ordinary length\n`
  }).join('')
}

async function connect({ claudeIde }: Ready): Promise<WebSocket> {
  const lock = JSON.parse(readFileSync(claudeIde.lockFiles[0] ?? '', 'utf8')) as { authToken: string }
  const socket = new WebSocket(`ws://127.0.0.1:${claudeIde.port}/`, ['mcp'], {
    headers: { 'x-claude-code-ide-authorization': lock.authToken },
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '2.1.330' },
  }
  const answered = new Promise((resolve) => socket.once('message', resolve))
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }))
  await answered
  return socket
}

function propose(socket: WebSocket, id: number, path: string, text: string): void {
  const args = { old_file_path: path, new_file_path: path, new_file_contents: text, tab_name: `diff ${id}` }
  const params = { name: 'openDiff', arguments: args }
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }))
}

/** What the page's script holds after a collection, in MB. */
async function pageMemory(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1024 / 1024
}
