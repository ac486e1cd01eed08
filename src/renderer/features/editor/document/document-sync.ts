import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab'
import { isolateHistory } from '@codemirror/commands'
import { ChangeSet, type EditorState, type Extension, type Text, Transaction } from '@codemirror/state'
import { type StoreApi, createStore } from 'zustand/vanilla'
import type { DocumentMeta, DocumentDelta, DocumentState } from '../../../../shared/contract/documents'
import { type Disposable, Emitter } from '../../../../shared/lifetime'
import { RpcError } from '../../../../shared/rpc/rpc'
import { changesBetween } from '../../../../shared/text/line-diff'
import { toText } from '../../../../shared/text/text-facts'
import type { HostClient } from '../../../state/host/client'
import { fetchText } from '../../../state/host/text-ref'
import { type LocalUpdate, reconcile } from './unconfirmed-updates'

/**
 * What the editor shows of a document. `progress` goes from 0 to 1 while a long text arrives. `unsent`: it is not a
 * text at present, and what was typed is only here.
 */
type DocumentView =
  | { kind: 'loading'; progress: number | undefined }
  | { kind: 'text'; meta: DocumentMeta }
  | { kind: 'unsent' }
  | Exclude<DocumentState, { kind: 'text' | 'failed' }>
  | { kind: 'failed'; message: string }

/** What holds the text on the page; an EditorView is one. */
export interface TextHolder {
  readonly state: EditorState
  dispatch(transaction: Transaction): void
}

/** One push takes at most this many updates; more wait for the next. */
const mostUpdates = 5000

/**
 * Keeps a document of the page in sync with the host, which is the authority. Local changes are pushed as they come;
 * changes of others are applied beneath them. After a lost link the new snapshot is applied as a change like any other,
 * and what the host had not confirmed stays on top: nothing typed is lost.
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
  /** The text at the last version of the host that we know. */
  #synced: Text | null = null
  /** How many of our updates the host has, as far as it has said so. */
  #known = 0
  /** The host's version minus collab's own count: a snapshot may jump, and a restarted host starts over. */
  #offset = 0
  /** A push that is on its way, or accepted but not seen yet: the host's version after it, and its number of updates. */
  #pushed: { until: number; count: number; accepted: boolean } | null = null
  /** True while what must not be sent yet is applied: a snapshot, or one of two changes that belong together. */
  #settling = false
  #disposed = false

  /**
   * `client` identifies this page among the authors; `isLive` tells whether there is a link to the host; `open` makes
   * the holder once, with the first text.
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

  /** The host's version that the page has, and whether the page has nothing beyond it. */
  get position(): { version: number; confirmed: boolean } {
    const state = this.#holder?.state
    if (!state) return { version: 0, confirmed: false }
    return { version: this.#version(state), confirmed: sendableUpdates(state).length === 0 }
  }

  /** Call it after each change of the holder's text. */
  changed(): void {
    this.#push()
  }

  /** Resolves true once the host has every change, or where there is no text (a picture); false without a link. */
  flush(): Promise<boolean> {
    if (!this.#holder || this.position.confirmed) return Promise.resolve(true)
    // A push that was lost with the link would otherwise be awaited until the next link.
    if (this.#disposed || !this.#isLive()) return Promise.resolve(false)
    this.#push()
    return new Promise((resolve) => {
      const hearing = this.#settled.on(() => {
        hearing.dispose()
        resolve(this.position.confirmed)
      })
    })
  }

  /** Has the host replace the text, so that undo brings back what is here now. Gives what `ask` gives. */
  async replace<T>(ask: () => Promise<T>): Promise<T> {
    await this.flush()
    const before = this.#holder?.state.doc
    const answer = await ask()
    const holder = this.#holder
    if (!holder || !before || before.eq(holder.state.doc)) return answer
    // What the host does is not in the undo history. Taken back and done once more by the page, it is.
    const { doc } = holder.state
    const back = changesBetween(doc, before)
    this.#settling = true
    holder.dispatch(holder.state.update({ changes: back, annotations: Transaction.addToHistory.of(false) }))
    const again = { changes: back.invert(doc), annotations: isolateHistory.of('full') }
    holder.dispatch(holder.state.update(again))
    this.#settling = false
    this.#push()
    return answer
  }

  /** Fires whenever everything is confirmed, or a push has failed. */
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
   * The document has a new path, and its versions go on there: what was typed and the undo history stay. What the host
   * took under the old path without telling is in the snapshot of the new one.
   */
  follow(path: string): void {
    if (path === this.#path) return
    this.#path = path
    this.takeAgain()
  }

  #version(state: EditorState): number {
    return getSyncedVersion(state) + this.#offset
  }

  #subscribe(): Disposable {
    return this.#host.subscribe(
      'document',
      { path: this.#path },
      {
        snapshot: (state) => void this.#take(state),
        delta: (delta) => this.#hear(delta),
        refused: () =>
          this.#showOther({
            kind: 'failed',
            message: 'This file can’t be opened. Close the tab and try again.',
          }),
      },
    )
  }

  /** Asks the host for the document anew. What was typed stays. */
  takeAgain(): void {
    if (this.#disposed) return
    this.#subscription.dispose()
    this.#subscription = this.#subscribe()
  }

  /** Whether the host took what was under way, its next text tells; without one it takes nothing. */
  #showOther(other: DocumentView): void {
    this.#pushed = null
    const isUnsent = this.#holder !== null && !this.position.confirmed
    this.view.setState(isUnsent ? { kind: 'unsent' } : other, true)
    this.#settled.emit()
  }

  async #take(state: DocumentState): Promise<void> {
    this.#fetching?.abort()
    this.#fetching = null
    this.#early = []
    if (state.kind === 'failed') return this.#showOther({ kind: 'failed', message: state.failure.message })
    if (state.kind !== 'text') return this.#showOther(state)
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
      // A lost link or a forgotten handle brings a new snapshot; our own abort came with one already.
      if (!(error instanceof RpcError)) throw error
      if (error.code === 'failed' || error.code === 'invalid') this.takeAgain()
    }
  }

  /** Applies a snapshot's text beneath what is not confirmed. It contains the first `known` of our updates. */
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
    // A gap means that we missed something: start over from a snapshot.
    if (known < 0) return this.takeAgain()
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
      return this.takeAgain()
    }
    if (this.#pushed?.accepted && this.#version(this.#holder.state) >= this.#pushed.until) this.#pushed = null
    this.#push()
  }

  #push(): void {
    if (!this.#holder || this.#pushed || this.#fetching || this.#settling || this.#disposed) return
    const { state } = this.#holder
    const updates: readonly LocalUpdate[] = sendableUpdates(state).slice(0, mostUpdates)
    if (updates.length === 0) return this.#settled.emit()
    // Without a link nothing is sent; the next link's snapshot leads to a push.
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
        // Otherwise a snapshot has settled it already.
        if (this.#pushed === pushed) this.#answered(status, version, pushed)
      },
      (error: unknown) => {
        // It may or may not have arrived; `pushed` stays for the snapshot that will tell.
        this.#settled.emit()
        if (error instanceof RpcError && error.code === 'disconnected') return
        console.error(error)
        this.takeAgain()
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
        // A second push would fail the same way until the newer updates, which are on their way, are here.
        if (now === version) return
        break
      case 'gone':
        this.#pushed = null
        this.#settled.emit()
        return this.takeAgain()
    }
    this.#push()
  }
}
