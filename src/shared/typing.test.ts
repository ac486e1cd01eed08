import { expect, test } from 'vitest'
import { Typing } from './typing'

function start() {
  const clock = { now: 5000 }
  return { clock, typing: new Typing(() => clock.now) }
}

test('a person types from a key press on until half a second has passed', () => {
  const { clock, typing } = start()
  expect(typing.isUnderWay).toBe(false)
  typing.press('l')
  expect(typing.isUnderWay).toBe(true)
  clock.now += 400
  typing.press('s')
  clock.now += 400
  expect(typing.isUnderWay).toBe(true)
  expect(typing.since).toBe(400)
  clock.now += 100
  expect(typing.isUnderWay).toBe(false)
})

test('Enter and Ctrl-C end it, and what is pasted is not typed', () => {
  const { typing } = start()
  typing.press('l')
  for (const key of ['\r', '\x03']) {
    typing.press('s')
    expect(typing.isUnderWay).toBe(true)
    typing.press(key)
    expect(typing.isUnderWay).toBe(false)
  }
  typing.press('é')
  expect(typing.isUnderWay).toBe(true)
  typing.press('x'.repeat(65))
  expect(typing.isUnderWay).toBe(false)
})
