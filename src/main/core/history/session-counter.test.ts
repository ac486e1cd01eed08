import { appendFile, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sessionRecords } from '../../../../test/session-files'
import { SessionTranscript } from '../../../shared/conversation/session-transcript'
import { addUsage, type Item, type Usage } from '../../../shared/conversation/transcript'
import { SessionCounter } from './session-counter'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'greenlight-counter-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const json = (records: Iterable<unknown>) =>
  [...records].map((record) => `${JSON.stringify(record)}\n`).join('')
const startedAt = Date.UTC(2026, 0, 1)
const sample = (messages: number, seed: number) =>
  json(sessionRecords({ messages, seed, startedAt, sessionId: 'one', forkEvery: 3, compactEvery: 40 }))
/** Lines that are no lines of a session, and the end of one that has not come yet. */
const oddities = [
  '{"type":"user"',
  'no json\n',
  '\n',
  '[]\n',
  '{"type":"new-kind","uuid":"x"}\n',
  '\ufffd\u0000\n',
]

type Step =
  | { kind: 'append'; length: number }
  | { kind: 'cut'; share: number }
  | { kind: 'rewrite'; seed: number }
  | { kind: 'odd'; which: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('append'), length: fc.nat(60_000) }) },
  fc.record({ kind: fc.constant('cut'), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant('rewrite'), seed: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('odd'), which: fc.nat(oddities.length - 1) }),
)

test('counted in any pieces, with cuts and rewrites between, a session is as if it was read at once', async () => {
  const source = sample(120, 7)
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const place = { id: 'one', path: join(root, `run-${++run}.jsonl`) }
      await writeFile(place.path, '')
      const counter = new SessionCounter()
      let at = 0
      for (const one of steps) {
        if (one.kind === 'append') {
          await appendFile(place.path, source.slice(at, at + one.length))
          at = Math.min(source.length, at + one.length)
        } else if (one.kind === 'odd') await appendFile(place.path, oddities[one.which] ?? '')
        else if (one.kind === 'cut') {
          await truncate(place.path, Math.floor((await stat(place.path)).size * one.share))
          at = 0
        } else await writeFile(place.path, sample(10, one.seed))
        await counter.count(place)
      }
      expect(await counter.count(place)).toEqual(await new SessionCounter().count(place))
    }),
    // Each try writes many files.
    { numRuns: fc.readConfigureGlobal().numRuns ?? 30 },
  )
})

test('only what was appended is read', async () => {
  const place = { id: 'one', path: join(root, 'one.jsonl') }
  await writeFile(place.path, sample(100, 1))
  const counter = new SessionCounter()
  const { messages } = await counter.count(place)
  // What stands in the middle is not looked at again: had it been read, the figures would be others.
  const bytes = await readFile(place.path)
  bytes.fill(0x20, 4000, bytes.length - 4000)
  await writeFile(place.path, bytes)
  await appendFile(
    place.path,
    json([{ type: 'user', uuid: 'new', parentUuid: null, message: { content: 'one more' } }]),
  )
  expect((await counter.count(place)).messages).toBe(messages + 1)
})

test('figures are those of the transcript, over all its ways', async () => {
  for (const forkEvery of [0, 2, 5]) {
    const records = [...sessionRecords({ messages: 300, seed: 3, startedAt, forkEvery, compactEvery: 90 })]
    const place = { id: 'one', path: join(root, `${forkEvery}.jsonl`) }
    await writeFile(place.path, json(records))
    const transcript = new SessionTranscript()
    transcript.add(records.map((record, offset) => ({ offset, bytes: 1, record })))
    const { items, forks } = allWays(transcript)
    const said = items.filter(({ kind }) => kind !== 'notice')
    const usage = said.reduce<Usage | null>(
      (sum, item) => addUsage(sum, item.kind === 'reply' ? item.usage : null),
      null,
    )
    expect(await new SessionCounter().count(place)).toEqual({
      messages: said.length,
      forks,
      usage,
      costUSD: transcript.facts.costUSD,
      isCostOfAll: true,
    })
    if (forkEvery > 0) expect(forks).toBeGreaterThan(3)
  }
})

/** Every item on any way of a conversation, and how many places it forks at. */
function allWays(transcript: SessionTranscript): { items: Item[]; forks: number } {
  const items = new Map<string, Item>()
  const forks = new Set<string>()
  const open: string[] = []
  const look = () => {
    for (const item of transcript.items()) {
      items.set(item.id, item)
      if (!item.branches) continue
      const name = item.branches.ids.join()
      if (!forks.has(name)) open.push(...item.branches.ids)
      forks.add(name)
    }
  }
  look()
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    transcript.choose(id)
    look()
  }
  return { items: [...items.values()], forks: forks.size }
}

const spoken = (uuid: string, parentUuid: string | null, text: string) => ({
  ...{ type: 'assistant', uuid, parentUuid, timestamp: '2026-01-01T00:00:00Z' },
  message: {
    id: `m-${uuid}`,
    role: 'assistant',
    content: [{ type: 'text', text }],
    usage: { input_tokens: 1, output_tokens: 2 },
  },
})
const calling = (uuid: string, parentUuid: string | null, call: string) => ({
  ...spoken(uuid, parentUuid, ''),
  message: {
    ...{ id: `m-${uuid}`, role: 'assistant' },
    content: [{ type: 'tool_use', id: call, name: 'Agent', input: { prompt: 'look' } }],
  },
})
const resulting = (uuid: string, parentUuid: string, call: string, agentId: string) => ({
  ...{ type: 'user', uuid, parentUuid, toolUseResult: { agentId } },
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: 'looked' }] },
})

test('what sub-agents said counts with their session, however deep, once it is known what started them', async () => {
  const place = { id: 'one', path: join(root, 'one.jsonl') }
  const folder = join(root, 'one', 'subagents')
  const counter = new SessionCounter()
  await writeFile(place.path, json([spoken('a', null, 'begin'), calling('b', 'a', 'call-1')]))
  expect(await counter.count(place)).toMatchObject({ messages: 2, usage: { output: 2 } })

  // It runs: its notes say which call has started it. Lines of the record are its own words, marked as a sidechain.
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'agent-a1.meta.json'), JSON.stringify({ toolUseId: 'call-1' }))
  const told = { type: 'user', uuid: 'x', parentUuid: null, message: { role: 'user', content: 'look well' } }
  const inner = json([{ ...told, isSidechain: true, agentId: 'a1' }, calling('y', 'x', 'call-2')])
  await writeFile(join(folder, 'agent-a1.jsonl'), inner)
  // Nothing says what started this one.
  await writeFile(join(folder, 'agent-compact.jsonl'), json([spoken('z', null, 'a copy of all')]))
  await appendFile(place.path, json([spoken('c', 'b', 'I wait')]))
  expect((await counter.count(place)).messages).toBe(5)

  // The results name the sub-agents, of versions that keep no notes, and a record may stand beside the session's.
  await writeFile(join(root, 'agent-a2.jsonl'), json([spoken('v', null, 'deepest words')]))
  await appendFile(join(folder, 'agent-a1.jsonl'), json([resulting('w', 'y', 'call-2', 'a2')]))
  await appendFile(place.path, json([resulting('d', 'b', 'call-1', 'a1')]))
  const all = await counter.count(place)
  expect(all).toMatchObject({ messages: 6, usage: { output: 6 } })
  expect(await new SessionCounter().count(place)).toEqual(all)

  // The agent's own count has all of it.
  await appendFile(place.path, json([{ type: 'cost-state', totalCostUSD: 0.25 }]))
  expect((await counter.count(place)).costUSD).toBe(0.25)

  // A record that was written over is read anew. One that is gone takes nothing away.
  await writeFile(join(folder, 'agent-a1.jsonl'), json([spoken('n', null, 'other words')]))
  expect((await counter.count(place)).messages).toBe(5)
  await rm(join(folder, 'agent-a1.jsonl'))
  expect((await counter.count(place)).messages).toBe(5)
})
