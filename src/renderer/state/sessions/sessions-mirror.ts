import type { Topics } from '../../../shared/contract/contract'
import type { SessionSummary } from '../../../shared/contract/sessions'
import { ask, send } from '../host/calls'
import { client } from '../host/client'
import { mirrorTopic, readMirror, useMirror } from '../host/mirror'
import { tell } from '../window/notices-mirror'
import { goToTerminal } from '../agents/wanted-terminal'
import { showMiddle } from '../window/frame-layout'
import { wantedConversation } from './conversation-requests'

type SessionsState = Topics['sessions']['snapshot']

/** Applies one delta of the list: new and changed sessions, and those that are gone. */
export function applySessions(state: SessionsState, delta: Topics['sessions']['delta']): SessionsState {
  const isListing = delta.isListing ?? state.isListing
  if (!delta.put?.length && !delta.gone?.length) {
    return isListing === state.isListing ? state : { ...state, isListing }
  }
  const put = new Map((delta.put ?? []).map((session) => [session.id, session]))
  const gone = new Set(delta.gone ?? [])
  const kept = state.sessions.flatMap((session) => {
    if (gone.has(session.id)) return []
    const next = put.get(session.id) ?? session
    put.delete(session.id)
    return [next]
  })
  return { sessions: [...kept, ...put.values()], isListing }
}

/** All sessions recorded on this machine. */
export const sessionsMirror = mirrorTopic(client, 'sessions', {}, applySessions)

/** The list, followed; null until the host has told it. */
export function useSessions(): SessionsState | null {
  return useMirror(sessionsMirror, (state) => state)
}

export function useSession(id: string): SessionSummary | undefined {
  return useMirror(sessionsMirror, (state) => state?.sessions.find((session) => session.id === id))
}

/** A session's current title in the list; null for one that is not listed. */
export function titleOf(id: string): string | null {
  return readMirror(sessionsMirror)?.sessions.find((session) => session.id === id)?.title ?? null
}

/** The sessions seen since the host was last told. */
const seen = new Set<string>()

/** Asks for a session's figures unless they are up to date; they arrive with the list. */
export function countSession(id: string): void {
  if (seen.size === 0) {
    queueMicrotask(() => {
      send('sessions.count', { ids: [...seen] })
      seen.clear()
    })
  }
  seen.add(id)
}

const copied =
  'This session continues in its own terminal. You started a copy here; it’s listed once you write in it.'

/** Resumes a session in a terminal and shows it; says so if it is a copy that continues here. */
export async function resumeSession(id: string): Promise<void> {
  const resumed = await ask('sessions.resume', { id })
  if (!resumed) return
  goToTerminal(resumed.terminal)
  if (resumed.isCopy) tell('info', copied)
}

/** What is wanted while it has no id yet. */
const begun = ''

/** Goes on with a session in a conversation, and shows the one that it is in; says so if it is a copy. */
export async function resumeAsConversation(session: string): Promise<void> {
  wantedConversation.make(begun)
  const resumed = await ask('conversation.resume', { session })
  // Whoever has pressed elsewhere meanwhile keeps the focus there.
  const isWanted = wantedConversation.store.getState().wanted === begun
  if (isWanted) wantedConversation.forget()
  if (!resumed) return
  if (isWanted && resumed.id !== null) wantedConversation.make(resumed.id)
  if (isWanted) showMiddle()
  if (resumed.isCopy) tell('info', copied)
}
