import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SelectionReport } from './selection-report'

const at = (line: number) => ({
  path: '/a',
  version: 0,
  range: { start: { line, character: 0 }, end: { line, character: 1 } },
})

let selection: ReturnType<typeof at> | null | undefined
let told: unknown[]
let report: SelectionReport

beforeEach(() => {
  vi.useFakeTimers()
  selection = at(0)
  told = []
  report = new SelectionReport(
    () => selection,
    (value) => told.push(value),
    () => Date.now(),
  )
})
afterEach(() => {
  report.dispose()
  vi.useRealTimers()
})

it('tells the first at once and the last of a burst within a frame', () => {
  report.changed()
  expect(told).toEqual([at(0)])
  for (let line = 1; line < 20; line++) {
    selection = at(line)
    report.changed()
  }
  expect(told).toHaveLength(1)
  vi.advanceTimersByTime(16)
  expect(told).toEqual([at(0), at(19)])
})

it('does not repeat itself', () => {
  report.changed()
  vi.advanceTimersByTime(100)
  report.changed()
  vi.advanceTimersByTime(100)
  expect(told).toHaveLength(1)
})

it('tells that no editor has the selection any more', () => {
  report.changed()
  selection = null
  report.now()
  expect(told.at(-1)).toBeNull()
})

it('keeps quiet while the host cannot know the text', () => {
  selection = undefined
  report.changed()
  expect(told).toEqual([])
  selection = at(3)
  report.changed()
  expect(told).toEqual([at(3)])
})

it('tells a new host again', () => {
  report.changed()
  report.forget()
  vi.advanceTimersByTime(50)
  expect(told).toEqual([at(0), at(0)])
})
