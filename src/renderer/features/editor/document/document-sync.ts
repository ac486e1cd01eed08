import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab'
import { ChangeSet, type EditorState, type Extension, type Text, type Transaction } from '@codemirror/state'
import { type StoreApi, createStore } from 'zustand/vanilla'
import type { DocumentMeta, DocumentDelta, DocumentState } from '../../../../shared/contract/documents'
import { type Disposable, Emitter, disposable } from '../../../../shared/lifetime'
import { RpcError } from '../../../../shared/rpc/rpc'
import { toText } from '../../../../shared/text/text-facts'
import type { HostClient } from '../../../state/host/client'
import { fetchText } from '../../../state/host/text-ref'
import { type LocalUpdate, reconcile } from './unconfirmed-updates'

/** What the editor shows of a document. `progress` goes from 0 to 1 while a long text comes. */
export type DocumentView =
  | { kind: 'loading'; progress: number | undefined }
  | { kind: 'text'; meta: DocumentMeta }
  | { kind: 'binary'; size: number }
  | { kind: 'large'; size: number }
  | { kind: 'image'; size: number; type: string; stamp: string }
  | { kind: 'failed'; message: string }

/** What holds the text on the page; an EditorView is one. */
export interface TextHolder {
  readonly state: EditorState
  dispatch(transaction: Transaction): void
}

/** One push takes at most this many updates; more wait for the next. */
const mostUpdates = 5000

/**
 * Keeps one document of the page in step with the host, which is the authority. Local changes are pushed as they
 * come; changes of others are taken in beneath them. After a lost link the new snapshot is taken in as a change like
 * any other, and what the host had not confirmed stays on top: nothing typed is lost.
 */
export class DocumentSync implements Disposable {
  readonly view: StoreApi<DocumentView> = createStore<DocumentView>()(() => ({
    kind: 'loading',
    progress: undefined,
  }))
  readonly #host: Pick<HostClient, 'call' | 'subscribe'>
  #path: string
  readonly #client: string
  readonly #isLive: () => boolean
  readonly #open: (text: Text, sync: Extension) => TextHolder
  readonly #settled = new Emitter<void>()
  #subscription: Disposable
  #fetching: AbortController | null = null
  /** Deltas that came while a long snapshot was being fetched. */
  #early: DocumentDelta[] = []
  #holder: TextHolder | null = null
  /** The text at the host's version, as far as we know it. */
  #synced: Text | null = null
  /** How many of our updates the host has, as far as it has said so. */
  #known = 0
  /** The host's version minus collab's own count: a snapshot may jump, and a restarted host begins anew. */
  #offset = 0
  /** A push under way or accepted and not yet seen: the host's version once it is in, and how many updates it has. */
  #pushed: { until: number; count: number; accepted: boolean } | null = null
  /** A snapshot is being taken in: versions do not hold until it is. */
  #settling = false
  #disposed = false

  /**
   * `client` names this page among the authors; `isLive` tells whether the host can hear at all; `open` makes the
   * holder once, with the first text.
   */
  constructor(
    host: Pick<HostClient, 'call' | 'subscribe'>,
    path: string,
    client: string,
    isLive: () => boolean,
    open: (text: Text, sync: Extension) => TextHolder,
  ) {
    this.#host = host
    this.#path = path
    this.#client = client
    this.#isLive = isLive
    this.#open = open
    this.#subscription = this.#subscribe()
  }

  /** The host's version that the page stands on, and whether the page has nothing beyond it. */
  get position(): { version: number; confirmed: boolean } {
    const state = this.#holder?.state
    if (!state) return { version: 0, confirmed: false }
    return { version: this.#version(state), confirmed: sendableUpdates(state).length === 0 }
  }

  /** To be called after each change of the holder's text. */
  changed(): void {
    this.#push()
  }

  /**
   * Resolves true once the host has every change, also where there is none because there is no text (a picture); false
   * when that cannot be, as the link is lost.
   */
  flush(): Promise<boolean> {
    if (!this.#holder || this.position.confirmed) return Promise.resolve(true)
    // A push that was lost with the link would be waited for until the next one.
    if (this.#disposed || !this.#isLive()) return Promise.resolve(false)
    this.#push()
    return new Promise((resolve) => {
      const hearing = this.#settled.on(() => {
        hearing.dispose()
        resolve(this.position.confirmed)
      })
    })
  }

  /** Hears whenever all is confirmed, or a push has failed. */
  readonly onSettled = this.#settled.on

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    this.#subscription.dispose()
    this.#fetching?.abort()
    this.#settled.emit()
    this.#settled.dispose()
  }

  /**
   * The document has got another path, and its versions go on there: what is typed, and how it can be undone, stays.
   * What the host took under the old path and has not told is in the snapshot of the new one.
   */
  follow(path: string): void {
    if (path === this.#path) return
    this.#path = path
    this.#resubscribe()
  }

  #version(state: EditorState): number {
    return getSyncedVersion(state) + this.#offset
  }

  #subscribe(): Disposable {
    const subscription = this.#host.subscribe(
      'document',
      { path: this.#path },
      {
        snapshot: (state) => void this.#take(state),
        delta: (delta) => this.#hear(delta),
        refused: () =>
          this.view.setState({
            kind: 'failed',
            message: 'This file can’t be opened. Close the tab and try again.',
          }),
      },
    )
    return disposable(() => subscription.dispose())
  }

  #resubscribe(): void {
    if (this.#disposed) return
    this.#subscription.dispose()
    this.#subscription = this.#subscribe()
  }

  async #take(state: DocumentState): Promise<void> {
    this.#fetching?.abort()
    this.#fetching = null
    this.#early = []
    switch (state.kind) {
      case 'binary':
        this.view.setState({ kind: 'binary', size: state.size }, true)
        return
      case 'large':
        this.view.setState({ kind: 'large', size: state.size }, true)
        return
      case 'image': {
        const { size, type, stamp } = state
        this.view.setState({ kind: 'image', size, type, stamp }, true)
        return
      }
      case 'failed':
        this.view.setState({ kind: 'failed', message: state.failure.message }, true)
        return
      case 'text':
    }
    const fetching = new AbortController()
    this.#fetching = fetching
    try {
      const whole = await fetchText(this.#host, state.text, fetching.signal, ({ read, length }) => {
        if (!this.#holder) this.view.setState({ kind: 'loading', progress: read / Math.max(1, length) }, true)
      })
      if (fetching.signal.aborted || this.#disposed) return
      this.#fetching = null
      this.#settling = true
      this.#settle(toText(whole), state.version, state.clients?.[this.#client] ?? 0)
      this.#settling = false
      this.view.setState({ kind: 'text', meta: state.meta }, true)
      for (const delta of this.#early.splice(0)) this.#hear(delta)
      this.#push()
    } catch (error) {
      // A lost link or a forgotten handle brings a new snapshot; our own abort came with one.
      if (!(error instanceof RpcError)) throw error
      if (error.code === 'failed' || error.code === 'invalid') this.#resubscribe()
    }
  }

  /** Takes a snapshot's text in, beneath what is not confirmed. `known` of our updates are in it. */
  #settle(text: Text, version: number, known: number): void {
    if (!this.#holder || !this.#synced) {
      this.#holder = this.#open(text, collab({ clientID: this.#client }))
      this.#offset = version
    } else {
      const { state } = this.#holder
      const arrived = Math.max(0, known - this.#known)
      const updates = reconcile(this.#synced, sendableUpdates(state), arrived, text)
      const taken = updates.map((update) => ({
        changes: update.changes,
        clientID: update.own ? this.#client : 'host',
      }))
      if (taken.length > 0) this.#holder.dispatch(receiveUpdates(state, taken))
      this.#offset = version - getSyncedVersion(this.#holder.state)
    }
    this.#pushed = null
    this.#known = known
    this.#synced = text
  }

  #hear(delta: DocumentDelta): void {
    if (this.#fetching && delta.kind !== 'state') {
      this.#early.push(delta)
      return
    }
    switch (delta.kind) {
      case 'updates':
        this.#receive(delta.version, delta.updates)
        return
      case 'meta': {
        const view = this.view.getState()
        if (view.kind !== 'text') return
        this.view.setState(
          { kind: 'text', meta: { ...view.meta, ...(delta.meta as Partial<DocumentMeta>) } },
          true,
        )
        return
      }
      case 'state':
        void this.#take(delta.state)
    }
  }

  #receive(from: number, sent: readonly { clientID: string; changes: unknown[] }[]): void {
    if (!this.#holder || !this.#synced) return
    const known = this.#version(this.#holder.state) - from
    // A gap means that we missed something: begin anew from a snapshot.
    if (known < 0) return this.#resubscribe()
    try {
      const updates = sent.slice(known).map(({ clientID, changes }) => ({
        clientID,
        changes: ChangeSet.fromJSON(changes),
      }))
      if (updates.length === 0) return
      const synced = updates.reduce((text, update) => update.changes.apply(text), this.#synced)
      this.#holder.dispatch(receiveUpdates(this.#holder.state, updates))
      this.#synced = synced
      this.#known += updates.filter(({ clientID }) => clientID === this.#client).length
    } catch (error) {
      console.error(error)
      return this.#resubscribe()
    }
    if (this.#pushed?.accepted && this.#version(this.#holder.state) >= this.#pushed.until) this.#pushed = null
    this.#push()
  }

  #push(): void {
    if (!this.#holder || this.#pushed || this.#fetching || this.#settling || this.#disposed) return
    const { state } = this.#holder
    const updates: readonly LocalUpdate[] = sendableUpdates(state).slice(0, mostUpdates)
    if (updates.length === 0) return this.#settled.emit()
    // What is never sent cannot have arrived; the snapshot of the next link leads to a push.
    if (!this.#isLive()) return this.#settled.emit()
    const version = this.#version(state)
    const pushed = { until: version + updates.length, count: updates.length, accepted: false }
    this.#pushed = pushed
    const sent = updates.map(({ changes }) => ({
      clientID: this.#client,
      changes: changes.toJSON() as unknown[],
    }))
    this.#host.call('documents.push', { path: this.#path, version, updates: sent }).then(
      ({ status }) => {
        // A snapshot in between has settled it already.
        if (this.#pushed === pushed) this.#answered(status, version, pushed)
      },
      (error: unknown) => {
        // What was sent may or may not have arrived; `pushed` stays for the snapshot that will tell.
        this.#settled.emit()
        if (error instanceof RpcError && error.code === 'disconnected') return
        console.error(error)
        this.#resubscribe()
      },
    )
  }

  #answered(
    status: 'accepted' | 'behind' | 'gone',
    version: number,
    pushed: { until: number; count: number; accepted: boolean },
  ): void {
    if (!this.#holder) return
    const now = this.#version(this.#holder.state)
    switch (status) {
      case 'accepted':
        pushed.accepted = true
        if (now >= pushed.until) this.#pushed = null
        break
      case 'behind':
        this.#pushed = null
        // Without the newer updates a second push would fail the same way; they are on their way.
        if (now === version) return
        break
      case 'gone':
        this.#pushed = null
        this.#settled.emit()
        return this.#resubscribe()
    }
    this.#push()
  }
}
