import { beforeEach, expect, it } from 'vitest'
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
  selection = at(0)
  told = []
  report = new SelectionReport(
    () => selection,
    (value) => told.push(value),
  )
})

it('tells each of a burst at once', () => {
  report.changed()
  for (let line = 1; line < 20; line++) {
    selection = at(line)
    report.changed()
    expect(told.at(-1)).toEqual(at(line))
  }
  expect(told).toHaveLength(20)
})

it('does not repeat itself', () => {
  report.changed()
  report.changed()
  expect(told).toHaveLength(1)
})

it('tells that no editor has the selection any more', () => {
  report.changed()
  selection = null
  report.changed()
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
  expect(told).toEqual([at(0), at(0)])
})
