/**
 * Lines `fromA` to `toA` of A become lines `fromB` to `toB` of B. Indexes from 0, half-open; one side may be empty,
 * never both.
 */
export interface LineChange {
  fromA: number
  toA: number
  fromB: number
  toB: number
}
