import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bounds, fitBounds } from './window-bounds'

const screen: Bounds = { x: 0, y: 0, width: 1920, height: 1080 }
const second: Bounds = { x: 1920, y: -200, width: 2560, height: 1440 }

test('without a place of before it is centred at the usual size', () => {
  expect(fitBounds(null, [screen])).toEqual({ x: 260, y: 90, width: 1400, height: 900 })
})

test('a place that is still there is kept', () => {
  const before = { x: 2000, y: -100, width: 900, height: 700 }
  expect(fitBounds(before, [screen, second])).toEqual(before)
})

test('a window of a display that is gone comes onto the one that is left', () => {
  expect(fitBounds({ x: 4000, y: 0, width: 900, height: 700 }, [screen])).toEqual({
    x: 1020,
    y: 0,
    width: 900,
    height: 700,
  })
})

test('whatever it was, it lies wholly on one display and is no larger', () => {
  const rectangle = fc.record({
    x: fc.integer({ min: -5000, max: 5000 }),
    y: fc.integer({ min: -5000, max: 5000 }),
    width: fc.integer({ min: 1, max: 8000 }),
    height: fc.integer({ min: 1, max: 8000 }),
  })
  fc.assert(
    fc.property(rectangle, fc.array(rectangle, { minLength: 1, maxLength: 3 }), (before, displays) => {
      const { x, y, width, height } = fitBounds(before, displays)
      expect(
        displays.some(
          (one) =>
            x >= one.x && y >= one.y && x + width <= one.x + one.width && y + height <= one.y + one.height,
        ),
      ).toBe(true)
    }),
  )
})
