const macModifiers: Record<string, string> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' }
const macOrder = ['Ctrl', 'Alt', 'Shift', 'Mod']
const macKeys: Record<string, string> = {
  Enter: '↩',
  Backspace: '⌫',
  Delete: '⌦',
  Escape: '⎋',
  Tab: '⇥',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}
const plainKeys: Record<string, string> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** The parts of a key in Mod notation ("Mod+Shift+P") as the person's keyboard names them. */
export function keyParts(key: string, mac: boolean): string[] {
  const parts = key.split('+')
  const last = parts.pop() ?? ''
  if (!mac) {
    return [...parts.map((part) => (part === 'Mod' ? 'Ctrl' : part)), plainKeys[last] ?? last]
  }
  const modifiers = macOrder.filter((name) => parts.includes(name)).map((name) => macModifiers[name] ?? name)
  return [...modifiers, macKeys[last] ?? last]
}

/** A key as one word: "Ctrl+Shift+P", or "⇧⌘P" on a Mac. */
export function keyLabel(key: string, mac: boolean): string {
  return keyParts(key, mac).join(mac ? '' : '+')
}

/** A key as `aria-keyshortcuts` wants it. */
export function keyShortcut(key: string, mac: boolean): string {
  const names: Record<string, string> = { Mod: mac ? 'Meta' : 'Control', Ctrl: 'Control' }
  return key
    .split('+')
    .map((part) => names[part] ?? part)
    .join('+')
}
