import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FrameSearch } from './frame-search'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('searches once after the pause, whatever passes meanwhile, and then only in what is new', async () => {
  const asked: number[] = []
  const told: number[][] = []
  const search = new FrameSearch(
    'x',
    (_text, from) => {
      asked.push(from)
      return Promise.resolve([from + 1])
    },
    (found) => told.push([...found]),
  )
  // A frame every 100 ms, as of an agent that is at work.
  for (let newest = 10; newest < 15; newest++) {
    search.reach(newest, 0)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(asked).toEqual([0, 12, 13, 14])
  expect(told.at(-1)).toEqual([1, 13, 14, 15])
  // What is no longer kept is no longer found.
  search.reach(20, 13)
  await vi.advanceTimersByTimeAsync(0)
  expect(told.at(-1)).toEqual([14, 15, 16])
  search.dispose()
})

it('asks one question at a time, none any more when it is over, and again after one that failed', async () => {
  const answers: { resolve: (found: number[]) => void; reject: (error: Error) => void }[] = []
  const told: number[][] = []
  const search = new FrameSearch(
    'x',
    () => new Promise((resolve, reject) => answers.push({ resolve, reject })),
    (found) => told.push([...found]),
  )
  search.reach(5, 0)
  await vi.advanceTimersByTimeAsync(150)
  search.reach(9, 0)
  expect(answers).toHaveLength(1)
  answers[0]?.reject(new Error('the link is lost'))
  await vi.advanceTimersByTimeAsync(0)
  search.reach(10, 0)
  expect(answers).toHaveLength(2)
  search.dispose()
  answers[1]?.resolve([3])
  await vi.advanceTimersByTimeAsync(1000)
  expect(told).toEqual([])
  expect(answers).toHaveLength(2)
})
