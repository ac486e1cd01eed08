import { isFixedKey } from '../../commands/fixed-keys'
import type { Stroke } from '../../commands/keys'

/** What a key means in a focused terminal, where it is not for the program. */
export type TerminalKey = 'program' | 'copy' | 'paste' | 'find' | 'page'

const own = [
  ['copy', 'terminal.copyKey'],
  ['paste', 'terminal.pasteKey'],
  ['find', 'terminal.findKey'],
] as const

/**
 * Whose a key is: the program gets all but paste. Keys of commands that a terminal gives up, copy among them, never come here.
 * On a Mac the command key is never the program's.
 */
export function meaningOf(stroke: Stroke, mac: boolean): TerminalKey {
  for (const [meaning, id] of own) {
    if (isFixedKey(stroke, id, mac)) return meaning
  }
  return mac && stroke.metaKey && !stroke.ctrlKey && !stroke.altKey ? 'page' : 'program'
}
