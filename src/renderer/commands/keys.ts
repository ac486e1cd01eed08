/** The parts of a keyboard event that identify a key. */
export interface Stroke {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** Splits a key in Mod notation into its parts. */
export function parseKey(key: string) {
  const parts = key.split('+')
  return {
    mod: parts.includes('Mod'),
    ctrl: parts.includes('Ctrl'),
    alt: parts.includes('Alt'),
    shift: parts.includes('Shift'),
    // "Mod++" is the plus key itself.
    name: parts.at(-1) || '+',
  }
}

/**
 * Whether a stroke is a key in Mod notation ("Mod+Shift+P"; Mod is Cmd on a Mac, Ctrl elsewhere). A letter with Alt
 * is matched by its position, because Alt types signs on some keyboards; a letter without Alt by what it types, or by
 * its position where the keyboard types another script.
 */
export function matchesKey(stroke: Stroke, key: string, mac: boolean): boolean {
  const wanted = parseKey(key)
  const ctrl = mac ? wanted.ctrl : wanted.ctrl || wanted.mod
  const meta = mac ? wanted.mod : false
  if (stroke.ctrlKey !== ctrl || stroke.metaKey !== meta || stroke.altKey !== wanted.alt) return false
  const isLetter = /^[A-Z]$/.test(wanted.name)
  if (isLetter) {
    if (stroke.shiftKey !== wanted.shift) return false
    const byPlace = stroke.code === `Key${wanted.name}`
    if (wanted.alt || !/^[a-z]$/i.test(stroke.key)) return byPlace
    return stroke.key.toUpperCase() === wanted.name
  }
  if (/^[0-9]$/.test(wanted.name)) {
    return (
      stroke.shiftKey === wanted.shift &&
      (stroke.key === wanted.name || stroke.code === `Digit${wanted.name}`)
    )
  }
  // Which signs need Shift depends on the keyboard; the sign itself is what counts.
  const isSign = wanted.name.length === 1
  if (!isSign && stroke.shiftKey !== wanted.shift) return false
  return stroke.key === wanted.name
}
