/**
 * The row that an arrow, page, Home or End key leads to from the row `at`; null for any other key. Rows count from 0 to
 * `last`, and a page has `page` rows.
 */
export function rowByKey(key: string, at: number, last: number, page: number): number | null {
  const steps: Partial<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -Infinity,
    End: Infinity,
  }
  const step = steps[key]
  return step === undefined ? null : Math.max(0, Math.min(last, at + step))
}
