import { expect, test } from 'vitest'
import { meaningOf } from './terminal-keys'

/** The meaning of a key written as Ctrl+Shift+C. */
function meaning(keys: string, mac = false) {
  const parts = keys.split('+')
  return meaningOf(
    {
      key: parts.at(-1) ?? '',
      code: '',
      ctrlKey: parts.includes('Ctrl'),
      metaKey: parts.includes('Cmd'),
      altKey: parts.includes('Alt'),
      shiftKey: parts.includes('Shift'),
    },
    mac,
  )
}

test('a focused terminal gives up only what the interface names', () => {
  expect(meaning('Ctrl+Shift+V')).toBe('paste')
  for (const keys of [
    'a',
    'F1',
    'F5',
    'F7',
    'Ctrl+F6',
    'Ctrl+c',
    'Ctrl+v',
    'Ctrl+f',
    'Ctrl+p',
    'Ctrl+b',
    'Ctrl+j',
    'Ctrl+s',
    'Ctrl+Shift+Y',
    'Ctrl+Enter',
    'Alt+k',
    'Alt+Ctrl+Shift+C',
    'Shift+Tab',
    'Escape',
  ]) {
    expect([keys, meaning(keys)]).toEqual([keys, 'program'])
  }
})

test('on a Mac the program has all of Ctrl, and none of the command key', () => {
  for (const keys of ['Ctrl+c', 'Ctrl+Shift+C', 'Ctrl+f', 'Alt+b'])
    expect(meaning(keys, true)).toBe('program')
  expect(meaning('Cmd+c', true)).toBe('copy')
  expect(meaning('Cmd+v', true)).toBe('paste')
  expect(meaning('Cmd+f', true)).toBe('find')
  for (const keys of ['Cmd+k', 'Cmd+Shift+P']) expect(meaning(keys, true)).toBe('page')
})
