/** One measured figure beside its limit. A benchmark exports `run(): Promise<Row[]>`, or `parts` of it by their names, and leaves nothing running. */
export interface Row {
  name: string
  /** What the app does, and the bare limit in the same interleaved run. */
  ours: number
  limit: number
  /** ours / limit. */
  ratio: number
  /** What the ratio must not be above, or below; null or none where the figure is only told. */
  target?: { most: number } | { least: number } | null
  /** Of ours and limit; milliseconds where none is named. */
  unit?: string
}

/** The row of two figures: their ratio follows from them. */
export function rowOf(given: Omit<Row, 'ratio'>): Row {
  return { ...given, ratio: given.ours / given.limit }
}

/** The value below which a share of the samples lies; 0.5 is the median. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/**
 * The round with the middle ratio, of samples that were taken in rounds: what a machine does for some seconds is in both
 * of its figures.
 */
export function middleRound(ours: readonly number[], limits: readonly number[]): Pick<Row, 'ours' | 'limit'> {
  const rounds = ours.map((figure, index) => ({ ours: figure, limit: limits[index] ?? Number.NaN }))
  const sorted = rounds.toSorted((a, b) => a.ours / a.limit - b.ours / b.limit)
  return sorted[sorted.length >> 1] ?? { ours: Number.NaN, limit: Number.NaN }
}
