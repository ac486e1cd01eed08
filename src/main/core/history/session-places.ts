import { basename, dirname, join } from 'node:path'

/**
 * Where Claude Code keeps its sessions (measured with 2.1.330): a folder for each folder that was worked in, from whose
 * name that can't be derived; in it a file per session, and next to that a folder of the same name for what belongs to
 * it.
 */
export interface SessionPlace {
  id: string
  path: string
}

/** The folder of all projects. `configFolder` is CLAUDE_CONFIG_DIR, or ~/.claude. */
export function projectsFolder(configFolder: string): string {
  return join(configFolder, 'projects')
}

/** The folder in which running command lines record which session they are in. */
export function notesFolder(configFolder: string): string {
  return join(configFolder, 'sessions')
}

/** Whether a text can be a session's id: letters, digits, - and _, so that it is never a path. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9][\w-]{0,127}$/.test(text)
}

/** The session whose file has this path; null for other files, such as those of older versions' sub-agents. */
export function sessionAt(path: string): SessionPlace | null {
  const name = basename(path)
  if (!name.endsWith('.jsonl') || name.startsWith('agent-')) return null
  const id = name.slice(0, -'.jsonl'.length)
  return isSessionId(id) ? { id, path } : null
}

/** The folder for what belongs to a session: its sub-agents' own files, and others. It may not exist. */
export function companionFolder({ id, path }: SessionPlace): string {
  return join(dirname(path), id)
}
