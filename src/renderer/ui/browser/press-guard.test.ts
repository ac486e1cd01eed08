import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PressGuard, visibleTime } from './press-guard'

const button = {} as Element

describe('PressGuard', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    // The guard asks elements for their button; outside of a page there are none, and each is its own.
    vi.stubGlobal(
      'Element',
      class {
        static [Symbol.hasInstance]() {
          return true
        }
      },
    )
    Object.assign(button, { closest: () => button })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('lets nothing through before the review was visible for long enough', () => {
    const guard = new PressGuard()
    guard.setVisible(true)
    vi.advanceTimersByTime(visibleTime - 1)
    expect(guard.isReady).toBe(false)
    expect(guard.counts(button, 0)).toBe(false)
    vi.advanceTimersByTime(1)
    expect(guard.counts(button, 0)).toBe(true)
  })

  it('counts a press only when it began on the same button when all was ready', () => {
    const guard = new PressGuard()
    guard.setVisible(true)
    guard.begin(button)
    vi.advanceTimersByTime(visibleTime)
    expect(guard.counts(button, 1)).toBe(false)
    guard.begin(button)
    expect(guard.counts(button, 1)).toBe(true)
    expect(guard.counts(button, 1)).toBe(false)
  })

  it('begins anew when the review is hidden or moves', () => {
    const guard = new PressGuard()
    const heard: boolean[] = []
    guard.onChange((isReady) => heard.push(isReady))
    guard.setVisible(true)
    vi.advanceTimersByTime(visibleTime)
    guard.begin(button)
    guard.restart()
    expect(guard.counts(button, 1)).toBe(false)
    vi.advanceTimersByTime(visibleTime)
    guard.setVisible(false)
    vi.advanceTimersByTime(visibleTime)
    expect(guard.isReady).toBe(false)
    expect(heard).toEqual([true, false, true, false])
  })

  it('holds back presses after a mere move, not keys', () => {
    const guard = new PressGuard()
    guard.setVisible(true)
    vi.advanceTimersByTime(visibleTime)
    guard.begin(button)
    guard.moved()
    expect(guard.counts(button, 1)).toBe(false)
    guard.begin(button)
    expect(guard.counts(button, 1)).toBe(false)
    expect(guard.isSeen).toBe(true)
    expect(guard.counts(button, 0)).toBe(true)
    vi.advanceTimersByTime(visibleTime)
    guard.begin(button)
    expect(guard.counts(button, 1)).toBe(true)
  })

  it('holds back keys too until it has been seen, whether it moves or not, and again when it is hidden or changes', () => {
    const guard = new PressGuard()
    guard.setVisible(true)
    vi.advanceTimersByTime(visibleTime - 1)
    guard.moved()
    vi.advanceTimersByTime(visibleTime - 1)
    expect([guard.isSeen, guard.counts(button, 0)]).toEqual([false, false])
    vi.advanceTimersByTime(1)
    expect([guard.isSeen, guard.counts(button, 0)]).toEqual([true, true])
    guard.restart()
    guard.moved()
    expect([guard.isSeen, guard.counts(button, 0)]).toEqual([false, false])
    vi.advanceTimersByTime(visibleTime)
    guard.setVisible(false)
    guard.moved()
    vi.advanceTimersByTime(visibleTime)
    expect([guard.isSeen, guard.counts(button, 0)]).toEqual([false, false])
  })
})
