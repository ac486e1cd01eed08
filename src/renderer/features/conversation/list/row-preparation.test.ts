import { expect, test } from 'vitest'
import { RowPreparation } from './row-preparation'

const rangeOf = (startIndex: number, endIndex: number, count: number) => ({
  startIndex,
  endIndex,
  count,
  overscan: 0,
})

/** A list of rows of 100 px in a view of 500, as the preparation asks it. */
function listOf(count: number, top: number) {
  const measurementsCache = Array.from({ length: count }, (_one, index) => ({
    start: index * 100,
    end: (index + 1) * 100,
  }))
  const range = { startIndex: top / 100, endIndex: top / 100 + 4 }
  return {
    range,
    scrollRect: { width: 800, height: 500 },
    scrollOffset: top,
    scrollDirection: 'backward',
    measurementsCache,
    elementsCache: new Map(),
    options: { count, getItemKey: String },
  }
}

/** Does all that it would do when idle; gives the rows after each step. */
function prepare(list: ReturnType<typeof listOf>, onStep: (rows: number[]) => void = () => undefined) {
  let work: IdleRequestCallback | null = null
  const { requestIdleCallback, cancelIdleCallback } = globalThis
  Object.assign(globalThis, {
    requestIdleCallback: (callback: IdleRequestCallback) => {
      work = callback
      return 1
    },
    cancelIdleCallback: () => undefined,
  })
  try {
    const { count } = list.options
    const rows = () => preparation.extend(rangeOf(list.range.startIndex, list.range.endIndex, count))
    const preparation: RowPreparation = new RowPreparation(() => onStep(rows()))
    preparation.wake(list as never)
    for (let turns = 0; work !== null && turns < 100; turns++) {
      const now: IdleRequestCallback = work
      work = null
      now({ didTimeout: false, timeRemaining: () => 10 })
    }
    return { preparation, rows: rows() }
  } finally {
    Object.assign(globalThis, { requestIdleCallback, cancelIdleCallback })
  }
}

test('one more row at a time, further where one scrolls to, until enough stand ready', () => {
  const lengths: number[] = []
  const { rows } = prepare(listOf(200, 10_000), (drawn) => lengths.push(drawn.length))
  expect(rows[0]).toBeLessThan(100 - 10)
  expect(rows.at(-1)).toBeGreaterThanOrEqual(104)
  expect(100 - (rows[0] ?? 0)).toBeGreaterThan((rows.at(-1) ?? 0) - 104)
  for (const [at, length] of lengths.entries()) expect(length - (lengths[at - 1] ?? 7)).toBeLessThanOrEqual(1)
})

test('stands still at the ends', () => {
  expect(prepare(listOf(5, 0)).rows).toEqual([0, 1, 2, 3, 4])
  expect(prepare(listOf(1, 0)).rows).toEqual([0])
})

test('the same rows when others have come in front, and none of a place that was left', () => {
  const { preparation, rows } = prepare(listOf(200, 10_000))
  expect(preparation.extend(rangeOf(150, 154, 250))).toEqual(rows.map((row) => row + 50))
  expect(preparation.extend(rangeOf(10, 14, 200))).toEqual([9, 10, 11, 12, 13, 14, 15])
})
