import { afterEach, expect, test } from 'vitest'
import type { SettingsSources } from '../../../shared/contract/settings'
import { type Settings, defaultSettings } from '../../../shared/settings/all-settings'
import type { Channel } from '../../../shared/rpc/rpc'
import { createChannelPair } from '../../../../test/channel-pair'
import { removePathRule, savePathRule } from '../agents/saved-path-rules'
import { client } from '../host/client'
import { changeInForce } from './settings-mirror'
import { changeSetting, resetSettings } from './settings-sources'

interface Message {
  t: 'call' | 'sub'
  id: number
  name?: string
  topic?: string
  params: { values?: Partial<Settings>; reset?: string[] }
}

/** A host with the person's settings only, which makes each change when the test says so: told first, then answered. */
class SlowHost {
  person: Partial<Settings> = {}
  readonly #calls: Message[] = []
  readonly #subscriptions = new Map<string, number>()
  readonly #channel: Channel
  #revision = 1

  constructor() {
    const [page, host] = createChannelPair()
    this.#channel = host
    host.onMessage((frame) => {
      const message = JSON.parse(frame) as Message
      if (message.t === 'call') this.#calls.push(message)
      else this.#begin(message)
    })
    client.attach(page)
  }

  /** Makes all changes, also those that the page sends only then. */
  async run(): Promise<void> {
    for (let call = this.#calls.shift(); call; call = this.#calls.shift()) {
      const isSet = call.name === 'settings.set'
      const { values = {}, reset = [] } = isSet ? { values: call.params as Partial<Settings> } : call.params
      const next = Object.entries({ ...this.person, ...values }).filter(([name]) => !reset.includes(name))
      this.person = Object.fromEntries(next)
      this.#revision++
      for (const topic of this.#subscriptions.keys()) this.#tell('delta', topic)
      const result = isSet ? {} : { ok: true, value: {} }
      this.#channel.send(JSON.stringify({ t: 'ok', id: call.id, result }))
      await new Promise(setImmediate)
    }
  }

  close(): void {
    this.#channel.close()
  }

  #begin({ id, topic = '' }: Message): void {
    if (topic !== 'settings' && topic !== 'settings.sources') return
    this.#subscriptions.set(topic, id)
    this.#tell('snap', topic)
  }

  #tell(t: 'snap' | 'delta', topic: string): void {
    const sources: SettingsSources = {
      file: null,
      folder: null,
      person: this.person,
      inFolder: {},
      problem: null,
    }
    const data = topic === 'settings' ? { ...defaultSettings, ...this.person } : sources
    const id = this.#subscriptions.get(topic)
    this.#channel.send(JSON.stringify({ t, id, rev: this.#revision, data }))
  }
}

let host: SlowHost | undefined
afterEach(() => host?.close())

test('a change made before the one before it is answered takes nothing of that one back', async () => {
  host = new SlowHost()
  const saved = [
    savePathRule('person', { pattern: 'b', answer: 'write' }),
    savePathRule('person', { pattern: 'a', answer: 'never' }),
    removePathRule('person', 'b'),
  ]
  changeInForce('contextNeverShared', (now) => [...now, 'one'])
  changeInForce('contextNeverShared', (now) => [...now, 'two'])
  void changeSetting('person', 'keys', (now) => ({ ...now, 'file.save': ['Mod+1'] }))
  void changeSetting('person', 'keys', (now) => ({ ...now, 'tab.close': [] }))
  void changeSetting('person', 'filesExclude', (now) => [...now, 'out'])
  const last = changeSetting('person', 'filesExclude', (now) => [...now, 'dist'])
  await new Promise(setImmediate)
  await host.run()
  await last
  expect(await Promise.all(saved)).toMatchObject([{ ok: true }, { ok: true }, { ok: true }])
  expect(host.person).toEqual({
    reviewPathRules: [{ pattern: 'a', answer: 'never' }],
    contextNeverShared: [...defaultSettings.contextNeverShared, 'one', 'two'],
    keys: { 'file.save': ['Mod+1'], 'tab.close': [] },
    filesExclude: [...defaultSettings.filesExclude, 'out', 'dist'],
  })
})

test('a reset waits its turn too, and what is lost with the link holds nothing up', async () => {
  host = new SlowHost()
  const lost = savePathRule('person', { pattern: 'a', answer: 'never' })
  await new Promise(setImmediate)
  host.close()
  expect(await lost).toMatchObject({ ok: false, failure: { code: 'disconnected' } })
  host = new SlowHost()
  void changeSetting('person', 'filesExclude', (now) => [...now, 'out'])
  resetSettings('person', ['filesExclude'])
  void changeSetting('person', 'keys', () => ({ 'file.save': [] }))
  const last = changeSetting('person', 'keys', () => null)
  await new Promise(setImmediate)
  await host.run()
  await last
  expect(host.person).toEqual({})
})
