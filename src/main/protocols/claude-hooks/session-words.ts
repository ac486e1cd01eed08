import { modeName } from '../claude-tools/permission-suggestions'
import type { WatchedSession } from './session-watch'

/** What a session does, in a few words for the person; null while it isn't known. */
export function sessionWords(session: WatchedSession): string | null {
  const { turn, mode, agents, background, isDoubted } = session
  if (isDoubted) return null
  const parts = [
    turn === null ? 'Waits for a prompt' : 'At work',
    mode === null ? null : modeName(mode),
    agents.size === 0 ? null : countOf(agents.size, 'sub-agent'),
    background === 0 ? null : `${countOf(background, 'command')} in the background`,
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

function countOf(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}
