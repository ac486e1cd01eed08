import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { build } from 'vite'
import { launchChromium } from './chromium'
import emptyHost from './start-empty-host?modulePath'
import { endHost, readUrl } from './measured-host'
import { type Row, quantile, rowOf } from './row'

const rounds = 9

/** A start, in milliseconds from the spawn of the host. */
interface Start {
  ready: number
  painted: number
  /** Until the page is of use: our file tree; the same as painted for the empty page. */
  usable: number
}

/**
 * From the start of the process to the first paint, in a browser that runs already: our app beside an empty page on
 * the same page server. Rounds alternate.
 */
export async function run(): Promise<Row[]> {
  const base = mkdtempSync(join(tmpdir(), 'greenlight-bench-'))
  const browser = await launchChromium()
  try {
    const empty = await buildEmptyPage(base)
    const project = join(base, 'project')
    mkdirSync(project)
    for (let index = 0; index < 50; index++) writeFileSync(join(project, `file-${index}.ts`), '')
    const starts = { ours: [] as Start[], limit: [] as Start[] }
    // The first round warms the disk and the browser.
    for (let round = 0; round <= rounds; round++) {
      const limit = await startOnce(browser, base, [emptyHost, empty], isPainted)
      const words = [project, '--headless', '--data-dir', join(base, 'data')]
      const ours = await startOnce(browser, base, [join('out', 'main', 'headless.js'), ...words], hasFiles)
      if (round === 0) continue
      starts.limit.push(limit)
      starts.ours.push(ours)
    }
    const row = (name: string, of: (start: Start) => number, target: { most: number } | null) =>
      rowOf({
        name,
        ours: quantile(starts.ours.map(of), 0.5),
        limit: quantile(starts.limit.map(of), 0.5),
        target,
        unit: 'ms',
      })
    return [
      row('start → first paint (p50)', (start) => start.painted, { most: 1.5 }),
      row('start → ready line', (start) => start.ready, null),
      row('start → files shown, beside the empty page’s paint', (start) => start.usable, null),
    ]
  } finally {
    await browser.close()
    rmSync(base, { recursive: true, force: true })
  }
}

/** A page with one sentence and one script, built as electron-vite builds a page. */
async function buildEmptyPage(base: string): Promise<string> {
  const root = join(base, 'empty')
  mkdirSync(root)
  const html =
    '<!doctype html><html><body><div id="root"></div><script type="module" src="./main.ts"></script></body></html>'
  writeFileSync(join(root, 'index.html'), html)
  writeFileSync(join(root, 'main.ts'), "document.getElementById('root')!.textContent = 'Empty'\n")
  await build({ root, base: './', logLevel: 'error', configFile: false, build: { outDir: 'out' } })
  return join(root, 'out')
}

async function startOnce(
  browser: Browser,
  base: string,
  words: readonly string[],
  isUsable: (page: Page) => Promise<unknown>,
): Promise<Start> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
  const page = await context.newPage()
  const began = Date.now()
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOME: base, CLAUDE_CONFIG_DIR: join(base, 'claude') },
  })
  try {
    const url = await readUrl(child)
    const ready = Date.now() - began
    await page.goto(url, { waitUntil: 'commit' })
    const painted = (await isPainted(page)) - began
    await isUsable(page)
    return { ready, painted, usable: Math.max(painted, Date.now() - began) }
  } finally {
    await context.close()
    await endHost(child)
  }
}

/** When the browser first painted something, in milliseconds since the epoch. */
function isPainted(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const paint = list.getEntriesByName('first-contentful-paint')[0]
          if (paint) resolve(performance.timeOrigin + paint.startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
}

function hasFiles(page: Page): Promise<unknown> {
  return page.getByRole('treeitem', { name: 'file-0.ts' }).waitFor()
}
