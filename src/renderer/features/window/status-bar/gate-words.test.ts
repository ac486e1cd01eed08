import { expect, test } from 'vitest'
import type { GatedAgent } from '../../../../shared/contract/gate'
import { gateWords } from './gate-words'

const asks = { id: 'a', unasked: null }
const writes = { id: 'b', unasked: { sentence: 'It writes.', certain: true } }
const gated = (more: Partial<GatedAgent>): GatedAgent => ({
  ...{ connection: 'a', terminal: 't', mode: 'every', isOwn: false, state: 'in-force', isExpected: true },
  ...more,
})

test('nothing is claimed of what isn’t known of each', () => {
  const nothing = { words: '', isWarning: false }
  expect(gateWords([], [gated({})])).toEqual(nothing)
  expect(gateWords([asks], [])).toEqual(nothing)
  expect(gateWords([asks], [gated({ state: 'unseen' })])).toEqual(nothing)
  expect(gateWords([asks, { id: 'c', unasked: null }], [gated({})])).toEqual(nothing)
})

test('says how much is asked', () => {
  expect(gateWords([asks], [gated({})]).words).toBe('every change reviewed')
  expect(gateWords([asks], [gated({})], true).words).toBe('reviewed but for your rules')
  expect(gateWords([asks], [gated({ mode: 'mode' })]).words).toBe('as its mode says')
})

test('warns of one among others', () => {
  const off = gated({ state: 'not-in-force' })
  expect(gateWords([asks], [off])).toEqual({ words: 'not every change reviewed', isWarning: true })
  expect(gateWords([asks, writes], [gated({})])).toEqual({ words: 'writes without asking', isWarning: true })
  expect(gateWords([asks], [{ ...off, isExpected: false }]).isWarning).toBe(false)
  expect(gateWords([asks], [{ ...off, mode: 'mode' }]).isWarning).toBe(false)
})
