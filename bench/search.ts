import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRipgrep } from '../src/main/core/platform/ripgrep'
import { type Row, quantile, rowOf } from './row'
import { openSearchWindow } from './search-window'

const folders = 200
const filesEach = 50
const rounds = 15

/** From the page's word to the first hits and to the end of a search, beside ripgrep alone over the same 10,000 files. */
export async function run(): Promise<Row[]> {
  const program = findRipgrep(process.env)
  if (program === null) throw new Error('there is no ripgrep here')
  const window = await openSearchWindow(fill)
  try {
    const ours: Times[] = []
    const alone: Times[] = []
    for (let round = 0; round < rounds; round++) {
      const text = `needle${round % 5}`
      alone.push(await searchAlone(program, window.folder, text))
      ours.push(await searchHere(window.page, text))
    }
    const of = (times: readonly Times[], what: keyof Times) =>
      quantile(
        times.slice(1).map((one) => one[what]),
        0.5,
      )
    return [
      rowOf({
        name: 'first hits in 10,000 files',
        ours: of(ours, 'first'),
        limit: of(alone, 'first'),
        target: { most: 2 },
      }),
      rowOf({ name: 'all hits in 10,000 files', ours: of(ours, 'all'), limit: of(alone, 'all') }),
    ]
  } finally {
    await window.end()
  }
}

interface Times {
  first: number
  all: number
}

function fill(folder: string): void {
  const line = 'const value = compute(alpha, beta) // nothing to be seen here\n'
  for (let at = 0; at < folders * filesEach; at++) {
    const place = join(folder, `part-${at % folders}`)
    if (at < folders) mkdirSync(place)
    const hit = at % 20 === 0 ? `the needle${(at / 20) % 5} is here\n` : ''
    writeFileSync(join(place, `file-${at}.ts`), line.repeat(40) + hit + line.repeat(20))
  }
}

function searchAlone(program: string, folder: string, text: string): Promise<Times> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    let first = 0
    const args = ['--json', '--ignore-case', '--fixed-strings', text, './']
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.on('data', () => (first ||= performance.now() - start))
    child.once('error', reject)
    child.once('close', () => resolve({ first, all: performance.now() - start }))
  })
}

function searchHere(
  page: Awaited<ReturnType<typeof openSearchWindow>>['page'],
  text: string,
): Promise<Times> {
  return new Promise((resolve) => {
    let start = 0
    let first = 0
    const following = page.subscribe(
      'search',
      {},
      {
        snapshot() {
          start = performance.now()
          const query = { text, isRegex: false, isCaseSensitive: false, isWholeWord: false }
          void page.call('search.start', { ...query, include: '', exclude: '', withIgnored: false })
        },
        delta(delta) {
          if (delta.phase !== 'running' && (delta.files?.length ?? 0) > 0) first ||= performance.now() - start
          if (delta.phase !== 'done') return
          following.dispose()
          resolve({ first, all: performance.now() - start })
        },
      },
    )
  })
}
