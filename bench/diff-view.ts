import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { type Page, chromium } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { findChromium } from '../scripts/chromium.mjs'
import { type Row, quantile, rowOf } from './row'
import type {} from './diff-view-page/page'

const repository = process.cwd()
const folder = join(repository, '.cache', 'bench', 'diff-view-page')
const sizes = [1_000, 10_000, 50_000, 100_000]
const rounds = 7
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/**
 * Opening a review in Chromium, from the host's message to the painted frame: beside CodeMirror's merge view with the
 * same changes given, and beside CodeMirror alone with the same text. The kinds take turns in one page.
 */
export async function run(): Promise<Row[]> {
  await build({
    root: join(repository, 'bench', 'diff-view-page'),
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
    args: ['--js-flags=--expose-gc', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
    page.on('pageerror', (error) => console.error(error))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`)
    const rows: Row[] = []
    for (const layout of ['unified', 'side-by-side'] as const) {
      // Compiles what the comparisons run; two rounds left the first of them half compiled.
      await compare(page, 1_000, layout)
      for (const lines of sizes) rows.push(...(await compare(page, lines, layout)))
    }
    return rows
  } finally {
    await browser.close()
    server.close()
    server.closeAllConnections()
  }
}

async function compare(page: Page, lines: number, layout: 'unified' | 'side-by-side'): Promise<Row[]> {
  await page.evaluate(([count, how]) => window.diffView.prepare(count, how), [lines, layout] as const)
  if ((await page.evaluate(() => window.diffView.check())) < 500) throw new Error('the review shows no text')
  const kinds = ['ours', 'merge', 'firstText', 'plain'] as const
  const samples = {
    ours: [] as number[],
    merge: [] as number[],
    firstText: [] as number[],
    plain: [] as number[],
  }
  // The first two rounds warm the compiler and are not counted.
  for (let round = -2; round < rounds; round++) {
    for (let turn = 0; turn < kinds.length; turn++) {
      const kind = kinds[(turn + round + kinds.length) % kinds.length] ?? 'ours'
      const time = await page.evaluate((name) => window.diffView[name](), kind)
      if (round >= 0) samples[kind].push(time)
    }
  }
  const median = (kind: (typeof kinds)[number]) => quantile(samples[kind], 0.5)
  const name = `${lines} lines, ${layout}`
  const rows = [
    // All that can be seen is drawn in the first frame; what lies below the window may follow.
    rowOf({
      name: `${name}: open to painted, beside merge`,
      ours: median('firstText'),
      limit: median('merge'),
      target: { most: 1.5 },
    }),
    rowOf({
      name: `${name}: open to painted whole, beside merge`,
      ours: median('ours'),
      limit: median('merge'),
      target: { most: 1.5 },
    }),
  ]
  if (layout === 'unified') {
    rows.push(
      rowOf({
        name: `${name}: open to first text, beside plain text`,
        ours: median('firstText'),
        limit: median('plain'),
        target: { most: 1.3 },
      }),
    )
  }
  return rows
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
