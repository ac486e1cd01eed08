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

/** The page's state of a topic: nothing yet, the host's state, or the host's refusal (an unknown id). */
export type Mirrored<S> =
  | { kind: 'waiting' }
  | { kind: 'here'; data: S }
  | { kind: 'refused'; error: RpcError }

/** The page's copy of one topic. Disposing it ends the subscription; its last state stays readable. */
export interface Mirror<S, D> extends Disposable {
  readonly store: StoreApi<Mirrored<S>>
  /** Each delta, after it has been applied. */
  readonly onDelta: Listen<D>
}

/** Makes the next state of a topic from a delta; the same object if nothing changes. */
export type Apply<N extends TopicName> = (state: Snapshot<N>, delta: Delta<N>) => Snapshot<N>

/** Mirrors a topic from now on. After a reconnect the new snapshot replaces the state. */
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
  // Deltas are JSON, which has no undefined: a key that is present has a value.
  return { ...state, ...(delta as Partial<S>) }
}

/** A list with an item replacing the one with its id, or added at the end. */
export function putById<T extends { id: string }>(items: readonly T[], item: T): T[] {
  const at = items.findIndex(({ id }) => id === item.id)
  return at < 0 ? [...items, item] : items.with(at, item)
}

/** The next state of a topic whose deltas are whole states. */
export function replaceByDelta<S>(_state: S, delta: S): S {
  return delta
}

/** A mirror's current state; null while it waits or if it was refused. */
export function readMirror<S>(mirror: { store: StoreApi<Mirrored<S>> }): S | null {
  const state = mirror.store.getState()
  return state.kind === 'here' ? state.data : null
}

/** A part of a mirror's state, followed; `select` gets null until the first snapshot. */
export function useMirror<S, T>(mirror: { store: StoreApi<Mirrored<S>> }, select: (data: S | null) => T): T {
  return useStore(mirror.store, (state) => select(state.kind === 'here' ? state.data : null))
}

/** What `follow` gives for an id while the component is mounted; null at first. `follow` must be constant. */
export function useFollowed<T extends Disposable>(id: string, follow: (id: string) => T): T | null {
  const [followed, setFollowed] = useState<T | null>(null)
  useEffect(() => {
    const next = follow(id)
    setFollowed(next)
    return () => next.dispose()
  }, [id, follow])
  return followed
}

/** Mirrors a topic while the component is mounted; `apply` must be a constant function. */
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
