import { expect, test } from 'vitest'
import { SessionTranscript } from '../../../shared/conversation/session-transcript'
import { SessionWriter } from '../../../../test/conversation-harness/session-writer'
import { isAtWork, restsNow } from './activity'

test('a record that ends with a question says nothing of an agent that has ended since', () => {
  const transcript = new SessionTranscript()
  transcript.add(new SessionWriter(0).prompt('Why?').lines())
  expect(isAtWork({ transcript })).toBe(true)
  expect(isAtWork({ transcript, isAtRest: restsNow({ state: 'none' }, false) })).toBe(false)
  expect(isAtWork({ transcript, isAtRest: restsNow({ state: 'working' }, false) })).toBe(true)
})

test.each([
  ['none', true],
  ['idle', true],
  ['asking', true],
  ['working', false],
  ['running', false],
] as const)('a session that is “%s” rests: %s', (state, rests) => {
  expect(restsNow({ state }, false)).toBe(rests)
  expect(restsNow({ state }, true)).toBe(true)
})

test('of a session that is not listed yet the record is believed', () => {
  expect(restsNow(undefined, false)).toBe(false)
})
