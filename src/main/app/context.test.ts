import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { logTo, openWindowOn, pageOf, startPlainApp } from '../../../test/plain-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Frame, Peer } from '../../../test/claude-ide-peer'
import { HttpPeer } from '../../../test/mcp-http-peer'
import type { Calls, Topics } from '../../shared/contract/contract'
import type { RpcClient } from '../../shared/rpc/rpc'
import type { App } from './app'
import type { WindowHost } from './window-host'

/** The real app, its page's side of the contract, and an agent's side of the wire. */
let home: string
let app: App
let window: WindowHost
let page: RpcClient<Calls, Topics>
let peer: Peer
const faults: unknown[] = []

const names = ['a.ts', 'b.ts', '.env', 'sub/c.ts']
const path = (name: string) => join(home, 'project', name)
/** What stands in a file and nowhere else. */
const markOf = (name: string) => `mark-${names.indexOf(name)}-of-it`

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-context-')))
  mkdirSync(path('sub'), { recursive: true })
  for (const name of names) writeFileSync(path(name), `${markOf(name)}\nmore\n`)
  app = await startPlainApp(home, { log: logTo(faults) })
  window = await openWindowOn(app, path(''))
  page = pageOf(window)
  const { port, token } = window.parts.folderStates.read(window.folders.paths).servers['claude-ide'] ?? {}
  peer = await Peer.connect({ port: port ?? 0, token: token ?? '' })
  await peer.request('initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'claude-code' } })
})
afterEach(async () => {
  peer.dispose()
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
  expect(faults).toEqual([])
})

const range = (from: number, to: number) => ({
  start: { line: 0, character: from },
  end: { line: 0, character: to },
})

async function open(name: string): Promise<void> {
  await page.call('tabs.openFile', { path: path(name), preview: false })
  await window.holds.open.get(path(name))
}

async function select(name: string, length = 100): Promise<void> {
  await page.call('selection.set', { selection: { path: path(name), version: 0, range: range(0, length) } })
}

async function close(name: string): Promise<void> {
  const tab = window.tabs.findFile(path(name))
  if (tab) await page.call('tabs.close', { id: tab.id, unsaved: 'discard' })
}

const changed = (frame: Frame) => frame.method === 'selection_changed'
const cleared = {
  text: '',
  selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 }, isEmpty: true },
}

test('a burst of selections is one frame; what is taken away goes at once and what is given comes at once', async () => {
  await open('a.ts')
  await open('b.ts')
  for (let length = 1; length < 12; length++) await select('a.ts', length)
  await select('a.ts')
  await peer.frame(changed)
  await peer.request('ping', {})
  expect(peer.frames.filter(changed)).toHaveLength(1)
  expect(peer.frames.find(changed)).toMatchObject({ params: { text: markOf('a.ts') } })

  const at = async (change: () => unknown) => {
    peer.frames.length = 0
    await change()
    // The answer comes after all that was sent before it: what waits for a pause is not among it.
    await peer.request('ping', {})
    return peer.frames.filter(changed).map((frame) => frame['params'])
  }
  expect(await at(() => page.call('context.share', { all: false }))).toEqual([cleared])
  expect(await at(() => page.call('context.share', { all: true }))).toMatchObject([{ text: markOf('a.ts') }])
  expect(await at(() => page.call('settings.set', { contextNeverShared: ['a.*'] }))).toEqual([cleared])
  expect(await at(() => select('a.ts', 3))).toEqual([])
  expect(await at(() => page.call('settings.set', { contextNeverShared: [] }))).toMatchObject([
    { text: 'mar' },
  ])
  expect(await at(() => close('a.ts'))).toEqual([cleared])
  expect(await at(() => page.call('context.share', { selection: false }))).toEqual([])
})

test('the record has what really went out, to whom, and the page follows it', async () => {
  const sent: Topics['context']['delta'][] = []
  const following = page.subscribe(
    'context',
    {},
    { snapshot: () => undefined, delta: (delta) => sent.push(delta) },
  )
  await open('a.ts')
  await open('.env')
  await select('a.ts')
  await peer.frame(changed)
  await peer.call('getOpenEditors')
  await peer.call('getLatestSelection')
  await page.call('selection.mention', { path: path('a.ts'), lines: { first: 0, last: 1 } })
  const refused = await page.call('selection.mention', { path: path('.env') })
  expect(refused).toMatchObject({ ok: false, failure: { code: 'withheld' } })
  await page.call('context.share', { all: false })
  await peer.call('getOpenEditors')
  const { entries } = window.context.record
  const connection = window.connections.list()[0]?.id
  expect(entries.every((entry) => entry.connection === connection && entry.agent === 'Claude')).toBe(true)
  expect(entries.map(({ how, item }) => [how, item.kind])).toEqual([
    ['told', 'selection'],
    ['asked', 'files'],
    ['asked', 'selection'],
    ['told', 'mention'],
    ['told', 'nothing'],
  ])
  expect(entries[1]?.item).toEqual({ kind: 'files', paths: [path('a.ts')] })
  expect(sent.flatMap((delta) => (delta.kind === 'sent' ? delta.entry.id : []))).toEqual(
    entries.map(({ id }) => id),
  )
  following.dispose()
})

test('a file that is not seen is not open for any tool, and the person can still be shown it', async () => {
  await open('.env')
  await select('.env')
  const answers = async () => [
    await peer.call('getCurrentSelection'),
    await peer.call('getLatestSelection'),
    await peer.call('getOpenEditors'),
    await peer.call('checkDocumentDirty', { filePath: path('.env') }),
    await peer.call('saveDocument', { filePath: path('.env') }),
  ]
  expect(JSON.stringify(await answers())).not.toMatch(/"success\\?":true|mark-|\\"uri/)
  await peer.call('close_tab', { tab_name: '.env' })
  expect(window.tabs.findFile(path('.env'))).toBeDefined()
  expect(await peer.call('openFile', { filePath: path('.env') })).toEqual([`Opened file: ${path('.env')}`])
  const quiet = await peer.call('openFile', { filePath: path('.env'), makeFrontmost: false })
  expect(JSON.stringify(quiet)).not.toContain('lineCount')
})

test('the other protocol hears the same, and as soon: what is taken away is not in its next frame', async () => {
  const { port, token } =
    window.parts.folderStates.read(window.folders.paths).servers['gemini-companion'] ?? {}
  const gemini = await HttpPeer.connect({ port: port ?? 0, token: token ?? '' })
  const update = 'ide/contextUpdate'
  const all: unknown[] = []
  /** The first fitting frame after a change; what came before it is put aside. */
  const after = async (change: () => unknown, wanted: RegExp) => {
    gemini.heard.length = 0
    await change()
    const { params } = await gemini.take(update, (frame) => {
      all.push(frame)
      return wanted.test(JSON.stringify(frame))
    })
    return (params['workspaceState'] as { openFiles: { path: string; selectedText?: string }[] }).openFiles
  }
  const [empty, selected] = [/"openFiles":\[\]/, /selectedText/]
  await open('.env')
  await select('.env')
  await open('a.ts')
  const share = (change: Calls['context.share']['params']) => () => page.call('context.share', change)
  expect(await after(() => select('a.ts'), selected)).toMatchObject([
    { path: path('a.ts'), selectedText: markOf('a.ts') },
  ])
  await after(share({ all: false }), empty)
  await after(share({ all: true }), selected)
  const [only, ...others] = await after(share({ selection: false }), /"openFiles":\[\{/)
  expect(others).toEqual([])
  expect(only).toEqual({ path: path('a.ts'), timestamp: expect.any(Number) as number, isActive: true })
  await after(share({ selection: true }), selected)
  await after(() => page.call('context.exclude', { path: path('a.ts') }), empty)
  await after(() => page.call('settings.set', { contextNeverShared: ['.env'] }), selected)
  await after(() => close('a.ts'), empty)
  const agents = window.context.record.entries.filter(({ agent }) => agent === 'Gemini')
  expect(agents.at(-1)?.item).toEqual({ kind: 'nothing' })
  expect(JSON.stringify([all, agents])).not.toMatch(/\.env|mark-2/)
  gemini.cut()
})

type Step =
  | { do: 'open' | 'close' | 'select' | 'cursor' | 'mention' | 'exclude' | 'include'; name: string }
  | { do: 'share'; which: 'all' | 'selection' | 'files'; on: boolean }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('open', 'close', 'select', 'cursor', 'mention'),
      name: fc.constantFrom(...names),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('exclude', 'include'), name: fc.constantFrom(...names) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('share' as const),
      which: fc.constantFrom('all', 'selection', 'files'),
      on: fc.boolean(),
    }),
  },
)

test(
  'on the wire: nothing that is excluded, closed or switched off, in any frame or answer',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const excluded = new Set(['.env'])
        const exclude = () =>
          page.call('settings.set', { contextNeverShared: [...excluded].map((name) => `/${name}`) })
        for (const name of names) await close(name)
        await page.call('context.share', { all: true, selection: true, files: true })
        await exclude()
        await peer.request('ping', {})
        peer.frames.length = 0
        /** What may be told by the person's word now: marks of texts, and paths. */
        const allowed = () => {
          const { all, selection } = window.context.sharing
          const open = names.filter((name) => window.tabs.findFile(path(name)) && !excluded.has(name))
          return {
            paths: all ? names.filter((name) => !excluded.has(name)) : [],
            texts: all && selection ? open : [],
          }
        }
        let before = allowed()
        for (const one of steps) {
          switch (one.do) {
            case 'open':
              await open(one.name)
              break
            case 'close':
              await close(one.name)
              break
            case 'select':
              await select(one.name)
              break
            case 'cursor':
              await select(one.name, 0)
              break
            case 'mention':
              await page.call('selection.mention', { path: path(one.name) })
              break
            case 'exclude':
              excluded.add(one.name)
              await exclude()
              break
            case 'include':
              excluded.delete(one.name)
              await exclude()
              break
            case 'share':
              await page.call('context.share', { [one.which]: one.on })
          }
          const now = allowed()
          const answers = JSON.stringify([
            await peer.call('getCurrentSelection'),
            await peer.call('getLatestSelection'),
            await peer.call('getOpenEditors'),
          ])
          const told = JSON.stringify(peer.frames.filter(({ method }) => method !== undefined))
          peer.frames.length = 0
          for (const name of names) {
            if (!now.paths.includes(name)) expect(answers).not.toContain(path(name))
            if (!now.texts.includes(name)) expect(answers).not.toContain(markOf(name))
            // A frame may have left before the step.
            if (![...before.paths, ...now.paths].includes(name)) expect(told).not.toContain(path(name))
            if (![...before.texts, ...now.texts].includes(name)) expect(told).not.toContain(markOf(name))
          }
          before = now
        }
        await page.call('context.share', { all: false })
        await peer.request('ping', {})
        const last = peer.frames.findLast(changed)
        if (last) expect(last['params']).toEqual(cleared)
      }),
      { numRuns: 25 },
    )
  },
)
