/** What a key means in a focused terminal, where it is not for the program. */
export type TerminalKey = 'program' | 'copy' | 'paste' | 'find' | 'page'

/** What of a keyboard event decides. */
export interface TerminalStroke {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/**
 * Whose a key is: the program gets all but F6, Mod+Shift+P, Mod+Shift+F, and copy and paste (Mod+Shift+C, Mod+Shift+V).
 * On a Mac the command key is never the program's.
 */
export function meaningOf(stroke: TerminalStroke, mac: boolean): TerminalKey {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = stroke
  if (key === 'F6' && !ctrlKey && !metaKey && !altKey) return 'page'
  const mod = mac ? metaKey && !ctrlKey : ctrlKey && !metaKey
  if (!mod || altKey) return 'program'
  const letter = key.toLowerCase()
  if (mac && letter === 'f' && !shiftKey) return 'find'
  if (!mac && !shiftKey) return 'program'
  switch (letter) {
    case 'c':
      return 'copy'
    case 'v':
      return 'paste'
    case 'p':
    case 'f':
      return 'page'
    default:
      return mac ? 'page' : 'program'
  }
}
