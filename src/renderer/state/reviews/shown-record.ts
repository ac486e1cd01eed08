import { useStore } from 'zustand'
import { type StoreApi, createStore } from 'zustand/vanilla'
import type { Calls } from '../../../shared/contract/contract'
import type { WriteEntry } from '../../../shared/contract/write-record'
import { DisposableStack, type Disposable, disposable } from '../../../shared/lifetime'
import { type Result, succeed } from '../../../shared/result'
import { failureOf } from '../host/calls'
import { client } from '../host/client'
import { mirrorTopic, replaceByDelta } from '../host/mirror'

/** How many entries are fetched at once; after a change at most `mostAgain` of those shown. */
const pageLength = 50
const mostAgain = 200
/** The record is searched once nothing has been typed for this long, in milliseconds. */
const pause = 200

const shown = createStore<{ isShown: boolean }>()(() => ({ isShown: false }))

/** Shows the record in the list of reviews, or what waits. */
export function showRecord(isShown: boolean): void {
  shown.setState({ isShown })
}

export function useRecordShown(): boolean {
  return useStore(shown, ({ isShown }) => isShown)
}

type Query = Calls['record.page']['params']

/** What is shown of the record. */
export interface RecordPart {
  /** Null until the first have come. */
  entries: readonly WriteEntry[] | null
  more: boolean
  /** Why it isn't whole, as a sentence. */
  problem: string | null
  /** What `entries` were searched for. */
  text: string
}

/** The newest entries of the record that have some words, kept up to date. */
export class RecordView implements Disposable {
  readonly store: StoreApi<RecordPart> = createStore<RecordPart>()(() => ({
    entries: null,
    more: false,
    problem: null,
    text: '',
  }))
  readonly #owned = new DisposableStack()
  #text = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #loading = new AbortController()
  /** What is being loaded may lack what came since it began. */
  #isStale = false
  #isLoading = false

  constructor() {
    const mirror = this.#owned.add(mirrorTopic(client, 'record', {}, replaceByDelta))
    const stop = mirror.store.subscribe((state) => {
      if (state.kind === 'here') this.#loadAgain()
    })
    this.#owned.add(disposable(stop))
  }

  /** Searches for other words, once they are typed. */
  search(text: string): void {
    this.#text = text
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#load({ text, limit: pageLength }, []), pause)
  }

  /** Fetches older entries. */
  more(): void {
    const { entries, text } = this.store.getState()
    const last = entries?.at(-1)
    if (!last) return
    void this.#load({ text, limit: pageLength, after: { at: last.at, id: last.id } }, entries ?? [])
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#loading.abort()
    this.#owned.dispose()
  }

  /** While agents write, changes come faster than a search ends: it is searched once more when it has. */
  #loadAgain(): void {
    this.#isStale = this.#isLoading
    if (this.#isLoading) return
    const limit = Math.max(pageLength, this.store.getState().entries?.length ?? 0)
    void this.#load({ text: this.#text, limit: Math.min(limit, mostAgain) }, [])
  }

  /** Takes the place of what is being loaded. */
  async #load(query: Query, before: readonly WriteEntry[]): Promise<void> {
    this.#loading.abort()
    const { signal } = (this.#loading = new AbortController())
    this.#isLoading = true
    const page = await pageOf(query)
    if (signal.aborted) return
    this.#isLoading = false
    const { text } = query
    if (page.ok) {
      const { entries, more, problem = null } = page.value
      this.store.setState({ entries: [...before, ...entries], more, problem, text })
    } else this.store.setState({ entries: before, more: false, problem: page.failure.message, text })
    if (this.#isStale) this.#loadAgain()
  }
}

async function pageOf(query: Query): Promise<Result<Calls['record.page']['result']>> {
  try {
    return succeed(await client.call('record.page', query))
  } catch (error) {
    return failureOf('record.page', error)
  }
}

/** The whole record as JSON lines, in pieces. */
export async function readRecord(texts: boolean): Promise<Result<string[]>> {
  const pieces: string[] = []
  try {
    let after: Calls['record.lines']['params']['after']
    for (;;) {
      const { lines, next } = await client.call('record.lines', { texts, ...(after ? { after } : {}) })
      pieces.push(lines)
      if (next === null) return succeed(pieces)
      after = next
    }
  } catch (error) {
    return failureOf('record.lines', error)
  }
}
