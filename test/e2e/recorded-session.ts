import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './running-host'

/** Writes a session as the command line leaves it on the disk, in the home of a test. Gives the file's path. */
export function recordSession(
  place: Pick<Place, 'home' | 'project'>,
  id: string,
  records: Iterable<unknown>,
  folder: string = place.project,
): string {
  const project = join(place.home, '.claude', 'projects', folder.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  mkdirSync(project, { recursive: true })
  const path = join(project, `${id}.jsonl`)
  const lines = [...records].map((one) => ({ ...(one as object), cwd: folder, sessionId: id }))
  writeFileSync(path, asLines(lines))
  return path
}

/** Writes the record of a sub-agent of a session beside it; `call` is the tool's that started it. */
export function recordAgent(
  session: string,
  agent: string,
  call: string,
  records: Iterable<unknown>,
): string {
  const folder = join(session.slice(0, -'.jsonl'.length), 'subagents')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `agent-${agent}.meta.json`), JSON.stringify({ toolUseId: call }))
  const path = join(folder, `agent-${agent}.jsonl`)
  const lines = [...records].map((one) => ({ ...(one as object), isSidechain: true, agentId: agent }))
  writeFileSync(path, asLines(lines))
  return path
}

/** Records as they stand in a session's file. */
export function asLines(records: Iterable<unknown>): string {
  return [...records].map((one) => `${JSON.stringify(one)}\n`).join('')
}
