import { expect, test } from 'vitest'
import { type GateMode, GatePolicy } from './gate-policy'

test('a terminal’s own word counts before the usual one, until it is taken back', () => {
  let usual: GateMode = 'every'
  const policy = new GatePolicy(() => usual)
  let changes = 0
  policy.onChange(() => changes++)
  expect([policy.of('a'), policy.of(null), policy.isOwn('a')]).toEqual(['every', 'every', false])
  policy.set('a', 'mode')
  expect([policy.of('a'), policy.of('b'), policy.isOwn('a')]).toEqual(['mode', 'every', true])
  usual = 'mode'
  policy.set('a', 'every')
  expect([policy.of('a'), policy.of('b'), policy.of(null)]).toEqual(['every', 'mode', 'mode'])
  policy.set('a', null)
  expect([policy.of('a'), policy.isOwn('a')]).toEqual(['mode', false])
  expect(changes).toBe(3)
})

test('one agent’s own is forgotten with it', () => {
  const policy = new GatePolicy(() => 'every')
  const own = policy.for('a')
  own.set('mode')
  expect([own.mode, policy.of('a')]).toEqual(['mode', 'mode'])
  own.dispose()
  expect([own.mode, policy.isOwn('a')]).toEqual(['every', false])
})
