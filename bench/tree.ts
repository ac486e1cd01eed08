import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { launchChromium } from './chromium'
import { endHost, readUrl, startHost } from './measured-host'
import { type Row, quantile, rowOf } from './row'

const rounds = 3

/** A folder for the measurement, by its name. */
interface Kind {
  name: string
  files: number
  perFolder: number
}

/** All in one folder, and in a thousand of them. */
const kinds: readonly Kind[] = [
  { name: '100,000 files in one folder', files: 100_000, perFolder: 100_000 },
  { name: '100,000 files in 1,000 folders', files: 100_000, perFolder: 100 },
]

/**
 * From the start of a page's load to the tree painted, on a folder of 100,000 files, beside the system reading that
 * folder's first level; and how long the page was held up at most while the rest of the level came. Told, without a
 * target.
 */
export async function run(): Promise<Row[]> {
  const base = mkdtempSync(join(tmpdir(), 'greenlight-bench-'))
  const browser = await launchChromium()
  try {
    const rows: Row[] = []
    for (const kind of kinds) rows.push(...(await measure(browser, base, kind)))
    return rows
  } finally {
    await browser.close()
    rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function measure(browser: Browser, base: string, { name, files, perFolder }: Kind): Promise<Row[]> {
  const project = join(base, `project-${perFolder}`)
  for (let index = 0; index < files; index++) {
    const folder = perFolder >= files ? project : join(project, `folder-${Math.floor(index / perFolder)}`)
    if (index % perFolder === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `file-${index}.ts`), '')
  }
  const [first, last] =
    perFolder >= files
      ? ['file-0.ts', `file-${files - 1}.ts`]
      : ['folder-0', `folder-${Math.ceil(files / perFolder) - 1}`]
  const times = {
    painted: [] as number[],
    whole: [] as number[],
    longest: [] as number[],
    bare: [] as number[],
  }
  // The first round warms the disk and the browser.
  for (let round = 0; round <= rounds; round++) {
    const begun = performance.now()
    await readdir(project, { withFileTypes: true })
    const bare = performance.now() - begun
    const ours = await openOnce(browser, base, project, first, last)
    if (round === 0) continue
    times.bare.push(bare)
    times.painted.push(ours.painted)
    times.whole.push(ours.whole)
    times.longest.push(ours.longest)
  }
  const row = (what: string, ours: readonly number[]) =>
    rowOf({
      name: `${name}: ${what}`,
      ours: quantile(ours, 0.5),
      limit: quantile(times.bare, 0.5),
      target: null,
      unit: 'ms',
    })
  return [
    row('link opened → tree painted, beside readdir', times.painted),
    row('link opened → last line there, beside readdir', times.whole),
    row('longest task of the page, beside readdir', times.longest),
  ]
}

interface Opened {
  painted: number
  whole: number
  longest: number
}

async function openOnce(
  browser: Browser,
  base: string,
  project: string,
  first: string,
  last: string,
): Promise<Opened> {
  const data = mkdtempSync(join(base, 'data-'))
  const host = startHost(base, project, data)
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
  try {
    const url = await readUrl(host)
    const page = await context.newPage()
    await page.addInitScript(() => {
      const longest = { of: 0 }
      Object.assign(globalThis, { longest })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) longest.of = Math.max(longest.of, entry.duration)
      }).observe({ type: 'longtask', buffered: true })
    })
    const begun = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    await page.getByRole('treeitem', { name: first, exact: true }).waitFor()
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))))
    const painted = performance.now() - begun
    // The way to the last line is by the keyboard, as often as it takes until all have come.
    const tree = page.getByRole('tree', { name: 'Files' })
    await tree.focus()
    for (;;) {
      await page.keyboard.press('End')
      const found = await page
        .getByRole('treeitem', { name: last, exact: true })
        .waitFor({ timeout: 100 })
        .then(
          () => true,
          () => false,
        )
      if (found) break
    }
    const whole = performance.now() - begun
    const longest = await page.evaluate(
      () => (globalThis as unknown as { longest: { of: number } }).longest.of,
    )
    return { painted, whole, longest }
  } finally {
    await context.close()
    await endHost(host)
  }
}
