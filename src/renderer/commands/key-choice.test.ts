import { describe, expect, it } from 'vitest'
import { chooseKey, conflictsOf, sameKey } from './key-choice'
import { type Stroke, matchesKey } from './keys'
import type { Command } from './registry'

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

describe('chooseKey', () => {
  it('names what was pressed so that the same press means it later', () => {
    const pressed: [Stroke, string][] = [
      [stroke('e', 'KeyE', 'ctrl', 'alt'), 'Mod+Alt+E'],
      [stroke('E', 'KeyE', 'ctrl', 'shift'), 'Mod+Shift+E'],
      [stroke('F9', 'F9'), 'F9'],
      [stroke('!', 'Digit1', 'ctrl', 'shift'), 'Mod+Shift+1'],
      [stroke(';', 'Comma', 'ctrl', 'shift'), 'Mod+;'],
      [stroke('ы', 'KeyS', 'ctrl'), 'Mod+S'],
      [stroke('ArrowUp', 'ArrowUp', 'alt'), 'Alt+ArrowUp'],
      [stroke('+', 'Equal', 'ctrl', 'shift'), 'Mod++'],
    ]
    for (const [press, key] of pressed) {
      expect(chooseKey(press, false)).toEqual({ kind: 'key', key })
      expect(matchesKey(press, key, false)).toBe(true)
    }
    const option = stroke('®', 'KeyR', 'alt')
    expect(chooseKey(option, true)).toEqual({ kind: 'key', key: 'Alt+R' })
    expect(matchesKey(option, 'Alt+R', true)).toBe(true)
    expect(chooseKey(stroke('k', 'KeyK', 'meta', 'ctrl'), true)).toEqual({ kind: 'key', key: 'Mod+Ctrl+K' })
  })

  it('refuses what types text, moves, or is everybody’s', () => {
    const refused = (press: Stroke) => chooseKey(press, false)?.kind
    expect(refused(stroke('a', 'KeyA'))).toBe('refused')
    expect(refused(stroke('A', 'KeyA', 'shift'))).toBe('refused')
    expect(refused(stroke('Enter', 'Enter'))).toBe('refused')
    expect(refused(stroke('Tab', 'Tab', 'shift'))).toBe('refused')
    expect(refused(stroke('c', 'KeyC', 'ctrl'))).toBe('refused')
    expect(refused(stroke('e', 'KeyE', 'meta'))).toBe('refused')
  })

  it('waits while only Ctrl and its like are held', () => {
    expect(chooseKey(stroke('Control', 'ControlLeft', 'ctrl'), false)).toBeNull()
    expect(chooseKey(stroke('Shift', 'ShiftLeft', 'shift'), false)).toBeNull()
  })
})

describe('conflictsOf', () => {
  const nothing = () => undefined
  const save: Command = { id: 'file.save', title: 'Save', keys: ['Mod+S'], run: nothing }
  const store: Command = { id: 'x.store', title: 'Store', keys: ['Ctrl+S'], run: nothing }
  const keep: Command = { id: 'r.keep', title: 'Keep', keys: ['Mod+S'], scope: 'review', run: nothing }
  const keys = (command: Command) => command.keys ?? []

  it('names commands of the same place with the same key, however it is spelled', () => {
    expect(conflictsOf(save, [save, store, keep], keys, false)).toEqual([{ key: 'Mod+S', others: [store] }])
    expect(conflictsOf(save, [save, store, keep], keys, true)).toEqual([])
    expect(conflictsOf(keep, [save, store, keep], keys, false)).toEqual([])
  })

  it('spells a key in one way', () => {
    expect(sameKey('Shift+Mod+P', false)).toBe(sameKey('Mod+Shift+P', false))
    expect(sameKey('Mod++', false)).toBe('Mod++')
  })
})
