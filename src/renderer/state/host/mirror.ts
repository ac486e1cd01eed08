import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { type StoreApi, createStore } from 'zustand/vanilla'
import type { Topics } from '../../../shared/contract/contract'
import { type Disposable, Emitter, type Listen, disposable } from '../../../shared/lifetime'
import type { RpcError } from '../../../shared/rpc/rpc'
import { type HostClient, client } from './client'

type TopicName = keyof Topics & string
type Snapshot<N extends TopicName> = Topics[N]['snapshot']
type Delta<N extends TopicName> = Topics[N]['delta']

/** What the page has of a topic: nothing yet, the host's state, or the host's refusal (an unknown id). */
export type Mirrored<S> =
  | { kind: 'waiting' }
  | { kind: 'here'; data: S }
  | { kind: 'refused'; error: RpcError }

/** The page's copy of one topic. Ending it ends the subscription; what it held stays readable. */
export interface Mirror<S, D> extends Disposable {
  readonly store: StoreApi<Mirrored<S>>
  /** Each delta, after it has been applied. */
  readonly onDelta: Listen<D>
}

/** Makes the next state of a topic from a delta. Gives the same object when nothing changes. */
export type Apply<N extends TopicName> = (state: Snapshot<N>, delta: Delta<N>) => Snapshot<N>

/** Mirrors a topic from now on. After a reconnect the new snapshot replaces all. */
export function mirrorTopic<N extends TopicName>(
  host: HostClient,
  topic: N,
  params: Topics[N]['params'],
  apply: Apply<N>,
): Mirror<Snapshot<N>, Delta<N>> {
  const store = createStore<Mirrored<Snapshot<N>>>()(() => ({ kind: 'waiting' }))
  const deltas = new Emitter<Delta<N>>()
  const subscription = host.subscribe(topic, params, {
    snapshot: (data) => store.setState({ kind: 'here', data }, true),
    delta(delta) {
      const state = store.getState()
      if (state.kind === 'here') {
        const data = apply(state.data, delta)
        if (data !== state.data) store.setState({ kind: 'here', data }, true)
      }
      deltas.emit(delta)
    },
    refused: (error) => store.setState({ kind: 'refused', error }, true),
  })
  const end = disposable(() => {
    subscription.dispose()
    deltas.dispose()
  })
  return { store, onDelta: deltas.on, dispose: () => end.dispose() }
}

/** The next state of a topic whose deltas are partial states, as most are. What is absent stays as it is. */
export function mergeDelta<S extends object>(state: S, delta: { [K in keyof S]?: S[K] | undefined }): S {
  // Deltas come as JSON, which knows no undefined: what is there has a value.
  return { ...state, ...(delta as Partial<S>) }
}

/** A list with an item in the place of the one with its id, else at the end. */
export function putById<T extends { id: string }>(items: readonly T[], item: T): T[] {
  const at = items.findIndex(({ id }) => id === item.id)
  return at < 0 ? [...items, item] : items.with(at, item)
}

/** The next state of a topic whose deltas are whole states. */
export function replaceByDelta<S>(_state: S, delta: S): S {
  return delta
}

/** What a mirror holds now, or null while it waits or is refused. */
export function readMirror<S>(mirror: { store: StoreApi<Mirrored<S>> }): S | null {
  const state = mirror.store.getState()
  return state.kind === 'here' ? state.data : null
}

/** A part of what a mirror holds, followed; `select` hears null until the first snapshot. */
export function useMirror<S, T>(mirror: { store: StoreApi<Mirrored<S>> }, select: (data: S | null) => T): T {
  return useStore(mirror.store, (state) => select(state.kind === 'here' ? state.data : null))
}

/** What `follow` gives for an id while the component stands; null at first. `follow` must be a constant function. */
export function useFollowed<T extends Disposable>(id: string, follow: (id: string) => T): T | null {
  const [followed, setFollowed] = useState<T | null>(null)
  useEffect(() => {
    const next = follow(id)
    setFollowed(next)
    return () => next.dispose()
  }, [id, follow])
  return followed
}

/** Mirrors a topic while the component stands; `apply` must be a function that stays the same. */
export function useTopic<N extends TopicName>(
  topic: N,
  params: Topics[N]['params'],
  apply: Apply<N>,
): Mirrored<Snapshot<N>> {
  const [state, setState] = useState<Mirrored<Snapshot<N>>>({ kind: 'waiting' })
  const key = JSON.stringify(params)
  useEffect(() => {
    const mirror = mirrorTopic(client, topic, JSON.parse(key) as Topics[N]['params'], apply)
    setState(mirror.store.getState())
    const stop = mirror.store.subscribe((next) => setState(next))
    return () => {
      stop()
      mirror.dispose()
    }
  }, [topic, key, apply])
  return state
}
