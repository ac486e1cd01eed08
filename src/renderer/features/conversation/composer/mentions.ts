import type { TypedToken } from './suggestions'

/** The mention or command that is being typed where the cursor stands; null where there is none. */
export function tokenAt(text: string, caret: number): TypedToken | null {
  // A command is all of the message until its first space.
  if (/^\/\S*$/.test(text)) return { kind: 'command', typed: text, from: 0 }
  const typed = /(?:^|[\s([{'"])(@[^\s@]*)$/.exec(text.slice(0, caret))?.[1]
  return typed === undefined ? null : { kind: 'mention', typed, from: caret - typed.length }
}

/** A path as agents know a mention: from the conversation's folder if it is inside, in quotes if it has spaces. */
export function mentionOf(path: string, folder: string | null, line?: number): string {
  const next = folder === null ? undefined : path[folder.length]
  const isInside = folder !== null && path.startsWith(folder) && (next === '/' || next === '\\')
  const name = (isInside ? path.slice(folder.length + 1) : path) + (line === undefined ? '' : `#L${line + 1}`)
  return /\s/.test(name) ? `@"${name}"` : `@${name}`
}
