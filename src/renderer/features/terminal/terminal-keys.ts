import { isFixedKey } from '../../commands/fixed-keys'
import type { Stroke } from '../../commands/keys'

/** What a key means in a focused terminal. */
type TerminalKey = 'program' | 'copy' | 'paste' | 'find' | 'page'

const own = [
  ['copy', 'terminal.copyKey'],
  ['paste', 'terminal.pasteKey'],
  ['find', 'terminal.findKey'],
] as const

/**
 * What a key means. Keys of commands that a terminal gives up never come here. On a Mac keys with Command never go to
 * the program.
 */
export function meaningOf(stroke: Stroke, mac: boolean): TerminalKey {
  for (const [meaning, id] of own) {
    if (isFixedKey(stroke, id, mac)) return meaning
  }
  return mac && stroke.metaKey && !stroke.ctrlKey && !stroke.altKey ? 'page' : 'program'
}
