import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { type Page, chromium } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { findChromium } from '../scripts/chromium.mjs'
import { type Row, quantile, rowOf } from './row'
import type {} from './editor-page/page'

const repository = process.cwd()
const folder = join(repository, '.cache', 'bench', 'editor-page')
const bytes = 10 * 1024 * 1024
/** So many turns of each kind, and keys in a turn; the first turn warms up and is not counted. */
const turns = 9
const keys = 60
const kinds = ['ours', 'plain'] as const
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/**
 * A key pressed in a file of 10 MB, from its event to the painted frame: in the app's editor, which tells the host of
 * it, and in CodeMirror with line numbers, history and drawn selection. The two take turns in one page.
 */
export async function run(): Promise<Row[]> {
  await build({
    root: join(repository, 'bench', 'editor-page'),
    configFile: false,
    plugins: [react()],
    logLevel: 'warn',
    base: './',
    build: { outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: 4000 },
  })
  const server = await serve()
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
    page.on('pageerror', (error) => console.error(error))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`)
    const drawn = await page.evaluate((size) => window.editorBench.prepare(size), bytes)
    if (drawn < 500) throw new Error('the editor shows no text')
    const samples = { ours: [] as number[], plain: [] as number[] }
    for (let turn = 0; turn < turns; turn++) {
      for (const kind of turn % 2 === 0 ? kinds : kinds.toReversed()) {
        const times = await type(page, kind)
        if (turn > 0) samples[kind].push(...times)
      }
    }
    const row = (name: string, share: number, target: Row['target']) =>
      rowOf({
        name: `key to painted in 10 MB, ${name}`,
        ours: quantile(samples.ours, share),
        limit: quantile(samples.plain, share),
        target: target ?? null,
      })
    return [row('p50', 0.5, null), row('p99', 0.99, { most: 1.3 })]
  } finally {
    await browser.close()
    server.close()
    server.closeAllConnections()
  }
}

async function type(page: Page, kind: (typeof kinds)[number]): Promise<number[]> {
  await page.evaluate((wanted) => window.editorBench.show(wanted), kind)
  await page.evaluate(() => window.editorBench.taken())
  for (let key = 0; key < keys; key++) await page.keyboard.press('abcdefgh '[key % 9] ?? 'a')
  const times = await page.evaluate(() => window.editorBench.taken())
  if (times.length !== keys) throw new Error(`${times.length} of ${keys} keys were seen`)
  return times
}

async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    readFile(join(folder, path.replaceAll('..', ''))).then(
      (body) => {
        response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        response.end(body)
      },
      () => {
        response.writeHead(204)
        response.end()
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
