import { useEffect, useState } from 'react'
import { type StoreApi, createStore } from 'zustand/vanilla'
import type { Topics } from '../../shared/contract/contract'
import { type Disposable, disposable } from '../../shared/lifetime'
import { SessionTranscript } from '../../shared/session-transcript'
import type { SourceLine } from '../../shared/transcript'
import { attempt } from './calls'
import { type HostClient, client } from './client'
import { tell } from './notices'

type Stretch = NonNullable<Topics['session']['snapshot']>

/** A recorded session as the page has it. The transcript grows in place: `revision` says that it has. */
export interface SessionShown {
  phase: 'waiting' | 'here' | 'refused'
  transcript: SessionTranscript
  revision: number
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
  /**
   * Reads pages until the line at an offset is here. False where it is not: it is too far back, or could not be read.
   */
  reach(offset: number): Promise<boolean>
  /** Takes another way where the conversation forks. */
  choose(item: string): void
  /** Follows a sub-agent's own record until the result is ended. */
  followAgent(agent: string): Disposable
}

/** So many messages are read at once on the way to one further back, */
const stride = 500
/** and so far it is gone back at most, in bytes: all of it is kept. */
const farthest = 64 * 1024 * 1024

/** Begins to follow a session; its last page comes first. */
export function followSession(id: string, host: HostClient = client): SessionView {
  const store = createStore<SessionShown>()(() => ({
    phase: 'waiting',
    transcript: new SessionTranscript(),
    revision: 0,
    hasEarlier: false,
    isLoading: false,
    isGone: false,
  }))
  let reading = -1
  let from = 0
  /** The sub-agents whose records are looked at: how often, and the subscription. */
  const followed = new Map<string, { lookers: number; subscription: Disposable }>()
  /** Which sub-agents the calls have started, as far as the host has told. */
  let started: readonly { call: string; agent: string }[] = []

  function begin(stretch: Stretch): void {
    reading = stretch.reading
    from = stretch.from
    const { revision } = store.getState()
    const next = new SessionTranscript()
    next.add(stretch.lines as SourceLine[])
    for (const { call, agent } of started) next.noteAgent(call, agent)
    store.setState({
      phase: 'here',
      transcript: next,
      revision: revision + 1,
      hasEarlier: from > 0,
      isGone: false,
    })
    // Their lines belong to the transcript before.
    for (const [agent, one] of followed) {
      one.subscription.dispose()
      one.subscription = subscribeTo(agent)
    }
  }

  function add(lines: Stretch['lines'], more: Partial<SessionShown> = {}): void {
    const { transcript, revision } = store.getState()
    transcript.add(lines as SourceLine[])
    store.setState({ revision: revision + 1, isGone: false, ...more })
  }

  /** Changes the transcript in place. */
  function change(how: (transcript: SessionTranscript) => void): void {
    const { transcript, revision } = store.getState()
    how(transcript)
    store.setState({ revision: revision + 1 })
  }

  function subscribeTo(agent: string): Disposable {
    const take = (lines: Stretch['lines']) =>
      change((transcript) => transcript.agent(agent).add(lines as SourceLine[]))
    return host.subscribe(
      'subAgent',
      { id, agent },
      {
        // Without a record of its own its lines stand among the session's.
        snapshot: (stretch) => stretch && take(stretch.lines),
        delta: (delta) => {
          switch (delta.kind) {
            case 'appended':
              return take(delta.lines)
            case 'anew':
              change((transcript) => transcript.forgetAgent(agent))
              return take(delta.stretch.lines)
            case 'gone':
          }
        },
      },
    )
  }

  const subscription = host.subscribe(
    'session',
    { id },
    {
      snapshot: (stretch) => (stretch ? begin(stretch) : store.setState({ phase: 'refused' })),
      delta: (delta) => {
        switch (delta.kind) {
          case 'appended':
            return add(delta.lines)
          case 'anew':
            return begin(delta.stretch)
          case 'gone':
            return store.setState({ isGone: true })
          case 'agents':
            started = delta.agents
            return change((transcript) => {
              for (const { call, agent } of started) transcript.noteAgent(call, agent)
            })
        }
      },
      refused: () => store.setState({ phase: 'refused' }),
    },
  )
  const end = disposable(() => {
    subscription.dispose()
    for (const one of followed.values()) one.subscription.dispose()
    followed.clear()
  })

  async function loadEarlier(messages?: number): Promise<boolean> {
    const { isLoading, hasEarlier } = store.getState()
    if (isLoading || !hasEarlier) return false
    store.setState({ isLoading: true })
    const asked = reading
    const more = messages === undefined ? {} : { messages }
    const result = await attempt('sessions.earlier', { id, reading, before: from, ...more })
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
  }

  /** Settles when no page is being read. */
  async function rested(): Promise<void> {
    if (!store.getState().isLoading) return
    await new Promise<void>((resolve) => {
      const stop = store.subscribe(({ isLoading }) => {
        if (isLoading) return
        stop()
        resolve()
      })
    })
  }

  return {
    store,
    loadEarlier: () => loadEarlier(),
    async reach(offset) {
      const end = from
      while (from > offset && end - from < farthest) {
        await rested()
        const before = from
        // Somebody else may have begun to read a page.
        if (from > offset && !(await loadEarlier(stride)) && from === before && !store.getState().isLoading)
          break
      }
      return from <= offset
    },
    choose: (item) => change((transcript) => void transcript.choose(item)),
    followAgent(agent) {
      const known = followed.get(agent)
      const one = known ?? { lookers: 0, subscription: subscribeTo(agent) }
      if (!known) followed.set(agent, one)
      one.lookers++
      return disposable(() => {
        one.lookers--
        if (one.lookers > 0 || followed.get(agent) !== one) return
        followed.delete(agent)
        one.subscription.dispose()
      })
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
