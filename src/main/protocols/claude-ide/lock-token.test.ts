import { expect, test } from 'vitest'
import { isLockToken, makeLockToken } from './lock-token'

test('every token is another one and stays good with its secret alone', () => {
  const [first, second] = [makeLockToken('secret'), makeLockToken('secret')]
  expect(first).not.toBe(second)
  for (const token of [first, second, 'secret']) {
    expect(isLockToken(token, 'secret')).toBe(true)
    expect(isLockToken(token, 'another')).toBe(false)
    expect(isLockToken(`${token}0`, 'secret')).toBe(false)
    expect(isLockToken(token.slice(0, -1), 'secret')).toBe(false)
  }
  const [nonce, proof] = [first.split('.')[0], second.split('.')[1]]
  for (const token of [`${nonce}.${proof}`, `${nonce}`, `${nonce}.`, '.', '', undefined, null, [first]])
    expect(isLockToken(token, 'secret')).toBe(false)
})
