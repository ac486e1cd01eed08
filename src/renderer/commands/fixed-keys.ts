import { type Stroke, matchesKey } from './keys'
import type { Command } from './registry'

interface FixedKey {
  /** "place.verb", as a command's. Those of the editor begin with `editor.` and hold wherever its commands do. */
  id: string
  title: string
  /** In Mod notation; null where a system has none. */
  key: string | null
  /** On a Mac, if it differs there. */
  macKey?: string
  scope?: string
}

/** Keys that are not commands: the focused element handles them itself, and they can't be changed. */
const fixedKeys = [
  { id: 'editor.find', title: 'Find and replace', key: 'Mod+F' },
  { id: 'editor.undo', title: 'Undo', key: 'Mod+Z' },
  { id: 'editor.comment', title: 'Toggle line comment', key: 'Mod+/' },
  { id: 'editor.selectNext', title: 'Select next occurrence', key: 'Mod+D' },
  { id: 'editor.cursorAbove', title: 'Add cursor above', key: 'Mod+Alt+ArrowUp' },
  { id: 'editor.cursorBelow', title: 'Add cursor below', key: 'Mod+Alt+ArrowDown' },
  { id: 'editor.lineUp', title: 'Move line up', key: 'Alt+ArrowUp' },
  { id: 'editor.lineDown', title: 'Move line down', key: 'Alt+ArrowDown' },
  { id: 'editor.fold', title: 'Fold here', key: 'Ctrl+Shift+[', macKey: 'Mod+Alt+[' },
  { id: 'editor.unfold', title: 'Unfold here', key: 'Ctrl+Shift+]', macKey: 'Mod+Alt+]' },
  { id: 'editor.leaveTab', title: 'Toggle Tab moving focus', key: 'Ctrl+M', macKey: 'Alt+Shift+M' },
  { id: 'terminal.copyKey', title: 'Copy', key: null, macKey: 'Mod+C', scope: 'terminal' },
  { id: 'terminal.pasteKey', title: 'Paste', key: 'Mod+Shift+V', macKey: 'Mod+V', scope: 'terminal' },
  { id: 'terminal.findKey', title: 'Find', key: null, macKey: 'Mod+F', scope: 'terminal' },
  { id: 'conversation.sendKey', title: 'Send', key: 'Enter', scope: 'conversation' },
  { id: 'conversation.lineKey', title: 'New line', key: 'Shift+Enter', scope: 'conversation' },
  {
    ...{ id: 'conversation.earlierKey', title: 'Earlier message (at the start of the field)' },
    ...{ key: 'ArrowUp', scope: 'conversation' },
  },
  {
    ...{ id: 'conversation.laterKey', title: 'Later message (at the end of the field)' },
    ...{ key: 'ArrowDown', scope: 'conversation' },
  },
  { id: 'sessions.renameKey', title: 'Rename', key: 'F2', scope: 'sessions' },
  { id: 'sessions.deleteKey', title: 'Delete', key: 'Delete', scope: 'sessions' },
] as const satisfies readonly FixedKey[]

type FixedKeyId = (typeof fixedKeys)[number]['id']

/** A fixed key; undefined where this system has none. */
export function fixedKey(id: FixedKeyId, mac: boolean): string | undefined {
  const found: FixedKey | undefined = fixedKeys.find((fixed) => fixed.id === id)
  return (found && keyOn(found, mac)) ?? undefined
}

/** Whether a stroke is this fixed key. */
export function isFixedKey(stroke: Stroke, id: FixedKeyId, mac: boolean): boolean {
  const key = fixedKey(id, mac)
  return key !== undefined && matchesKey(stroke, key, mac)
}

/** The fixed keys as commands that do nothing, for the lists of keys. */
export function fixedCommands(mac: boolean): Command[] {
  return fixedKeys.flatMap((fixed: FixedKey) => {
    const key = keyOn(fixed, mac)
    const { id, title, scope } = fixed
    return key === null ? [] : [{ id, title, keys: [key], ...(scope ? { scope } : {}), run: () => undefined }]
  })
}

function keyOn({ key, macKey }: FixedKey, mac: boolean): string | null {
  return mac ? (macKey ?? key) : key
}
