import { afterEach, beforeEach, expect, test } from 'vitest'
import { Headroom } from './headroom'
import type { Rows } from './rows'

/** Rows whose keys are the numbers from one to another. */
const rowsOf = (from: number, to: number): Rows => ({
  length: to - from,
  at: () => undefined,
  keyAt: (index) => String(from + index),
  rowOf: () => -1,
})
let frames: (() => void)[] = []
beforeEach(() => {
  frames = []
  Object.assign(globalThis, { requestAnimationFrame: (draw: () => void) => frames.push(draw) })
})
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'requestAnimationFrame')
})
const nextFrame = () => {
  for (const draw of frames.splice(0)) draw()
}

test('rows that come in front, and those that are higher than was thought, grow into the room', () => {
  const room = new Headroom()
  const before = room.settle(rowsOf(100, 150), false, 88)
  expect(before).toBeGreaterThan(0)
  expect(room.settle(rowsOf(50, 150), false, 88)).toBe(before - 50 * 88)
  expect(room.take(3, 20)).toBe(true)
  expect(room.take(3, -5)).toBe(true)
  expect(room.height).toBe(before - 50 * 88 - 15)
  // At the end nothing moves.
  expect(room.settle(rowsOf(50, 152), false, 88)).toBe(before - 50 * 88 - 15)
})

test('where it is too small it is made anew, and never below nothing', () => {
  const room = new Headroom()
  const ample = room.settle(rowsOf(100_000, 100_050), false, 88)
  expect(room.take(0, ample + 1)).toBe(false)
  expect(room.cut(10)).toBe(ample - 10)
  expect(room.cut(20)).toBe(0)
  expect(room.settle(rowsOf(99_999, 100_050), false, 88)).toBe(ample)
})

test('none above the beginning', () => {
  const room = new Headroom()
  expect(room.settle(rowsOf(0, 50), true, 88)).toBe(0)
  expect(room.take(3, 20)).toBe(false)
  const other = new Headroom()
  other.settle(rowsOf(50, 100), false, 88)
  expect(other.settle(rowsOf(0, 100), true, 88)).toBe(0)
})

test('the row that others came in front of is known until it has been measured', () => {
  const room = new Headroom()
  room.settle(rowsOf(100, 150), false, 88)
  expect(room.isJoint('100')).toBe(false)
  room.settle(rowsOf(50, 150), false, 88)
  expect(room.isJoint('100')).toBe(true)
  nextFrame()
  expect(room.isJoint('100')).toBe(true)
  nextFrame()
  expect(room.isJoint('100')).toBe(false)
})
