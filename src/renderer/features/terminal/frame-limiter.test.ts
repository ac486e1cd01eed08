import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Terminal } from '@xterm/xterm'
import { FrameLimiter } from './frame-limiter'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

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
  const bars: (number | undefined)[] = []
  const bar = {
    _sync: (top?: number) => void bars.push(top),
    queueSync: () => void bars.push(-1),
  }
  const core = {
    _viewport: bar,
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
    bar,
    bars,
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
  expect(drawn.at(-1)?.[0]).toBeLessThanOrEqual(3)
  expect(drawn.at(-1)?.[1]).toBeGreaterThanOrEqual(8)
  vi.advanceTimersByTime(1000)
  expect(drawn.length).toBe(before + 1)
  parse(limiter, 10, 3, 4)
  expect(drawn.at(-1)).toEqual([3, 4])
})

test('in a flood the scroll bar is set with each drawing and not with each line', () => {
  const { terminal, bar, bars, parse } = openTerminal()
  const limiter = new FrameLimiter()
  limiter.limit(terminal)
  bar._sync()
  expect(bars).toEqual([undefined])
  bar.queueSync()
  expect(bars.splice(0)).toEqual([undefined, -1])
  parse(limiter, 100_000)
  parse(limiter, 100_000)
  for (let line = 0; line < 1000; line++) bar._sync()
  bar.queueSync()
  expect(bars).toEqual([])
  bar._sync(7)
  expect(bars.splice(0)).toEqual([7])
  vi.advanceTimersByTime(1000)
  expect(bars).toEqual([-1])
})

test('in a flood that somebody types into every frame is drawn, and half a second later it is held back again', () => {
  const { terminal, drawn, parse } = openTerminal()
  const limiter = new FrameLimiter()
  limiter.limit(terminal)
  const flood = () => {
    const before = drawn.length
    for (let ms = 0; ms < 500; ms += 10) {
      parse(limiter, 40_000)
      vi.advanceTimersByTime(10)
    }
    return drawn.length - before
  }
  expect(flood()).toBeLessThan(15)
  limiter.press()
  expect(flood()).toBe(50)
  vi.advanceTimersByTime(1)
  expect(flood()).toBeLessThan(15)
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
