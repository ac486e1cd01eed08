import { type Stroke, parseKey } from './keys'
import type { Command } from './registry'

/** Keys that navigate, choose and close everywhere; a command can have them only with Mod, Ctrl or Alt. */
const everydayKeys = new Set([
  ...['Enter', 'Escape', 'Tab', 'Backspace', 'Delete', 'Insert', ' '],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['ContextMenu', 'CapsLock', 'NumLock', 'ScrollLock', 'Pause', 'PrintScreen'],
])
const modifiers = new Set(['Control', 'Meta', 'Alt', 'AltGraph', 'Shift', 'Fn', 'Hyper', 'Super'])

/** Keys of the page and the system; a command would never get them, or would take them from every field. */
const taken: Record<string, string> = {
  'Mod+C': 'copies',
  'Mod+V': 'pastes',
  'Mod+X': 'cuts',
  'Mod+A': 'selects all',
  'Mod+Z': 'undoes',
}

/** A key that a person pressed for a command: in Mod notation, or why it can't be used. */
export type ChosenKey = { kind: 'key'; key: string } | { kind: 'refused'; sentence: string }

/** Reads a stroke as a command's key. Null while only modifiers are held. */
export function chooseKey(stroke: Stroke, mac: boolean): ChosenKey | null {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = stroke
  if (modifiers.has(key)) return null
  if (key === 'Dead' || key === 'Process' || key === 'Unidentified')
    return refuse('This key isn’t supported.')
  // The Windows key, and Ctrl+Cmd on a Mac, are the system's.
  if (!mac && metaKey) return refuse('The system reserves this key.')
  const name = nameOf(key, code, altKey)
  const isFunction = /^F\d{1,2}$/.test(name)
  const isHeld = ctrlKey || metaKey || altKey
  if (!isHeld && !isFunction) {
    return refuse(
      everydayKeys.has(key)
        ? 'This key navigates everywhere. Combine it with Ctrl or Alt.'
        : 'This key types text. Combine it with Ctrl or Alt.',
    )
  }
  // A sign already implies Shift where it needs it.
  const isSign = name.length === 1 && !/[A-Z0-9]/.test(name)
  const parts = [
    mac ? (metaKey ? 'Mod' : '') : ctrlKey ? 'Mod' : '',
    mac && ctrlKey ? 'Ctrl' : '',
    altKey ? 'Alt' : '',
    shiftKey && !isSign ? 'Shift' : '',
    name === ' ' ? 'Space' : name,
  ]
  const chosen = parts.filter(Boolean).join('+')
  if (name === ' ') return refuse('The space bar is reserved for text and the system.')
  const what = taken[chosen]
  return what === undefined
    ? { kind: 'key', key: chosen }
    : refuse(`This key ${what} everywhere. Choose another one.`)
}

function nameOf(key: string, code: string, alt: boolean): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  const digit = /^Digit(\d)$/.exec(code)?.[1]
  if (/^[a-z]$/i.test(key) && !alt) return key.toUpperCase()
  // With Alt, or in another script, the position counts; so it does for digits that Shift turns into signs.
  if (letter !== undefined) return letter
  if (digit !== undefined) return digit
  return key
}

function refuse(sentence: string): ChosenKey {
  return { kind: 'refused', sentence }
}

/** The same text for the same key: Ctrl is Mod where both are one key, and the order of the parts does not count. */
export function sameKey(key: string, mac: boolean): string {
  const { mod, ctrl, alt, shift, name } = parseKey(key)
  const isMod = mod || (ctrl && !mac)
  const held = [alt && 'Alt', ctrl && mac && 'Ctrl', isMod && 'Mod', shift && 'Shift']
  return [...held.filter(Boolean), name].join('+')
}

/**
 * A command's keys that other commands in the same scope have too, with those commands. A scoped command takes
 * precedence over an unscoped one by design (Save keeps a review's draft in a review), so those don't conflict.
 */
export function conflictsOf(
  command: Command,
  commands: readonly Command[],
  keysOf: (command: Command) => readonly string[],
  mac: boolean,
): { key: string; others: Command[] }[] {
  return keysOf(command).flatMap((key) => {
    const wanted = sameKey(key, mac)
    const others = commands.filter(
      (other) =>
        other.id !== command.id &&
        other.scope === command.scope &&
        keysOf(other).some((one) => sameKey(one, mac) === wanted),
    )
    return others.length > 0 ? [{ key, others }] : []
  })
}
