import { expect, it } from 'vitest'
import type { Calls, Topics } from '../../../shared/contract/contract'
import { createChannelPair } from '../../../../test/channel-pair'
import { disposable } from '../../../shared/lifetime'
import {
  type CallHandlers,
  type ParamsSchema,
  type Sink,
  type TopicHandlers,
  createRpcClient,
  serveRpc,
} from '../../../shared/rpc/rpc'
import { mergeDelta, mirrorTopic, readMirror, replaceByDelta } from './mirror'

type SettingsSink = Sink<Topics['settings']['snapshot'], Topics['settings']['delta']>

const anything: ParamsSchema = { safeParse: (data) => ({ success: true, data }) }

/** A host with one topic, served over a channel in memory. */
function serveSettings() {
  const client = createRpcClient<Calls, Topics>()
  const sinks = new Set<SettingsSink>()
  const topics = {
    settings: (_params: unknown, sink: SettingsSink) => {
      sinks.add(sink)
      sink.snapshot({ theme: 'dark', editorFontSize: 13 } as Topics['settings']['snapshot'])
      return disposable(() => sinks.delete(sink))
    },
  }
  const connect = () => {
    const [page, host] = createChannelPair()
    serveRpc<Calls, Topics>(host, {
      calls: {} as CallHandlers<Calls>,
      topics: topics as unknown as TopicHandlers<Topics>,
      schemas: {
        calls: {} as never,
        topics: { settings: { params: anything } } as never,
      },
      report: (name, error) => {
        throw new Error(`${name}: ${String(error)}`)
      },
    })
    client.attach(page)
  }
  return { client, sinks, connect }
}

it('waits, then holds the snapshot, then every delta', () => {
  const { client, sinks, connect } = serveSettings()
  const mirror = mirrorTopic(client, 'settings', {}, mergeDelta)
  expect(readMirror(mirror)).toBeNull()
  connect()
  expect(readMirror(mirror)).toEqual({ theme: 'dark', editorFontSize: 13 })
  const heard: unknown[] = []
  mirror.onDelta((delta) => heard.push([delta, readMirror(mirror)?.theme]))
  for (const sink of sinks) sink.delta({ theme: 'light' })
  expect(readMirror(mirror)).toEqual({ theme: 'light', editorFontSize: 13 })
  expect(heard).toEqual([[{ theme: 'light' }, 'light']])
})

it('takes the new snapshot after a reconnect', () => {
  const { client, sinks, connect } = serveSettings()
  const mirror = mirrorTopic(client, 'settings', {}, mergeDelta)
  connect()
  for (const sink of sinks) sink.delta({ theme: 'light' })
  connect()
  expect(readMirror(mirror)?.theme).toBe('dark')
})

it('ends its subscription once, and keeps what it held', () => {
  const { client, sinks, connect } = serveSettings()
  const mirror = mirrorTopic(client, 'settings', {}, mergeDelta)
  connect()
  expect(sinks.size).toBe(1)
  mirror.dispose()
  mirror.dispose()
  expect(sinks.size).toBe(0)
  expect(readMirror(mirror)?.theme).toBe('dark')
})

it('tells that the host refuses', () => {
  const { client, connect } = serveSettings()
  const mirror = mirrorTopic(client, 'review', { id: 'gone' }, (state) => state)
  connect()
  expect(mirror.store.getState().kind).toBe('refused')
})

it('replaces where each delta is the whole', () => {
  expect(replaceByDelta({ one: 1 }, { one: 2 })).toEqual({ one: 2 })
})
