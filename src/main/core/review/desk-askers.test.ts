import fc from 'fast-check'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startPlainDesk, untilDesk } from '../../../../test/plain-desk'
import type { Effect, Opening, Origin, WithdrawnReason } from '../../../shared/review/proposal'
import { FileWatcher } from '../files/watcher'
import type { ReviewDesk } from './desk'
import type { DeskEvent } from './desk-events'

const base = 'one\ntwo\nthree\n'
const proposed = 'ONE\ntwo\nTHREE\n'

let folder: string
let path: string
let desk: ReviewDesk
let watcher: FileWatcher
let events: DeskEvent[]
let notes: { connection: string; note: string }[]

function startDesk(): ReviewDesk {
  const made = startPlainDesk(folder, watcher, {
    typeNote: ({ connection }, note) => notes.push({ connection, note }) > 0,
    isOneTree: (one, other) => Promise.resolve(one.pid !== undefined && one.pid === other.pid),
    patience: 60_000,
  })
  made.onChange((event) => events.push(event))
  return made
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-askers-')))
  path = join(folder, 'a.txt')
  await writeFile(path, base)
  watcher = new FileWatcher({ interval: 100 })
  events = []
  notes = []
  desk = startDesk()
})

afterEach(async () => {
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const until = <T>(find: () => T | null | undefined | false) => untilDesk(desk, find)

const claude: Origin = { dialect: 'claude-ide', connection: 'c1', agent: 'Claude', pid: 10, call: '1' }
const again: Origin = { ...claude, connection: 'c2' }
const gemini: Origin = { ...claude, dialect: 'acp', connection: 'c3', agent: 'Gemini' }
const stranger: Origin = { ...claude, connection: 'c4', pid: 11 }

interface Asked {
  abort: (reason: WithdrawnReason) => void
  opening: Promise<Opening>
}

/** Asks, and waits until the desk shows that somebody more asks. */
async function ask(origin: Origin, text = proposed, effect: Effect = 'agent'): Promise<Asked> {
  const abort = new AbortController()
  const before = events.length
  const proposal = { origin, path, proposed: text, title: 'a change', effect }
  const opening = desk.open(proposal, abort.signal)
  await until(() => events.slice(before).some(({ kind }) => kind === 'put'))
  return { abort: (reason) => abort.abort(reason), opening }
}

const only = () => {
  const [summary, ...others] = desk.summaries()
  if (!summary || others.length > 0) throw new Error('there is not one review')
  return summary
}

describe('changes of one file by two sub-agents', () => {
  const [first, second, main] = ['a1', 'a2', undefined].map((subAgent, call): Origin => {
    return { ...claude, call: String(call), ...(subAgent === undefined ? {} : { subAgent }) }
  }) as [Origin, Origin, Origin]

  it('come one after the other, and only a newer one by the same sub-agent replaces', async () => {
    const one = await ask(first)
    desk.step(only().id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    await ask(second, 'one\nTWO\nthree\n')
    await ask(main, 'one\ntwo\nTHREE!\n')
    const [worked, ...behind] = desk.summaries()
    expect(behind.map(({ phase }) => phase)).toEqual(['queued', 'queued'])
    expect(behind.map(({ id }) => desk.content(id)?.offered)).toEqual([false, false])
    expect(worked).toMatchObject({ phase: 'open', isTouched: true })
    await ask({ ...first, call: '4' }, 'newer\n')
    expect(await one.opening).toEqual({ kind: 'withdrawn', reason: 'replaced' })
    expect(desk.summaries().map(({ id }) => desk.content(id)?.offered)).toEqual([false, false, true])
  })
})

describe('a change that one agent asks for twice', () => {
  it('is one review, and one decision answers both', async () => {
    const one = await ask(claude)
    const other = await ask(gemini)
    expect(only()).toMatchObject({ agent: 'Claude', agents: 'Claude and Gemini', phase: 'open' })
    desk.step(only().id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    desk.accept(only().id, only().revision)
    const accepted = { kind: 'accepted', text: 'one\ntwo\nTHREE\n' }
    expect(await Promise.all([one.opening, other.opening])).toEqual([accepted, accepted])
    await writeFile(path, accepted.text)
    expect(await until(() => events.find(({ kind }) => kind === 'ended'))).toMatchObject({
      end: 'confirmed',
      agent: 'Claude and Gemini',
    })
  })

  it('is two where the programs, or the texts, are two, and one of two that ask at the same time', async () => {
    await ask(claude)
    await ask(stranger)
    await ask(again, 'ONE\ntwo\nthree\n')
    expect(desk.summaries().map(({ phase }) => phase)).toEqual(['open', 'queued', 'queued'])
    const second = await realpath(path).then(() => join(folder, 'b.txt'))
    const { signal } = new AbortController()
    for (const origin of [claude, again, gemini]) {
      void desk.open({ origin, path: second, proposed: 'x', title: '', effect: 'agent' }, signal)
    }
    // Which of them reads the file first is open.
    const named = () => desk.summaries().find((summary) => summary.path === second)?.agents ?? ''
    await until(() => ['Claude (2 connections)', ' and ', 'Gemini'].every((part) => named().includes(part)))
    expect(desk.summaries().filter((summary) => summary.path === second)).toHaveLength(1)
  })

  it('is one review too where two sub-agents ask, of one connection', async () => {
    const one = await ask({ ...claude, subAgent: 'a1' })
    const other = await ask({ ...claude, subAgent: 'a2', call: '2' })
    expect(only()).toMatchObject({ agents: 'Claude', phase: 'open' })
    desk.accept(only().id, only().revision)
    const accepted = { kind: 'accepted', text: proposed }
    expect(await Promise.all([one.opening, other.opening])).toEqual([accepted, accepted])
  })

  it('loses only the asker that withdraws, and is withdrawn with the last one', async () => {
    const one = await ask(claude)
    const other = await ask(again)
    expect(only().agents).toBe('Claude (2 connections)')
    one.abort('connection-lost')
    expect(await one.opening).toEqual({ kind: 'withdrawn', reason: 'connection-lost' })
    expect(only()).toMatchObject({ phase: 'open', connection: 'c2' })
    expect(only()).not.toHaveProperty('agents')
    other.abort('cancelled')
    expect(await other.opening).toEqual({ kind: 'withdrawn', reason: 'cancelled' })
    expect(desk.summaries()).toEqual([])
  })

  it('answered yes in the terminal to one is over for both', async () => {
    const one = await ask(claude)
    const other = await ask(gemini, proposed, 'agent-then-host')
    expect(only().effect).toBe('agent-then-host')
    one.abort('answered-there')
    expect(await one.opening).toEqual({ kind: 'withdrawn', reason: 'answered-there' })
    expect(only().phase).toBe('open')
    await writeFile(path, proposed)
    expect(await other.opening).toEqual({ kind: 'withdrawn', reason: 'answered-there' })
    expect(desk.summaries()).toEqual([])
  })

  it('answered yes in the terminal against the person’s decisions is asked again, after the fact', async () => {
    const one = await ask(claude)
    const other = await ask(gemini)
    desk.step(only().id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    one.abort('answered-there')
    await writeFile(path, proposed)
    expect(await other.opening).toEqual({ kind: 'withdrawn', reason: 'answered-there' })
    const written = await until(() => desk.summaries().find(({ effect }) => effect === 'written'))
    expect(written).toMatchObject({ decided: 1, phase: 'open' })
  })

  it('replaces the question of the connection that asks anew, and keeps the other’s', async () => {
    const one = await ask(claude)
    const other = await ask(again)
    desk.step(only().id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    const newer = await ask(claude, 'ONE\nTWO\nTHREE\n')
    expect(await one.opening).toEqual({ kind: 'withdrawn', reason: 'replaced' })
    expect(desk.summaries().map(({ phase, connection }) => [phase, connection])).toEqual([
      ['open', 'c2'],
      ['queued', 'c1'],
    ])
    // The other one follows, and the edits with it.
    const followed = await ask(again, 'ONE\nTWO\nTHREE\n')
    expect(await other.opening).toEqual({ kind: 'withdrawn', reason: 'replaced' })
    await until(() => only().phase === 'open')
    expect(only()).toMatchObject({ agents: 'Claude (2 connections)' })
    expect(desk.content(only().id)?.offered).toBe(true)
    desk.reject(only().id, only().revision, 'no tabs')
    const rejected = { kind: 'rejected', note: 'no tabs' }
    expect(await Promise.all([newer.opening, followed.opening])).toEqual([rejected, rejected])
    expect(notes).toEqual([{ connection: 'c1', note: 'no tabs' }])
  })

  it('asked again by the same connection stays the same review, with its decisions', async () => {
    const one = await ask(claude)
    desk.step(only().id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    const other = await ask({ ...claude, call: '2' })
    expect(await one.opening).toEqual({ kind: 'withdrawn', reason: 'replaced' })
    expect(only()).toMatchObject({ decided: 1, phase: 'open' })
    desk.reject(only().id, only().revision)
    expect(await other.opening).toEqual({ kind: 'rejected' })
  })

  it('is an orphan of both after a crash', async () => {
    await ask(claude)
    await ask(gemini)
    const left = await ask(again)
    desk.step(only().id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    left.abort('cancelled')
    const log = join(folder, 'data', 'reviews', only().id, 'log.ndjson')
    await expect.poll(() => readFile(log, 'utf8')).toContain('"left"')
    const { id } = only()
    desk.dispose()
    desk = startDesk()
    await desk.restore()
    expect(only()).toMatchObject({ id, phase: 'orphaned', decided: 1, agents: 'Claude and Gemini' })
    expect(only().problem).toContain('can no longer answer Claude and Gemini')
  })
})

type Act =
  | { do: 'ask' | 'go'; who: number; reason: WithdrawnReason }
  | { do: 'touch' | 'accept' | 'reject' | 'write' }

/** How many ask, by the words for them: "Claude (2 connections) and Gemini" are three. */
function countAskers(agents: string): number {
  const counts = agents.split(' and ').map((agent) => Number(/\((\d+) connections\)/.exec(agent)?.[1] ?? 1))
  return counts.reduce((sum, count) => sum + count, 0)
}

const acts: fc.Arbitrary<Act>[] = [
  fc.record({
    do: fc.constantFrom('ask' as const, 'ask' as const, 'go' as const),
    who: fc.nat(2),
    reason: fc.constantFrom<WithdrawnReason[]>('answered-there', 'connection-lost', 'cancelled', 'turn-over'),
  }),
  fc.record({
    do: fc.constantFrom('touch' as const, 'accept' as const, 'reject' as const, 'write' as const),
  }),
]

describe('any order of asking, going and deciding', () => {
  it('gives each asker one answer, those who wait together the same, and never two open reviews', async () => {
    const origins = [claude, again, gemini]
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(...acts), { maxLength: 12 }), async (list) => {
        path = join(folder, `${round++}.txt`)
        await writeFile(path, base)
        const waiting = new Map<number, Asked & { review: string }>()
        const answers: Promise<Opening>[] = []
        const here = () => desk.summaries().filter((summary) => summary.path === path)
        const askers = () =>
          new Map(
            here()
              .filter(({ phase }) => phase === 'open' || phase === 'queued')
              .map((summary) => [summary.id, countAskers(summary.agents ?? summary.agent)]),
          )
        for (const act of list) {
          const open = here().find(({ phase }) => phase === 'open' || phase === 'queued')
          switch (act.do) {
            case 'ask': {
              const origin = origins[act.who]
              // An agent asks again only once it was answered, and not about what it has just written.
              if (!origin || waiting.has(act.who) || (await readFile(path, 'utf8')) !== base) break
              const abort = new AbortController()
              const before = askers()
              const opening = desk.open(
                { origin, path, proposed, title: 'a change', effect: 'agent' },
                abort.signal,
              )
              // Not the next change of the desk: that may be of a look at the file.
              const review = await until(
                () => [...askers()].find(([id, count]) => count > (before.get(id) ?? 0))?.[0],
              )
              waiting.set(act.who, { abort: (reason) => abort.abort(reason), opening, review })
              void opening.then(() => waiting.delete(act.who))
              answers.push(opening)
              break
            }
            case 'go':
              waiting.get(act.who)?.abort(act.reason)
              break
            case 'touch':
              if (open)
                desk.step(open.id, {
                  client: 'p',
                  version: versionOf(open.id),
                  after: versionOf(open.id),
                  steps: [{ kind: 'reject', hunk: 1 }],
                })
              break
            case 'accept':
            case 'reject': {
              const together = [...waiting.values()].flatMap(({ review, opening }) =>
                review === open?.id ? [opening] : [],
              )
              const done = open && desk[act.do](open.id, open.revision)
              if (!done?.ok || open?.phase !== 'open') break
              const [first, ...others] = await Promise.all(together)
              for (const other of others) expect(other).toEqual(first)
              break
            }
            case 'write':
              await writeFile(path, proposed)
              desk.look(path)
              break
          }
          await new Promise((resolve) => setImmediate(resolve))
          expect(here().filter(({ phase }) => phase === 'open').length).toBeLessThan(2)
        }
        for (const asked of waiting.values()) asked.abort('shutdown')
        // Nobody is left without an answer.
        await Promise.all(answers)
      }),
      { numRuns: 60 },
    )
  })

  function versionOf(id: string): number {
    const content = desk.content(id)?.content
    return content?.kind === 'text' ? content.version : 0
  }
})
