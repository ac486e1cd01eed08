import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sessionRecords } from '../../../../test/session-files'
import { SessionTranscript } from '../../../shared/conversation/session-transcript'
import { addUsage, type Item, type Usage } from '../../../shared/conversation/transcript'
import { SessionIndexer, textPath, type IndexedFile } from './session-indexer'
import { readHeader, textStart } from './text-records'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'greenlight-index-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const noRest = () => Promise.resolve()
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

async function indexWhole(text: string, name: string): Promise<{ indexed: IndexedFile; texts: string }> {
  const folder = join(root, name)
  const path = join(root, `${name}.jsonl`)
  await writeFile(path, text)
  const indexed = await new SessionIndexer(folder, noRest).index('one', path, null)
  return { indexed, texts: await readFile(textPath(folder, 'one'), 'utf8') }
}

type Step =
  | { kind: 'append'; from: number; length: number }
  | { kind: 'cut'; share: number }
  | { kind: 'rewrite'; seed: number }
  | { kind: 'odd'; which: number }
  | { kind: 'restart' }
  /** The process ended before what was indexed was noted. */
  | { kind: 'forgotten' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('append'), from: fc.nat(), length: fc.nat(60_000) }),
  },
  fc.record({ kind: fc.constant('cut'), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant('rewrite'), seed: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('odd'), which: fc.nat(oddities.length - 1) }),
  fc.record({ kind: fc.constant('restart') }),
  fc.record({ kind: fc.constant('forgotten') }),
)

test('indexed in any pieces, with cuts and rewrites between, a session is as if it was read at once', async () => {
  const source = sample(120, 7)
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const folder = join(root, `run-${++run}`)
      const path = join(root, `run-${run}.jsonl`)
      await writeFile(path, '')
      let indexer = new SessionIndexer(folder, noRest)
      let known: IndexedFile | null = null
      let at = 0
      for (const one of steps) {
        if (one.kind === 'append') {
          await appendFile(path, source.slice(at, at + one.length))
          at = Math.min(source.length, at + one.length)
        } else if (one.kind === 'odd') await appendFile(path, oddities[one.which] ?? '')
        else if (one.kind === 'cut') {
          const size = Math.floor((await stat(path)).size * one.share)
          await truncate(path, size)
          at = 0
        } else if (one.kind === 'rewrite') await writeFile(path, sample(10, one.seed))
        else if (one.kind === 'restart') indexer = new SessionIndexer(folder, noRest)
        const next = await indexer.index('one', path, known)
        if (one.kind !== 'forgotten') known = next
      }
      const ours = await indexer.index('one', path, known)
      const texts = (await readFile(textPath(folder, 'one'), 'utf8')).slice(0, ours.textBytes)
      const whole = await indexWhole(await readFile(path, 'utf8'), `whole-${run}`)
      expect(ours.to).toBe(whole.indexed.to)
      expect(ours.figures).toEqual(whole.indexed.figures)
      expect(texts).toBe(whole.texts)
    }),
    // Each try writes many files.
    { numRuns: fc.readConfigureGlobal().numRuns ?? 30 },
  )
})

test('only what was appended is read', async () => {
  const text = sample(100, 1)
  const path = join(root, 'one.jsonl')
  await writeFile(path, text)
  const indexer = new SessionIndexer(join(root, 'index'), noRest)
  const known = await indexer.index('one', path, null)
  // What stands in the middle is not looked at again: had it been read, the figures would be others.
  const bytes = await readFile(path)
  bytes.fill(0x20, 4000, bytes.length - 4000)
  await writeFile(path, bytes)
  await appendFile(
    path,
    `${JSON.stringify({ type: 'user', uuid: 'new', message: { content: 'one more' } })}\n`,
  )
  const { figures } = await indexer.index('one', path, known)
  expect(figures.messages).toBe(known.figures.messages + 1)
})

test('figures are those of the transcript, over all its ways', async () => {
  for (const forkEvery of [0, 2, 5]) {
    const records = [...sessionRecords({ messages: 300, seed: 3, startedAt, forkEvery, compactEvery: 90 })]
    const { indexed } = await indexWhole(json(records), `figures-${forkEvery}`)
    const transcript = new SessionTranscript()
    transcript.add(records.map((record, offset) => ({ offset, bytes: 1, record })))
    const { items, forks } = allWays(transcript)
    const said = items.filter(({ kind }) => kind !== 'notice')
    const usage = said.reduce<Usage | null>(
      (sum, item) => addUsage(sum, item.kind === 'reply' ? item.usage : null),
      null,
    )
    expect(indexed.figures).toEqual({
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

test('a result of a tool is found where the tool is shown; names cannot break the lines', async () => {
  const records = [
    {
      type: 'user',
      uuid: 'a\tb\n',
      parentUuid: null,
      timestamp: 5,
      message: { content: 'ask\r\nthis\nway' },
    },
    {
      ...{ type: 'assistant', uuid: 'use', parentUuid: 'a\tb\n' },
      message: {
        id: 'm',
        content: [{ type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'ls -l' } }],
      },
    },
    {
      ...{ type: 'user', uuid: 'result', parentUuid: 'use' },
      message: {
        content: [
          { type: 'tool_result', tool_use_id: 'call', content: [{ type: 'text', text: 'three files' }] },
        ],
      },
    },
    {
      type: 'assistant',
      uuid: 'inner',
      isSidechain: true,
      agentId: 'x',
      message: { content: 'of a sub-agent' },
    },
  ]
  const { texts, indexed } = await indexWhole(json(records), 'tools')
  const lines = texts
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  expect(lines.map(([uuid, , , , , text]) => [uuid, text])).toEqual([
    ['a b ', 'ask\rthis\rway'],
    ['use', 'Bash\rls -l'],
    ['use', 'three files'],
  ])
  expect(lines[2]?.[1]).toBe(lines[1]?.[1])
  expect(indexed.figures.messages).toBe(2)
})

test('what is kept is for the person alone, and goes with the session', async () => {
  const path = join(root, 'one.jsonl')
  await writeFile(path, sample(10, 1))
  const folder = join(root, 'index')
  const indexer = new SessionIndexer(folder, noRest)
  await indexer.index('one', path, null)
  if (process.platform !== 'win32') {
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(textPath(folder, 'one'))).mode & 0o777).toBe(0o600)
  }
  await indexer.drop(['one'])
  await expect(stat(textPath(folder, 'one'))).rejects.toThrow()
})

const spoken = (uuid: string, parentUuid: string | null, text: string, more: object = {}) => ({
  ...{ type: 'assistant', uuid, parentUuid, timestamp: '2026-01-01T00:00:00Z' },
  message: {
    id: `m-${uuid}`,
    role: 'assistant',
    content: [{ type: 'text', text }],
    usage: { input_tokens: 1, output_tokens: 2 },
  },
  ...more,
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

test('what sub-agents said belongs to their session, at the tool that started them, however deep', async () => {
  const path = join(root, 'one.jsonl')
  const folder = join(root, 'one', 'subagents')
  const texts = async (indexed: IndexedFile) =>
    (await readFile(textPath(join(root, 'index'), 'one'), 'utf8'))
      .slice(0, indexed.textBytes)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ ...readHeader(line.slice(0, textStart(line))), text: line.slice(textStart(line)) }))
  const start = json([spoken('a', null, 'begin'), calling('b', 'a', 'call-1')])
  await writeFile(path, start)
  let indexer = new SessionIndexer(join(root, 'index'), noRest)
  let known = await indexer.index('one', path, null)
  expect(known.figures).toMatchObject({ messages: 2, usage: { output: 2 } })

  // It runs: its notes say which call has started it. Lines of the record are its own words, marked as a sidechain.
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'agent-a1.meta.json'), JSON.stringify({ toolUseId: 'call-1' }))
  const told = { type: 'user', uuid: 'x', parentUuid: null, message: { role: 'user', content: 'look well' } }
  const inner = json([{ ...told, isSidechain: true, agentId: 'a1' }, calling('y', 'x', 'call-2')])
  await writeFile(join(folder, 'agent-a1.jsonl'), inner)
  // Nothing says what started this one: it is no part of what can be shown.
  await writeFile(join(folder, 'agent-compact.jsonl'), json([spoken('z', null, 'a copy of all')]))
  await appendFile(path, json([spoken('c', 'b', 'I wait')]))
  known = await indexer.index('one', path, known)
  const card = { uuid: 'b', offset: json([spoken('a', null, 'begin')]).length }
  expect(await texts(known)).toContainEqual({
    ...card,
    ...{ inside: [{ agent: 'a1', uuid: 'x', offset: 0 }], at: null, speaker: 'agent', text: 'look well' },
  })
  expect(known.figures.messages).toBe(5)

  // The results name the sub-agents, of versions that keep no notes, and a record may stand beside the session's.
  indexer = new SessionIndexer(join(root, 'index'), noRest)
  await writeFile(join(root, 'agent-a2.jsonl'), json([spoken('v', null, 'deepest words')]))
  await appendFile(join(folder, 'agent-a1.jsonl'), json([resulting('w', 'y', 'call-2', 'a2')]))
  await appendFile(path, json([resulting('d', 'b', 'call-1', 'a1')]))
  known = await indexer.index('one', path, known)
  const deep = (await texts(known)).find(({ text }) => text === 'deepest words')
  const second = inner.indexOf('\n') + 1
  expect(deep).toMatchObject({
    ...card,
    inside: [
      { agent: 'a1', uuid: 'y', offset: second },
      { agent: 'a2', uuid: 'v', offset: 0 },
    ],
  })
  expect(known.figures).toMatchObject({ messages: 6, usage: { output: 6 } })
  expect((await texts(known)).map(({ text }) => text)).not.toContain('a copy of all')

  // In pieces as at once; and only what is new is read.
  const whole = await new SessionIndexer(join(root, 'other'), noRest).index('one', path, null)
  expect(whole.figures).toEqual(known.figures)
  expect(whole.textBytes).toBe(known.textBytes)
  // The agent's own count has all of it.
  await appendFile(path, json([{ type: 'cost-state', totalCostUSD: 0.25 }]))
  known = await indexer.index('one', path, known)
  expect(known.figures.costUSD).toBe(0.25)

  // A record that was written over: all is read anew. One that is gone takes nothing away.
  await writeFile(join(folder, 'agent-a1.jsonl'), json([spoken('n', null, 'other words')]))
  known = await indexer.index('one', path, known)
  expect((await texts(known)).map(({ text }) => text)).not.toContain('look well')
  await rm(join(folder, 'agent-a1.jsonl'))
  await appendFile(path, json([spoken('e', 'd', 'end')]))
  known = await indexer.index('one', path, known)
  expect((await texts(known)).map(({ text }) => text)).toEqual(expect.arrayContaining(['other words', 'end']))
  await indexer.drop(['one'])
  expect(await readdir(join(root, 'index'))).toEqual([])
})
