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
  /** Until what a person waits for is painted: our files and a shell's prompt, the empty page's one word. */
  usable: number
  files: number
}

/** What a shell shows when it takes commands. */
const prompt = 'prompt-of-the-shell'

/**
 * From the start of the process until a person can work, in a browser that runs already: our app beside an empty page
 * on the same page server. A word that index.html paints counts for nothing. Rounds alternate.
 */
export async function run(): Promise<Row[]> {
  const base = mkdtempSync(join(tmpdir(), 'greenlight-bench-'))
  const browser = await launchChromium()
  try {
    const empty = await buildEmptyPage(base)
    const project = join(base, 'project')
    mkdirSync(project)
    for (let index = 0; index < 50; index++) writeFileSync(join(project, `file-${index}.ts`), '')
    writeFileSync(join(base, '.bashrc'), `PS1='${prompt} '\n`)
    const starts = { ours: [] as Start[], limit: [] as Start[] }
    // The first round warms the disk and the browser.
    for (let round = 0; round <= rounds; round++) {
      const limit = await startOnce(browser, base, [emptyHost, empty], emptyIsThere)
      const words = [project, '--headless', '--data-dir', join(base, 'data')]
      const ours = await startOnce(browser, base, [join('out', 'main', 'headless.js'), ...words], canWork)
      if (round === 0) continue
      starts.limit.push(limit)
      starts.ours.push(ours)
    }
    const row = (
      name: string,
      of: (start: Start) => number,
      target: { most: number } | null,
      limit: (start: Start) => number = of,
    ) =>
      rowOf({
        name,
        ours: quantile(starts.ours.map(of), 0.5),
        limit: quantile(starts.limit.map(limit), 0.5),
        target,
        unit: 'ms',
      })
    return [
      row('start → ready line, beside an empty host', (start) => start.ready, null),
      row('start → files painted, beside an empty page', (start) => start.files, { most: 2 }),
      row(
        'start → files and a shell’s prompt painted, the terminal opened as soon as it can be, beside an empty page',
        (start) => start.usable,
        null,
        (start) => start.files,
      ),
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
  wait: (page: Page) => Promise<Pick<Start, 'files' | 'usable'>>,
): Promise<Start> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
  const page = await context.newPage()
  const began = Date.now()
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOME: base, SHELL: '/bin/bash', CLAUDE_CONFIG_DIR: join(base, 'claude') },
  })
  try {
    const url = await readUrl(child)
    const ready = Date.now() - began
    await page.goto(url, { waitUntil: 'commit' })
    const { files, usable } = await wait(page)
    return { ready, files: files - began, usable: usable - began }
  } finally {
    await context.close()
    await endHost(child)
  }
}

async function emptyIsThere(page: Page): Promise<Pick<Start, 'files' | 'usable'>> {
  const at = await paintedAt(page, '#root', 'Empty')
  return { files: at, usable: at }
}

async function canWork(page: Page): Promise<Pick<Start, 'files' | 'usable'>> {
  const files = await paintedAt(page, '[role="treeitem"]', 'file-0.ts')
  await page.getByRole('button', { name: 'New terminal' }).click()
  await page.getByRole('menuitem', { name: 'Shell' }).click()
  return { files, usable: await paintedAt(page, '.xterm-rows', prompt) }
}

/** When a place that shows a text was painted, in milliseconds since the epoch. */
function paintedAt(page: Page, place: string, text: string): Promise<number> {
  return page.evaluate(
    ([selector, wanted]) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const isThere = [...document.querySelectorAll<HTMLElement>(selector)].some(
            (one) => one.checkVisibility() && one.textContent.includes(wanted),
          )
          // The frame in which it stands is over when its messages are heard.
          if (isThere) setTimeout(() => resolve(performance.timeOrigin + performance.now()))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    [place, text] as const,
  )
}
