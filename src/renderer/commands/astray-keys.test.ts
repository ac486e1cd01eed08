import { beforeEach, expect, test } from 'vitest'
import { AstrayKeys, settlingTime } from './astray-keys'
import type { Command } from './registry'

/** An element of which only is known which text it stands in. */
const within = (text: string | null): Element => {
  const place = text === null ? null : places[text]
  return { closest: () => place ?? null } as unknown as Element
}
const places: Record<string, object> = { terminal: {}, review: {} }
const terminal = within('terminal')
const review = within('review')
const list = within(null)

const stroke = (key: string, more: { ctrl?: boolean; shift?: boolean; repeat?: boolean } = {}) => ({
  key,
  code: key,
  ctrlKey: more.ctrl ?? false,
  shiftKey: more.shift ?? false,
  altKey: false,
  metaKey: false,
  repeat: more.repeat ?? false,
})
const command = (id: string, keys: string[], scope?: string): Command => ({
  id,
  title: id,
  keys,
  run: () => {},
  ...(scope === undefined ? {} : { scope }),
})
const accept = command('review.acceptFile', ['Mod+Enter'], 'review')
const reject = command('review.rejectFile', ['Mod+Shift+Backspace'], 'review')
const close = command('tab.close', ['Mod+W'])
const commands = [accept, reject, close]
const enter = stroke('Enter', { ctrl: true })

let keys: AstrayKeys
beforeEach(() => {
  keys = new AstrayKeys(false)
})

test('a key pressed again at once does not reach the terminal that its command has led to', () => {
  keys.ran(accept, review, 0)
  // The answer takes its time; what counts is when the focus moves.
  keys.moved(1000)
  expect(keys.isAstray(enter, terminal, commands, 1100)).toBe(true)
  expect(keys.isAstray(enter, terminal, commands, 1100 + settlingTime - 1)).toBe(true)
  expect(keys.isAstray(enter, terminal, commands, 1100 + 3 * settlingTime)).toBe(false)
})

test('nor do the other keys of that place, while text goes where it is typed', () => {
  keys.ran(accept, review, 0)
  keys.moved(10)
  expect(keys.isAstray(stroke('Backspace', { ctrl: true, shift: true }), terminal, commands, 20)).toBe(true)
  expect(keys.isAstray(stroke('Enter'), terminal, commands, 30)).toBe(false)
  expect(keys.isAstray(stroke('y'), terminal, commands, 30)).toBe(false)
})

test('a command of everywhere takes its own key with it and no other', () => {
  keys.ran(close, list, 0)
  keys.moved(10)
  expect(keys.isAstray(stroke('w', { ctrl: true }), terminal, commands, 20)).toBe(true)
  expect(keys.isAstray(enter, terminal, commands, 20)).toBe(false)
})

test('whoever has done something else means what they press', () => {
  keys.ran(accept, review, 0)
  keys.moved(10)
  keys.forget()
  expect(keys.isAstray(enter, terminal, commands, 20)).toBe(false)
})

test('a key that is held down stays with the text that it was pressed in', () => {
  const held = stroke('Enter', { repeat: true })
  keys.press(stroke('Enter'), list)
  expect(keys.isAstray(held, terminal, commands, 10_000)).toBe(true)
  keys.press(stroke('Enter'), terminal)
  expect(keys.isAstray(held, terminal, commands, 10_000)).toBe(false)
  expect(keys.isAstray(held, review, commands, 10_000)).toBe(true)
})

test('what is no text takes every key', () => {
  keys.press(stroke('ArrowDown'), terminal)
  keys.ran(accept, review, 0)
  expect(keys.isAstray(stroke('ArrowDown', { repeat: true }), list, commands, 10)).toBe(false)
  expect(keys.isAstray(enter, list, commands, 10)).toBe(false)
})
