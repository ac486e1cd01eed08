/** One measured figure beside its limit. */
export interface Row {
  name: string
  /** What the app does, and the bare limit in the same interleaved run. */
  ours: number
  limit: number
  /** ours / limit. */
  ratio: number
  /** What the ratio should be, such as `≤ 1.5` or `≥ 0.8`; null: only told. */
  target: `${'≤' | '≥'} ${number}` | null
  /** Of ours and limit, such as `ms` or `MB/s`. */
  unit: string
}

/** What a file `NAME.bench.ts` exports: it measures and gives its rows, and leaves nothing running. */
export type Bench = () => Promise<Row[]>

/** Whether a row reaches its target; a row without one does. */
export function reaches({ ratio, target }: Row): boolean {
  if (target === null) return true
  const [sign, value] = target.split(' ')
  return sign === '≤' ? ratio <= Number(value) : ratio >= Number(value)
}

/** A row of two figures; the ratio follows from them. */
export function rowOf(given: Omit<Row, 'ratio'>): Row {
  return { ...given, ratio: given.ours / given.limit }
}

/** The value below which a share of the samples lies; 0.5 is the median. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
