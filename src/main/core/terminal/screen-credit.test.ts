import { expect, test } from 'vitest'
import { ScreenCredit } from './screen-credit'

test('it is exhausted above the high mark, until it has fallen to the low one', () => {
  const credit = new ScreenCredit(100, 40)
  credit.give(100)
  expect(credit.exhausted).toBe(false)
  credit.give(1)
  expect(credit.exhausted).toBe(true)
  credit.takeBack(60)
  expect(credit.exhausted).toBe(true)
  credit.takeBack(1)
  expect(credit.exhausted).toBe(false)
})

test('more taken back than was given counts as all of it', () => {
  const credit = new ScreenCredit(100, 40)
  credit.give(50)
  credit.takeBack(1000)
  credit.give(100)
  expect(credit.exhausted).toBe(false)
  credit.give(1)
  expect(credit.exhausted).toBe(true)
  credit.reset()
  credit.give(100)
  expect(credit.exhausted).toBe(false)
})
