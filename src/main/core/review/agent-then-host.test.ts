import fc from 'fast-check'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { draftText, silent, startPlainDesk, untilDesk } from '../../../../test/plain-desk'
import type { Opening } from '../../../shared/review/proposal'
import { FileSwapper } from '../files/compare-and-swap'
import { hashContent } from '../files/content-hash'
import { FileWatcher } from '../files/watcher'
import type { ReviewDesk } from './desk'
import { ReviewJournal } from './journal'
import { ReviewLog } from './review-log'

/**
 * An agent that writes its whole proposal once it was accepted, in whatever part, and a host that then puts the file to
 * exactly what was accepted: real files, the real desk, and crashes that leave nothing but what is on the disk.
 */
const base = 'one\ntwo\nthree\n'
const proposed = 'ONE\ntwo\nTHREE\n'
const accepted = 'one\ntwo\nTHREE\n'

interface Swap {
  expected: string | null
  text: string
}

/** What of a run of the app ends with it. */
class Life {
  isOver = false
  readonly openings: Opening[] = []
  readonly abort = new AbortController()
  constructor(readonly desk: ReviewDesk) {}
}

let folder: string
let path: string
let watcher: FileWatcher
let life: Life
let lives: Life[]
let data: string
let swaps: Swap[]
/** Runs before and after the host's writes. */
let aroundSwap: { before?: () => Promise<unknown>; after?: () => Promise<unknown> }

/** Ends as a process does that is killed: nothing of it is heard, written or read any more. */
const never = new Promise<never>(() => {})

function startLife(patience = 60_000): Life {
  const isOver = () => life.isOver
  class Swapper extends FileSwapper {
    override async swap(...args: Parameters<FileSwapper['swap']>) {
      const own = life
      await aroundSwap.before?.()
      if (own.isOver) return never
      const swapped = await super.swap(...args)
      if (swapped.ok) swaps.push({ expected: args[1], text: Buffer.from(args[2]).toString() })
      await aroundSwap.after?.()
      return own.isOver ? never : swapped
    }
  }
  const desk = startPlainDesk(folder, watcher, {
    journal: new ReviewJournal(data, silent),
    swapper: new Swapper(),
    isAgents: () => true,
    patience,
    watch: (file, listener) => {
      const own = lives.length
      return watcher.watchFile(file, () => {
        if (lives.length === own && !isOver()) listener()
      })
    },
  })
  life = new Life(desk)
  lives.push(life)
  return life
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-then-host-')))
  watcher = new FileWatcher({ interval: 50 })
  await begin(0)
})

afterEach(async () => {
  vi.restoreAllMocks()
  for (const one of lives) one.desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A file and a data directory of its own. */
async function begin(round: number, patience?: number): Promise<void> {
  for (const one of lives ?? []) one.desk.dispose()
  path = join(folder, `${round}.txt`)
  data = join(folder, `data-${round}`)
  await writeFile(path, base)
  lives = []
  swaps = []
  aroundSwap = {}
  startLife(patience)
}

/** The app is killed here and started anew, with the journal as it lies on the disk at this moment. */
async function crash(): Promise<void> {
  life.isOver = true
  const copy = `${data}+`
  mkdirSync(data, { recursive: true })
  for (let isCopied = false; !isCopied;) {
    try {
      rmSync(copy, { recursive: true, force: true })
      cpSync(data, copy, { recursive: true })
      isCopied = true
    } catch {
      // A write of the life before was under way.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  data = copy
  const before = life
  startLife()
  await life.desk.restore()
  before.desk.dispose()
}

const until = <T>(find: () => T | null | undefined | false) => untilDesk(life.desk, find)
const read = () => readFileSync(path, 'utf8')
const here = () => life.desk.summaries().filter((summary) => summary.path === path)
const origin = { dialect: 'acp', connection: 'c1', agent: 'Gemini', call: '1' } as const

async function ask(text = proposed, connection = 'c1'): Promise<string> {
  const { desk, openings, abort } = life
  const known = new Set(here().map(({ id }) => id))
  void desk
    .open(
      { origin: { ...origin, connection }, path, proposed: text, title: '', effect: 'agent-then-host' },
      abort.signal,
    )
    .then((opening) => openings.push(opening))
  const { id } = await until(() => here().find((summary) => !known.has(summary.id)))
  return id
}

/** The person refuses the first change and accepts the file; resolves to whether that counts. */
async function accept(id: string): Promise<boolean> {
  const { desk } = life
  const steps = [{ kind: 'reject' as const, hunk: 1 }]
  desk.step(id, { client: 'p', version: 0, after: 0, steps })
  const done = desk.accept(id, desk.summary(id)?.revision ?? -1)
  return done.ok && (await desk.counts(id)).ok
}

async function write(text: string): Promise<void> {
  await writeFile(path, text)
  life.desk.look(path)
}

describe('a change that the agent writes whole', () => {
  it('is put to what was accepted once it is there, and the next on its path begins after that', async () => {
    const id = await ask()
    const next = await ask('one\ntwo\nthree\nfour\n', 'c2')
    const seenAtTurn: string[] = []
    life.desk.onChange((event) => {
      if (event.kind === 'put' && event.id === next && life.desk.summary(next)?.phase === 'open')
        seenAtTurn.push(read())
    })
    expect(await accept(id)).toBe(true)
    expect(life.openings).toEqual([{ kind: 'accepted', text: accepted }])
    expect(read()).toBe(base)
    expect(life.desk.summary(id)?.phase).toBe('awaiting')
    expect(life.desk.summary(next)?.phase).toBe('queued')
    await write(proposed)
    await until(() => life.desk.summary(next)?.phase === 'open')
    expect(seenAtTurn[0]).toBe(accepted)
    expect(read()).toBe(accepted)
    expect(swaps).toEqual([{ expected: hashContent(proposed), text: accepted }])
    expect(life.desk.decided()[0]).toMatchObject({ how: 'accepted', canUndo: true })
  })

  it('may come with line ends of the agent’s own', async () => {
    await writeFile(path, base.replaceAll('\n', '\r\n'))
    const id = await ask()
    await accept(id)
    await write(proposed)
    await expect.poll(read).toBe(accepted.replaceAll('\n', '\r\n'))
  })

  it('that was accepted whole is left as the agent writes it', async () => {
    const id = await ask()
    life.desk.accept(id, life.desk.summary(id)?.revision ?? -1)
    await life.desk.counts(id)
    await write(proposed)
    await until(() => here().length === 0)
    expect(swaps).toEqual([])
  })

  it('is told to be rejected where it is, and nothing is written', async () => {
    const id = await ask()
    life.desk.reject(id, life.desk.summary(id)?.revision ?? -1)
    await life.desk.counts(id)
    await expect.poll(() => life.openings).toEqual([{ kind: 'rejected' }])
    await write(proposed)
    expect([read(), swaps, here()]).toEqual([proposed, [], []])
  })

  it('is overdue where the agent never writes it, and can be written by the host; coming later it is put back', async () => {
    for (const isLate of [false, true]) {
      await begin(isLate ? 2 : 1, 1)
      const id = await ask()
      await accept(id)
      const overdue = await until(() => here().find(({ phase }) => phase === 'overdue'))
      expect(overdue.problem).toContain('hasn’t written it')
      life.abort.abort('connection-lost')
      if (isLate) await write(proposed)
      else life.desk.writeMyself(id, overdue.revision)
      await expect.poll(read).toBe(accepted)
      await until(() => here().length === 0)
    }
  })

  it('that becomes something else is left so, and asked about with the decisions', async () => {
    const id = await ask()
    await accept(id)
    await write('ONE\ntwo\nTHREE\nand more\n')
    const again = await until(() =>
      here().find(({ effect, phase }) => effect === 'written' && phase === 'open'),
    )
    await until(() => draftText(life.desk, again.id) === 'one\ntwo\nTHREE\nand more\n')
    expect([read(), swaps]).toEqual(['ONE\ntwo\nTHREE\nand more\n', []])
    expect(again.problem).toContain('does not hold what Gemini proposed')
    const revision = life.desk.summary(again.id)?.revision ?? -1
    expect(life.desk.accept(again.id, revision).ok).toBe(true)
    await expect.poll(read).toBe('one\ntwo\nTHREE\nand more\n')
  })

  it('is not written over where somebody changed it before the host could put it', async () => {
    const id = await ask()
    await accept(id)
    aroundSwap.before = () => writeFile(path, `${proposed}mine\n`)
    await write(proposed)
    const again = await until(() =>
      here().find(({ effect, phase }) => effect === 'written' && phase === 'open'),
    )
    expect([read(), swaps]).toEqual([`${proposed}mine\n`, []])
    await until(() => draftText(life.desk, again.id) === `${accepted}mine\n`)
  })

  it.each(['cancelled', 'connection-lost'] as const)(
    'is %s before the answer as any other',
    async (reason) => {
      const id = await ask()
      life.desk.step(id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
      life.abort.abort(reason)
      await expect.poll(() => life.openings).toEqual([{ kind: 'withdrawn', reason }])
      expect(here()).toMatchObject([{ id, phase: 'orphaned' }])
      // Nothing was accepted, so what the agent writes all the same is asked about.
      await write(proposed)
      const again = await until(() => here().find(({ effect }) => effect === 'written'))
      expect([read(), swaps, draftText(life.desk, again.id)]).toEqual([proposed, [], accepted])
    },
  )
})

describe('a crash', () => {
  it('before the agent was told leaves the draft; what the agent writes later is put to what was accepted', async () => {
    const decided = ReviewLog.prototype.decided
    vi.spyOn(ReviewLog.prototype, 'decided').mockImplementation(async function (this: ReviewLog, ...args) {
      await decided.apply(this, args)
      await crash()
      return never
    })
    const id = await ask()
    void accept(id)
    await expect.poll(() => lives.length).toBe(2)
    await until(() => here()[0]?.phase === 'orphaned')
    expect([read(), draftText(life.desk, id)]).toEqual([base, accepted])
    await write(proposed)
    await expect.poll(read).toBe(accepted)
    await expect.poll(() => swaps).toEqual([{ expected: hashContent(proposed), text: accepted }])
  })

  it.each(['before the agent writes', 'after the agent has written'])('%s', async (when) => {
    await accept(await ask())
    if (when.startsWith('before')) {
      await crash()
      expect(here()).toMatchObject([{ phase: 'orphaned' }])
      await write(proposed)
    } else {
      // Unseen by the life before.
      life.isOver = true
      await writeFile(path, proposed)
      await crash()
    }
    await expect.poll(read).toBe(accepted)
    await until(() => here().length === 0)
  })

  it.each(['before', 'after'] as const)('%s the host has put the file', async (when) => {
    await accept(await ask())
    aroundSwap[when] = async () => {
      aroundSwap = {}
      await crash()
    }
    await write(proposed)
    await expect.poll(() => lives.length).toBe(2)
    await expect.poll(read).toBe(accepted)
    await until(() => here().length === 0)
    expect(swaps.length).toBe(1)
  })

  it('with something else in the file afterwards tells, and writes nothing', async () => {
    const id = await ask()
    await accept(id)
    life.isOver = true
    await writeFile(path, `${proposed}mine\n`)
    await crash()
    expect(here()).toMatchObject([{ id, phase: 'orphaned', isTouched: true }])
    expect(read()).toBe(`${proposed}mine\n`)
    await crash()
    // Carried over onto that, it is no acceptance of another text any more.
    await write(proposed)
    await until(() => here().some(({ effect }) => effect === 'written'))
    expect(swaps).toEqual([])
  })
})

type Act = 'decide' | 'agent' | 'other' | 'disconnect' | 'crash' | 'crash again'

describe('any order of what the person, the agent, others and the machine do', () => {
  it('puts the file only over the whole proposal, and loses no decision', async () => {
    let round = 10
    const acts: Act[] = ['decide', 'agent', 'other', 'disconnect', 'crash', 'crash again']
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(acts, { minLength: 2 }),
        fc.array(fc.nat(12), { minLength: acts.length, maxLength: acts.length }),
        async (order, pauses) => {
          await begin(round++)
          const id = await ask()
          let isDecided = false
          let foreign = base
          for (const [index, act] of order.entries()) {
            switch (act) {
              case 'decide':
                isDecided = await accept(id)
                break
              case 'agent':
                await write((foreign = proposed))
                break
              case 'other':
                await write((foreign = `${read()}mine\n`))
                break
              case 'disconnect':
                life.abort.abort('connection-lost')
                break
              case 'crash':
              case 'crash again':
                await crash()
                break
            }
            for (let turn = 0; turn < (pauses[index] ?? 0); turn++)
              await new Promise((resolve) => setImmediate(resolve))
          }
          life.desk.look(path)
          const isClean = isDecided && !order.includes('other') && order.includes('agent')
          const isInOrder = order.indexOf('decide') < order.indexOf('agent')
          // What was agreed to comes about, whenever the app was killed.
          if (isClean && isInOrder) await expect.poll(read).toBe(accepted)
          // Else it came about before somebody changed the file, or is there for the person to go on with.
          else if (isDecided) await expect.poll(() => swaps.length > 0 || here().length > 0).toBe(true)
          for (const swap of swaps) expect(swap).toEqual({ expected: hashContent(proposed), text: accepted })
          expect([foreign, accepted]).toContain(read())
          for (const { openings } of lives) {
            expect(openings.length).toBeLessThan(2)
            for (const said of openings) if (said.kind === 'accepted') expect(said.text).toBe(accepted)
          }
        },
      ),
      { numRuns: 60 },
    )
  }, 120_000)
})
