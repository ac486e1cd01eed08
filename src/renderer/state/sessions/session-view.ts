import { type StoreApi, createStore } from 'zustand/vanilla'
import type { Topics } from '../../../shared/contract/contract'
import { type Disposable, disposable } from '../../../shared/lifetime'
import { type Result, succeed } from '../../../shared/result'
import { SessionTranscript } from '../../../shared/conversation/session-transcript'
import { attempt } from '../host/calls'
import { type HostClient, client } from '../host/client'
import { useFollowed } from '../host/mirror'
import {
  type Gap,
  gapsIn,
  isLoaded,
  type LoadedStretch,
  loadedFrom,
  nextLoaded,
  withStretch,
} from './loaded-stretches'
import { tell } from '../window/notices-mirror'
import { AgentRecords } from '../agents/agent-records'

type Stretch = NonNullable<Topics['session']['snapshot']>

/** A recorded session as the page has it. The transcript changes in place, and `revision` with it. */
export interface SessionShown {
  phase: 'waiting' | 'here' | 'refused'
  transcript: SessionTranscript
  revision: number
  /** There is more before what is loaded. */
  hasEarlier: boolean
  isLoading: boolean
  /** What is missing between loaded parts, in order. */
  gaps: readonly Gap[]
  /** Its file is gone. What was read stays. */
  isGone: boolean
}

/** A session, followed while it is shown. */
export interface SessionView extends Disposable {
  readonly store: StoreApi<SessionShown>
  /** Reads the page before the first line; false when there is none, or it could not be read. */
  loadEarlier(): Promise<boolean>
  /** Loads a piece of the gap after the line that ends at an offset. */
  loadLater(after: number): Promise<boolean>
  /**
   * Loads the line at an offset with what is around it: everything up to there if it is near, else as a separate part.
   * False where that fails.
   */
  reach(offset: number): Promise<boolean>
  /** Takes another way where the conversation forks. */
  choose(item: string): void
  /** The records of sub-agents. */
  readonly agents: AgentRecords
}

/** How many messages are read at once on the way to an earlier one. */
const stride = 500
/** An earlier line this close is reached page by page, in bytes. */
const near = 8 * 1024 * 1024

/** Follows a session, starting with its last page. */
export function followSession(id: string, host: HostClient = client): SessionView {
  const store = createStore<SessionShown>()(() => ({
    phase: 'waiting',
    transcript: new SessionTranscript(),
    revision: 0,
    hasEarlier: false,
    isLoading: false,
    gaps: [],
    isGone: false,
  }))
  let reading = -1
  let loaded = loadedFrom(0)
  /** The sub-agents that calls have started, as far as the host has told. */
  let started: readonly { call: string; agent: string }[] = []

  function begin(stretch: Stretch): void {
    reading = stretch.reading
    loaded = loadedFrom(stretch.from)
    const { revision } = store.getState()
    const next = new SessionTranscript()
    next.add(stretch.lines)
    for (const { call, agent } of started) next.noteAgent(call, agent)
    store.setState({
      phase: 'here',
      transcript: next,
      revision: revision + 1,
      ...extent(),
      isGone: false,
    })
    agents.beginAnew()
  }

  function extent(): Pick<SessionShown, 'hasEarlier' | 'gaps'> {
    return { hasEarlier: (loaded[0]?.from ?? 0) > 0, gaps: gapsIn(loaded) }
  }

  function add(lines: Stretch['lines'], more: Partial<SessionShown> = {}): void {
    change((transcript) => transcript.add(lines), { isGone: false, ...more })
  }

  /** Changes the transcript in place. */
  function change(how: (transcript: SessionTranscript) => void, more: Partial<SessionShown> = {}): void {
    const { transcript, revision } = store.getState()
    how(transcript)
    store.setState({ ...more, revision: revision + 1 })
  }

  const agents = new AgentRecords(id, host, change)
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
    agents.dispose()
  })

  /** Loads lines and adds them; false where that fails. */
  async function load(
    ask: (asked: number) => Promise<Result<LoadedStretch & Pick<Stretch, 'lines'>>>,
  ): Promise<boolean> {
    store.setState({ isLoading: true })
    const asked = reading
    const result = await ask(asked)
    if (asked !== reading || !result.ok) {
      store.setState({ isLoading: false })
      if (!result.ok && result.failure.code !== 'stale') tell('error', result.failure.message)
      return false
    }
    if (result.value.to > result.value.from) loaded = withStretch(loaded, result.value)
    add(result.value.lines, { isLoading: false, ...extent() })
    return true
  }

  /** Loads the page before an offset. */
  function loadBefore(before: number, messages?: number): Promise<boolean> {
    return load(async (asked) => {
      const more = messages === undefined ? {} : { messages }
      const page = await attempt('sessions.earlier', { id, reading: asked, before, ...more })
      return page.ok ? succeed({ ...page.value, to: before }) : page
    })
  }

  /** Loads what follows from an offset on. */
  function loadBehind(offset: number): Promise<boolean> {
    return load((asked) => attempt('sessions.later', { id, reading: asked, from: offset }))
  }

  function isGap(after: number): boolean {
    return store.getState().gaps.some((gap) => gap.after === after)
  }

  /** Resolves when no page is being loaded. */
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
    agents,
    async loadEarlier() {
      const { isLoading, hasEarlier } = store.getState()
      return !isLoading && hasEarlier && (await loadBefore(loaded[0]?.from ?? 0))
    },
    async loadLater(after) {
      await rested()
      return isGap(after) && (await loadBehind(after))
    },
    async reach(offset) {
      // Something else may have started to load a page.
      for (await rested(); !isLoaded(loaded, offset); await rested()) {
        const next = nextLoaded(loaded, offset)
        const isNear = next - offset <= near
        const before = loaded
        const isRead = isNear
          ? await loadBefore(next, stride)
          : (await loadBehind(offset)) && (await loadBefore(offset))
        // If nothing arrived, there is no such line.
        if (!isRead || loaded === before) return false
      }
      return true
    },
    choose: (item) => change((transcript) => transcript.choose(item)),
    dispose: () => end.dispose(),
  }
}

/** Follows a session while the component is mounted. Null at first. */
export function useSessionView(id: string): SessionView | null {
  return useFollowed(id, followSession)
}
