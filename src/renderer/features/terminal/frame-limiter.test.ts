import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Terminal } from '@xterm/xterm'
import { FrameLimiter } from './frame-limiter'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** The inside of a terminal as far as drawing goes. */
function openTerminal() {
  const drawn: [number, number][] = []
  let follows = 0
  const drawing = {
    refresh: (start: number, end: number, _rows: number) => void drawn.push([start, end]),
  }
  const selected: boolean[] = []
  const selection = {
    hasSelection: false,
    refresh(this: { hasSelection: boolean }, _byMouse?: boolean) {
      selected.push(this.hasSelection)
    },
  }
  const core = {
    _renderService: { _renderDebouncer: drawing },
    _syncTextArea: () => void follows++,
    _selectionService: selection,
  }
  const terminal = { _core: core } as unknown as Terminal
  return {
    terminal,
    drawn,
    follows: () => follows,
    parse(limiter: FrameLimiter, length: number, start = 0, end = 9) {
      core._syncTextArea()
      drawing.refresh(start, end, 10)
      limiter.parsed(length)
    },
    drawing,
    selection,
    selected,
  }
}

test('without a flood every wish to draw is passed on at once', () => {
  const { terminal, drawn, follows, parse } = openTerminal()
  const limiter = new FrameLimiter()
  limiter.limit(terminal)
  for (let count = 0; count < 5; count++) {
    parse(limiter, 1000, count, count)
    vi.advanceTimersByTime(16)
  }
  expect(drawn).toEqual([0, 1, 2, 3, 4].map((row) => [row, row]))
  expect(follows()).toBe(5)
})

test('in a flood it is drawn some times in a second, and its end is drawn too, with all rows that changed', () => {
  const { terminal, drawn, parse } = openTerminal()
  const limiter = new FrameLimiter()
  limiter.limit(terminal)
  for (let ms = 0; ms < 1000; ms += 5) {
    parse(limiter, 40_000)
    vi.advanceTimersByTime(5)
  }
  expect(drawn.length).toBeGreaterThan(15)
  expect(drawn.length).toBeLessThan(30)
  const before = drawn.length
  parse(limiter, 10, 3, 4)
  parse(limiter, 10, 7, 8)
  vi.advanceTimersByTime(50)
  expect(drawn.length).toBe(before + 1)
  expect(drawn.at(-1)).toEqual([0, 9])
  vi.advanceTimersByTime(1000)
  expect(drawn.length).toBe(before + 1)
  parse(limiter, 10, 3, 4)
  expect(drawn.at(-1)).toEqual([3, 4])
})

test('a selection is drawn when there is one or was one', () => {
  const { terminal, selection, selected } = openTerminal()
  new FrameLimiter().limit(terminal)
  selection.refresh()
  expect(selected).toEqual([])
  selection.hasSelection = true
  selection.refresh(true)
  selection.refresh()
  selection.hasSelection = false
  selection.refresh()
  selection.refresh()
  expect(selected).toEqual([true, true, false])
})

test('after its end nothing is held back, and a terminal whose inside is another one is left alone', () => {
  const { terminal, drawn, parse, drawing } = openTerminal()
  const limiter = new FrameLimiter()
  const { refresh } = drawing
  const limiting = limiter.limit(terminal)
  for (let count = 0; count < 4; count++) parse(limiter, 100_000)
  const before = drawn.length
  limiting.dispose()
  expect(drawn.length).toBe(before + 1)
  expect(drawing.refresh).toBe(refresh)
  limiter.limit({} as Terminal).dispose()
})
