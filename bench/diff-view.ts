import type { Page } from '@playwright/test'
import { openBenchPage } from './bench-page'
import { type Row, quantile, rowOf } from './row'
import type {} from './pages/diff-view'

const sizes = [1_000, 10_000, 50_000, 100_000]
/** Frames are of whole lengths: a median of few rounds falls to one or the next. */
const rounds = 15

/**
 * The page's part in opening a review, from the host's message to the painted frame, with the host's answers made
 * beforehand: beside CodeMirror's merge view with the same changes given, and beside CodeMirror alone with the same text.
 * The kinds take turns in one page. From the agent's socket on it is measured in review-opening.ts.
 */
export async function run(): Promise<Row[]> {
  const { page, close } = await openBenchPage('diff-view', ['--js-flags=--expose-gc'])
  try {
    const rows: Row[] = []
    for (const layout of ['unified', 'side-by-side'] as const) {
      // Compiles what the comparisons run; two rounds left the first of them half compiled.
      await compare(page, 1_000, layout)
      for (const lines of sizes) rows.push(...(await compare(page, lines, layout)))
    }
    return rows
  } finally {
    await close()
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
      name: `${name}: the page's part until painted, beside merge`,
      ours: median('firstText'),
      limit: median('merge'),
      target: { most: 1.5 },
    }),
  ]
  if (layout === 'unified') {
    rows.push(
      // Side by side the height does not tell when the rest has come.
      rowOf({
        name: `${name}: the page's part until painted whole, beside merge`,
        ours: median('ours'),
        limit: median('merge'),
        target: { most: 1.5 },
      }),
      rowOf({
        name: `${name}: the page's part until first text, beside plain text`,
        ours: median('firstText'),
        limit: median('plain'),
        target: { most: 1.3 },
      }),
    )
  }
  return rows
}
