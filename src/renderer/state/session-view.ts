import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { type StoreApi, createStore } from 'zustand/vanilla'
import type { Topics } from '../../shared/contract/contract'
import { type Disposable, disposable } from '../../shared/lifetime'
import { SessionTranscript } from '../../shared/session-transcript'
import type { SourceLine, ThreadChange } from '../../shared/transcript'
import { attempt } from './calls'
import { type HostClient, client } from './client'
import { tell } from './notices'

type Stretch = NonNullable<Topics['session']['snapshot']>

/** A recorded session as the page has it. The transcript grows in place: `revision` says that it has. */
export interface SessionShown {
  phase: 'waiting' | 'here' | 'refused'
  transcript: SessionTranscript
  revision: number
  /** What the last revision changed; null where all is new. */
  change: ThreadChange | null
  /** Something stands before what is here. */
  hasEarlier: boolean
  isLoading: boolean
  /** Its file is not there any more. What was read stays. */
  isGone: boolean
}

/** A session, followed while it is shown. */
export interface SessionView extends Disposable {
  readonly store: StoreApi<SessionShown>
  /** Reads the page before the first line; false when there is none, or it could not be read. */
  loadEarlier(): Promise<boolean>
  /** Takes another way where the conversation forks. */
  choose(item: string): void
  /** Reads a sub-agent's own record, once. */
  loadAgent(agent: string): Promise<void>
}

/** Begins to follow a session; its last page comes first. */
export function followSession(id: string, host: HostClient = client): SessionView {
  const store = createStore<SessionShown>()(() => ({
    phase: 'waiting',
    transcript: new SessionTranscript(),
    revision: 0,
    change: null,
    hasEarlier: false,
    isLoading: false,
    isGone: false,
  }))
  let reading = -1
  let from = 0
  const agents = new Set<string>()

  function begin(stretch: Stretch): void {
    reading = stretch.reading
    from = stretch.from
    agents.clear()
    const { revision } = store.getState()
    const next = new SessionTranscript()
    next.add(stretch.lines as SourceLine[])
    store.setState({
      phase: 'here',
      transcript: next,
      revision: revision + 1,
      change: null,
      hasEarlier: from > 0,
      isGone: false,
    })
  }

  function add(lines: Stretch['lines'], more: Partial<SessionShown> = {}): void {
    const { transcript, revision } = store.getState()
    const change = transcript.add(lines as SourceLine[])
    store.setState({ revision: revision + 1, change, isGone: false, ...more })
  }

  const subscription = host.subscribe(
    'session',
    { id },
    {
      snapshot: (stretch) => (stretch ? begin(stretch) : store.setState({ phase: 'refused' })),
      delta: (delta) => {
        if (delta.kind === 'appended') add(delta.lines)
        else if (delta.kind === 'anew') begin(delta.stretch)
        else store.setState({ isGone: true })
      },
      refused: () => store.setState({ phase: 'refused' }),
    },
  )
  const end = disposable(() => subscription.dispose())

  return {
    store,
    async loadEarlier() {
      const { isLoading, hasEarlier } = store.getState()
      if (isLoading || !hasEarlier) return false
      store.setState({ isLoading: true })
      const asked = reading
      const result = await attempt('sessions.earlier', { id, reading, before: from })
      if (asked !== reading) {
        store.setState({ isLoading: false })
        return false
      }
      if (!result.ok) {
        store.setState({ isLoading: false })
        if (result.failure.code !== 'stale') tell('error', result.failure.message)
        return false
      }
      from = result.value.from
      add(result.value.lines, { isLoading: false, hasEarlier: from > 0 })
      return true
    },
    choose(item) {
      const { transcript, revision } = store.getState()
      store.setState({ change: transcript.choose(item), revision: revision + 1 })
    },
    async loadAgent(agent) {
      // Asked at each unfolding: what it has said since then comes to the rest.
      if (agents.has(agent)) return
      agents.add(agent)
      const asked = reading
      const result = await attempt('sessions.agent', { id, agent })
      agents.delete(agent)
      if (asked !== reading || !result.ok) return
      const { transcript, revision } = store.getState()
      transcript.agent(agent).add(result.value.lines as SourceLine[])
      store.setState({ revision: revision + 1, change: null })
    },
    dispose: () => end.dispose(),
  }
}

/** Follows a session while the component stands. Null until it begins. */
export function useSessionView(id: string): SessionView | null {
  const [view, setView] = useState<SessionView | null>(null)
  useEffect(() => {
    const next = followSession(id)
    setView(next)
    return () => next.dispose()
  }, [id])
  return view
}

/** What is shown of a followed session. */
export function useSessionShown(view: SessionView): SessionShown {
  return useStore(view.store)
}
