import type { Page } from '@playwright/test'
import { openBenchPage } from './bench-page'
import { type Row, quantile, rowOf } from './row'
import type {} from './pages/editor'

const bytes = 10 * 1024 * 1024
/** So many turns of each kind, and keys in a turn; the first turn warms up and is not counted. */
const turns = 9
const keys = 60
const kinds = ['ours', 'plain'] as const

/**
 * A key pressed in a file of 10 MB, from its event to the painted frame: in the app's editor, which tells the host of
 * it, and in CodeMirror with line numbers, history and drawn selection. The two take turns in one page.
 */
export async function run(): Promise<Row[]> {
  const { page, close } = await openBenchPage('editor')
  try {
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
    await close()
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
