import { createHash } from 'node:crypto'
import { diffLines } from '../src/shared/text/line-diff'

/** One line of a benchmark's table: ours beside a limit that was measured in the same run, both in milliseconds. */
export interface Row {
  name: string
  ours: number
  oursP95: number
  limit: number
  /** ours / limit, both p50. */
  ratio: number
}

const rounds = 15

/**
 * Times `diffLines` beside a limit that no line diff can beat by much: every line of both files put through a hash
 * once (one `Map` of lines to numbers, as the diff itself needs it). Ours and the limit take turns.
 */
export function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of [1_000, 10_000, 50_000, 100_000]) {
    const a = makeFile(count)
    rows.push(compare(`${count} lines, 10 % changed`, a, changeTenth(a)))
  }
  const large = makeFile(50_000)
  rows.push(
    compare(
      '50000 lines, none in common',
      large,
      large.map((line) => `${line}!`),
    ),
  )
  const random = makeRandom(7)
  const few = () => Array.from({ length: 50_000 }, () => String(Math.floor(random() * 3)))
  rows.push(compare('50000 lines of 3 kinds, shuffled', few(), few()))
  return Promise.resolve(rows)
}

function compare(name: string, a: string[], b: string[]): Row {
  const ours: number[] = []
  const limit: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Fresh strings each time: a string remembers its hash, and a file just read has none yet.
    const [textA, textB] = [a.join('\n'), b.join('\n')]
    const first = [textA.split('\n'), textB.split('\n')] as const
    const second = [`${textA} `.split('\n'), `${textB} `.split('\n')] as const
    if (round % 2 === 0) ours.push(time(() => diffLines(...first)))
    limit.push(time(() => numberAll(...second)))
    if (round % 2 !== 0) ours.push(time(() => diffLines(...first)))
  }
  const [middle, baseline] = [quantile(ours, 0.5), quantile(limit, 0.5)]
  return { name, ours: middle, oursP95: quantile(ours, 0.95), limit: baseline, ratio: middle / baseline }
}

function numberAll(a: readonly string[], b: readonly string[]): number {
  const ids = new Map<string, number>()
  for (const lines of [a, b]) for (const line of lines) if (!ids.has(line)) ids.set(line, ids.size)
  return ids.size
}

function time(task: () => unknown): number {
  const start = performance.now()
  task()
  return performance.now() - start
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((x, y) => x - y)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Lines as code has them: some unique, many blank or braces. */
function makeFile(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    if (i % 6 === 0) return ''
    if (i % 6 === 1) return `export function part${i}() {`
    if (i % 6 === 5) return '}'
    return `  total += compute(${createHash('md5').update(String(i)).digest('hex').slice(0, 8)})`
  })
}

function changeTenth(lines: readonly string[]): string[] {
  const random = makeRandom(1)
  return lines.flatMap((line) => {
    const kind = random()
    if (kind < 0.06) return [`${line} // changed`]
    if (kind < 0.08) return []
    return kind < 0.1 ? [line, '  added()'] : [line]
  })
}

/** The same numbers on every machine. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
