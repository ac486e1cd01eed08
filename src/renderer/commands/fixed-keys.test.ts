import { describe, expect, test } from 'vitest'
import { fixedCommands, fixedKey, isFixedKey } from './fixed-keys'
import { sameKey } from './key-choice'

const stroke = { key: 'v', code: 'KeyV', ctrlKey: true, metaKey: false, altKey: false, shiftKey: true }

describe.each([true, false])('keys that are no commands, on a Mac: %s', (mac) => {
  test('each has an id of its own, and no two of one place have one key', () => {
    const commands = fixedCommands(mac)
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length)
    const keys = commands.flatMap(({ scope, keys: own = [] }) =>
      own.map((key) => `${scope} ${sameKey(key, mac)}`),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
})

test('a terminal takes what is pasted by another key than on a Mac', () => {
  expect(isFixedKey(stroke, 'terminal.pasteKey', false)).toBe(true)
  expect(isFixedKey(stroke, 'terminal.pasteKey', true)).toBe(false)
  expect(fixedKey('terminal.findKey', false)).toBeUndefined()
  expect(fixedKey('terminal.findKey', true)).toBe('Mod+F')
})
