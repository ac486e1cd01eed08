import { expect, test } from 'vitest'
import { Acknowledger } from './acknowledger'

test('tells in batches what was parsed, and all of it', () => {
  const told: number[] = []
  const acknowledger = new Acknowledger((length) => told.push(length))
  for (let count = 0; count < 10; count++) acknowledger.piece(15_000)()
  expect(told).toEqual([75_000, 75_000])
})

test('tells less often while much more is there', () => {
  const told: number[] = []
  const acknowledger = new Acknowledger((length) => told.push(length))
  const pieces = Array.from({ length: 8 }, () => acknowledger.piece(64 << 10))
  for (const parsed of pieces) parsed()
  expect(told.map((length) => length >> 10)).toEqual([128, 128, 128, 64, 64])
})

test('what was sent before a new beginning counts no more', () => {
  const told: number[] = []
  const acknowledger = new Acknowledger((length) => told.push(length))
  const old = acknowledger.piece(100_000)
  acknowledger.piece(30_000)()
  acknowledger.begin()
  old()
  expect(told).toEqual([])
  acknowledger.piece(70_000)()
  expect(told).toEqual([70_000])
})

test('when nothing more is there what has been parsed is told, unless it is hardly anything', () => {
  const told: number[] = []
  const acknowledger = new Acknowledger((length) => told.push(length))
  acknowledger.piece(7_000)()
  acknowledger.drained()
  expect(told).toEqual([])
  acknowledger.piece(3_000)()
  acknowledger.drained()
  acknowledger.drained()
  expect(told).toEqual([10_000])
})
