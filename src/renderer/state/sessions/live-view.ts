import { type StoreApi, createStore } from 'zustand/vanilla'
import type { LiveConversationState } from '../../../shared/contract/conversations'
import { LiveTranscript } from '../../../shared/conversation/live-transcript'
import { DisposableStack, type Disposable } from '../../../shared/lifetime'
import { ask } from '../host/calls'
import { type HostClient, client } from '../host/client'
import { mergeDelta, useFollowed } from '../host/mirror'

/** A conversation that Greenlight runs, as the page has it. The transcript changes in place, and `revision` with it. */
export interface LiveShown {
  phase: 'waiting' | 'here' | 'refused'
  conversation: LiveConversationState | null
  transcript: LiveTranscript
  revision: number
  hasEarlier: boolean
  isLoading: boolean
}

/** A conversation that Greenlight runs, followed while it is shown. */
export interface LiveView extends Disposable {
  readonly store: StoreApi<LiveShown>
  /** Reads the page before the first item; false when there is none. */
  loadEarlier(): Promise<boolean>
  /** Reads all pages before the first item; false if some can't be read. */
  loadAll(): Promise<boolean>
}

/** Follows a conversation, starting with its last page. */
export function followConversation(id: string, host: HostClient = client): LiveView {
  const store = createStore<LiveShown>()(() => ({
    phase: 'waiting',
    conversation: null,
    transcript: new LiveTranscript(),
    revision: 0,
    hasEarlier: false,
    isLoading: false,
  }))
  const listening = new DisposableStack()
  /** Changes the transcript in place. */
  const change = (how: (transcript: LiveTranscript) => void, more: Partial<LiveShown> = {}) => {
    const { transcript, revision } = store.getState()
    how(transcript)
    store.setState({ ...more, revision: revision + 1 })
  }
  const tell = (conversation: LiveConversationState) =>
    change(
      (transcript) => {
        const { folder, title, usage, costUSD, activity } = conversation
        transcript.activity = activity
        transcript.facts = { ...transcript.facts, folder, title, usage, costUSD }
      },
      { conversation },
    )
  listening.add(
    host.subscribe(
      'conversation',
      { id },
      {
        snapshot: (state) => (state ? tell(state) : store.setState({ phase: 'refused' })),
        delta: (delta) => {
          const { conversation } = store.getState()
          if (conversation) tell(mergeDelta<LiveConversationState>(conversation, delta))
        },
        refused: () => store.setState({ phase: 'refused' }),
      },
    ),
  )
  listening.add(
    host.subscribe(
      'transcript',
      { id },
      {
        snapshot: (page) => {
          if (!page) return store.setState({ phase: 'refused' })
          const transcript = new LiveTranscript()
          const { transcript: before, revision } = store.getState()
          transcript.facts = before.facts
          transcript.activity = before.activity
          transcript.prependPage(page)
          const { hasEarlier } = page
          store.setState({ phase: 'here', transcript, hasEarlier, isLoading: false, revision: revision + 1 })
        },
        delta: ({ changes }) => change((transcript) => transcript.apply(changes)),
        refused: () => store.setState({ phase: 'refused' }),
      },
    ),
  )
  const loadEarlier = async () => {
    const { transcript, isLoading, hasEarlier } = store.getState()
    const before = transcript.idAt(0)
    if (isLoading || !hasEarlier || before === undefined) return false
    store.setState({ isLoading: true })
    const page = await ask('conversation.earlier', { id, before })
    // A new snapshot has arrived meanwhile, with its own pages.
    if (store.getState().transcript !== transcript) return false
    if (!page) {
      store.setState({ isLoading: false })
      return false
    }
    change((here) => here.prependPage(page), { hasEarlier: page.hasEarlier, isLoading: false })
    return true
  }
  return {
    store,
    loadEarlier,
    async loadAll() {
      for (;;) {
        const { phase, transcript, hasEarlier, isLoading } = store.getState()
        if (phase !== 'here') return false
        if (!hasEarlier) return true
        if (isLoading) await nextChange(store)
        else if (!(await loadEarlier()) && store.getState().transcript === transcript) return false
      }
    },
    dispose: () => listening.dispose(),
  }
}

function nextChange(store: StoreApi<LiveShown>): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      stop()
      resolve()
    })
  })
}

/** Follows a conversation while the component is mounted. Null at first. */
export function useLiveView(id: string): LiveView | null {
  return useFollowed(id, followConversation)
}
