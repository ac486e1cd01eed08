import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { preparePaths, bestMatches, findMatches, wordsOf } from '../src/main/core/search/path-matcher'
import { type Row, quantile, rowOf } from './row'
import { openSearchWindow } from './search-window'

const files = 100_000
/** What is typed, letter by letter: a name, letters of several parts, words, what is nowhere. */
const typed = ['reviewdesk', 'srcmainconn', 'terminal view', 'index.ts', 'zzqx']
const rounds = 4

/** Each key press in "Go to file" over 100,000 files through the whole host, beside the matcher alone. */
export async function run(): Promise<Row[]> {
  const paths = makePaths()
  const window = await openSearchWindow((folder) => {
    for (const path of paths) {
      const whole = join(folder, path)
      mkdirSync(dirname(whole), { recursive: true })
      closeSync(openSync(whole, 'w'))
    }
  })
  try {
    const { page } = window
    const ask = (text: string, refresh: boolean) =>
      page.call('search.files', { typed: text, withIgnored: false, refresh })
    const listing = performance.now()
    const first = await ask('', true)
    const listed = performance.now() - listing
    if (!first.ok || first.value.count !== files) throw new Error('the files are not listed')
    const list = preparePaths(paths)
    const ours: number[] = []
    const alone: number[] = []
    for (let round = 0; round < rounds; round++) {
      for (const word of typed) {
        let known: { words: string[]; indexes: Uint32Array } | null = null
        for (let length = 1; length <= word.length; length++) {
          const text = word.slice(0, length)
          const start = performance.now()
          await ask(text, false)
          const between = performance.now()
          const words = wordsOf(text)
          const matches = findMatches(list, words, known?.indexes ?? null)
          bestMatches(list, words, matches, 100)
          known = { words, indexes: matches.indexes }
          ours.push(between - start)
          alone.push(performance.now() - between)
        }
      }
    }
    // The list is made anew when the dialog opens, and letters are typed meanwhile.
    const meanwhile: number[] = []
    let isListing = true
    const states = page.subscribe(
      'fileList',
      {},
      {
        snapshot: (state) => (isListing = state.isListing),
        delta: (state) => (isListing = state.isListing),
      },
    )
    await ask('', true)
    do {
      for (const text of ['r', 're', 'rev']) {
        const start = performance.now()
        await ask(text, false)
        meanwhile.push(performance.now() - start)
      }
    } while (isListing)
    states.dispose()
    return [
      rowOf({
        name: 'a key press over 100,000 files, mean',
        ours: mean(ours),
        limit: mean(alone),
        target: { most: 1.5 },
      }),
      rowOf({
        name: 'a key press (p99) against 50 ms',
        ours: quantile(ours, 0.99),
        limit: 50,
        target: { most: 1 },
      }),
      rowOf({ name: 'the matcher alone (p99) against 50 ms', ours: quantile(alone, 0.99), limit: 50 }),
      rowOf({
        name: 'a key press while they are listed anew (p99), told',
        ours: quantile(meanwhile, 0.99),
        limit: 50,
      }),
      rowOf({ name: 'files listed for the first time, told', ours: listed, limit: listed }),
    ]
  } finally {
    await window.end()
  }
}

function mean(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length
}

function makePaths(): string[] {
  const parts = [
    'review',
    'desk',
    'terminal',
    'view',
    'index',
    'connection',
    'search',
    'main',
    'state',
    'text',
  ]
  const word = (seed: number) => parts[seed % parts.length] ?? ''
  return Array.from({ length: files }, (_, at) => {
    const folder = `src/${word(at)}/${word(at >> 3)}-${at % 97}/${word(at >> 6)}${at % 31}`
    return `${folder}/${word(at >> 2)}-${word(at >> 5)}-${at}.${at % 3 === 0 ? 'tsx' : 'ts'}`
  })
}
