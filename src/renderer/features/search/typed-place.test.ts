import { describe, expect, it } from 'vitest'
import { readTypedPlace } from './typed-place'

describe('readTypedPlace', () => {
  it.each([
    ['desk.ts', 'desk.ts', null],
    ['desk.ts:', 'desk.ts', null],
    ['desk.ts:12', 'desk.ts', [11, 0]],
    ['desk.ts:12:', 'desk.ts', [11, 0]],
    [' desk.ts:12:5 ', 'desk.ts', [11, 4]],
    ['desk.ts(12,5)', 'desk.ts', [11, 4]],
    ['desk.ts(12)', 'desk.ts', [11, 0]],
    ['desk:0', 'desk', [0, 0]],
    [':7', '', [6, 0]],
    ['C:\\a.ts:3', 'C:\\a.ts', [2, 0]],
    ['a:b', 'a:b', null],
  ] as const)('reads %s', (typed, letters, at) => {
    expect(readTypedPlace(typed)).toEqual({ letters, at: at && { line: at[0], character: at[1] } })
  })
})
