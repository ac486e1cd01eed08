import { describe, expect, it } from 'vitest'
import { type Stroke, matchesKey } from './keys'

function stroke(key: string, code: string, ...held: ('ctrl' | 'meta' | 'alt' | 'shift')[]): Stroke {
  return {
    key,
    code,
    ctrlKey: held.includes('ctrl'),
    metaKey: held.includes('meta'),
    altKey: held.includes('alt'),
    shiftKey: held.includes('shift'),
  }
}

describe('matchesKey', () => {
  it('takes Ctrl for Mod, and Cmd on a Mac', () => {
    const ctrl = stroke('b', 'KeyB', 'ctrl')
    const cmd = stroke('b', 'KeyB', 'meta')
    expect(matchesKey(ctrl, 'Mod+B', false)).toBe(true)
    expect(matchesKey(cmd, 'Mod+B', false)).toBe(false)
    expect(matchesKey(cmd, 'Mod+B', true)).toBe(true)
    expect(matchesKey(ctrl, 'Mod+B', true)).toBe(false)
  })

  it('wants exactly the modifiers named', () => {
    expect(matchesKey(stroke('P', 'KeyP', 'ctrl', 'shift'), 'Mod+Shift+P', false)).toBe(true)
    expect(matchesKey(stroke('P', 'KeyP', 'ctrl', 'shift'), 'Mod+P', false)).toBe(false)
    expect(matchesKey(stroke('p', 'KeyP', 'ctrl'), 'Mod+Shift+P', false)).toBe(false)
    expect(matchesKey(stroke('p', 'KeyP', 'ctrl', 'alt'), 'Mod+P', false)).toBe(false)
  })

  it('goes by the place of a letter with Alt', () => {
    // A Mac types ˚ with Option+K; a French keyboard has A where others have Q.
    expect(matchesKey(stroke('˚', 'KeyK', 'alt'), 'Alt+K', true)).toBe(true)
    expect(matchesKey(stroke('k', 'KeyJ', 'alt'), 'Alt+K', false)).toBe(false)
  })

  it('goes by what a letter types without Alt', () => {
    expect(matchesKey(stroke('s', 'KeyO', 'ctrl'), 'Mod+S', false)).toBe(true)
    expect(matchesKey(stroke('o', 'KeyS', 'ctrl'), 'Mod+S', false)).toBe(false)
  })

  it('goes by the place where another script is typed', () => {
    expect(matchesKey(stroke('ы', 'KeyS', 'ctrl'), 'Mod+S', false)).toBe(true)
  })

  it('knows named keys, and signs whatever they need to be typed', () => {
    expect(matchesKey(stroke('F6', 'F6', 'shift'), 'Shift+F6', false)).toBe(true)
    expect(matchesKey(stroke('F6', 'F6', 'shift'), 'F6', false)).toBe(false)
    expect(matchesKey(stroke('Enter', 'NumpadEnter', 'ctrl'), 'Mod+Enter', false)).toBe(true)
    expect(matchesKey(stroke(',', 'Comma', 'ctrl'), 'Mod+,', false)).toBe(true)
    expect(matchesKey(stroke('Backspace', 'Backspace', 'ctrl', 'shift'), 'Mod+Shift+Backspace', false)).toBe(
      true,
    )
  })
})
