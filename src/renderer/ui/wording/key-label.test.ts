import { expect, it } from 'vitest'
import { keyLabel, keyShortcut } from './key-label'

it.each([
  ['Mod+Shift+P', 'Ctrl+Shift+P', '⇧⌘P'],
  ['Alt+K', 'Alt+K', '⌥K'],
  ['F6', 'F6', 'F6'],
  ['Mod+Enter', 'Ctrl+Enter', '⌘↩'],
  ['Mod+Shift+Backspace', 'Ctrl+Shift+Backspace', '⇧⌘⌫'],
])('names %s for each keyboard', (key, plain, mac) => {
  expect(keyLabel(key, false)).toBe(plain)
  expect(keyLabel(key, true)).toBe(mac)
})

it('tells assistive technology the real modifier', () => {
  expect(keyShortcut('Mod+B', false)).toBe('Control+B')
  expect(keyShortcut('Mod+B', true)).toBe('Meta+B')
})
