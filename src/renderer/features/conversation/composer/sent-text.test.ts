import { describe, expect, it } from 'vitest'
import { withoutSent } from './sent-text'

describe('what is left when a part of the text has been sent', () => {
  it.each([
    ['nothing was typed meanwhile', 'Oil it.', 'Oil it.', ''],
    ['more was typed behind it', 'Oil it. And the lock.', 'Oil it.', ' And the lock.'],
    ['more was typed in front', 'First: oil it.', 'oil it.', 'First: '],
    ['more was typed inside', 'Oil and grease it.', 'Oil it.', 'and grease '],
    ['the same letters once more', 'aaa', 'aa', 'a'],
    ['some of it was deleted', 'Oil', 'Oil it.', ''],
    ['another text took its place', 'No.', 'Oil it', 'No.'],
    ['another text with the same first letter took its place', 'three', 'two', 'three'],
    ['one character took the place of another', 'Oil 😁', 'Oil 😀', 'Oil 😁'],
  ])('%s', (_when, now, sent, left) => {
    expect(withoutSent(now, sent)).toBe(left)
  })
})
