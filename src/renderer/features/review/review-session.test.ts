import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countSteps } from '../../../shared/review/client-steps'
import type { Calls, Topics } from '../../../shared/contract/contract'
import type { ReviewDelta, ReviewState, ReviewSummary } from '../../../shared/contract/review'
import { applyStep, type Draft, type DraftStep, startDraft } from '../../../shared/review/draft'
import { Emitter, type Listen } from '../../../shared/lifetime'
import { type Channel, createRpcClient } from '../../../shared/rpc/rpc'
import { stepFromJson, stepToJson } from '../../../shared/review/step-json'
import { ReviewSession } from './review-session'

type Push = Calls['review.step']['params']
type Frame = { t: string; id: number; topic?: string; name?: string; params?: unknown }

const text = (value: string) => Text.of(value.split('\n'))
const facts = { encoding: 'utf-8', bom: false, eol: 'lf' } as const

/**
 * The host's side of one review on links that the test holds: frames wait in a queue each way until `deliver` moves
 * one, or go through at once where the link is a quick one.
 */
class FakeHost {
  draft: Draft
  version = 0
  clients: ReadonlyMap<string, number> = new Map()
  readonly rpc = createRpcClient<Calls, Topics>()
  /** What becomes of the next steps that come: the host fails before it has taken them, or behind that. */
  fails: 'before' | 'after' | null = null
  /** When steps came, in milliseconds. */
  readonly asked: number[] = []
  #link: HeldLink | null = null
  #topic: { id: number; revision: number } | null = null

  constructor(base: string, proposed: string) {
    this.draft = startDraft(text(base), text(proposed))
  }

  get pending(): number {
    return this.#link ? this.#link.toHost.length + this.#link.toPage.length : 0
  }

  /** A new link; on a quick one the snapshot comes while the page still asks for it. */
  attach(isQuick: boolean): void {
    this.#link?.close()
    this.#topic = null
    const link = new HeldLink(isQuick, (frame) => this.#hear(link, JSON.parse(frame) as Frame))
    this.#link = link
    this.rpc.attach(link)
  }

  cut(): void {
    this.#link?.close()
    this.#link = null
    this.#topic = null
  }

  /** Moves one frame, for the host or for the page. */
  deliver(hostFirst: boolean): void {
    const link = this.#link
    if (!link) return
    const isForHost = link.toPage.length === 0 || (hostFirst && link.toHost.length > 0)
    const frame = (isForHost ? link.toHost : link.toPage).shift()
    if (frame === undefined) return
    if (isForHost) link.arrive(frame)
    else link.tell(frame)
  }

  /** Another page types. */
  insert(at: number, typed: string): void {
    const { length } = this.draft.b
    this.#take('other', [
      { kind: 'edit', changes: ChangeSet.of({ from: Math.min(at, length), insert: typed }, length) },
    ])
  }

  #hear(link: HeldLink, frame: Frame): void {
    if (link !== this.#link) return
    switch (frame.t) {
      case 'sub':
        this.#topic = { id: frame.id, revision: 1 }
        link.reply({ t: 'snap', id: frame.id, rev: 1, data: this.#state() })
        return
      case 'unsub':
        if (this.#topic?.id === frame.id) this.#topic = null
        return
      case 'call':
        this.asked.push(Date.now())
        if (this.fails) {
          if (this.fails === 'after') this.#step(frame.params as Push, false)
          link.reply({ t: 'err', id: frame.id, code: 'failed', message: 'the disk is full' })
          return
        }
        link.reply({ t: 'ok', id: frame.id, result: this.#answer(frame.params as Push) })
    }
  }

  #answer(push: Push): Calls['review.step']['result'] {
    const status = this.#step(push)
    return status === 'accepted' ? { status, revision: this.version + 1 } : { status }
  }

  /** As the host does it: only what was taken on its newest draft, and each step once. */
  #step({ client, version, after, steps }: Push, isTold = true): 'accepted' | 'behind' {
    const have = this.clients.get(client) ?? 0
    const known = have - after
    if (known < 0) return 'behind'
    if (known >= steps.length) return 'accepted'
    if (version + known !== this.version) return 'behind'
    const fresh = steps.slice(known).map((step) => stepFromJson(step))
    if (
      !this.#take(
        client,
        fresh.filter((step) => step !== null),
        isTold,
      )
    )
      return 'behind'
    return 'accepted'
  }

  #take(client: string, steps: readonly DraftStep[], isTold = true): boolean {
    let { draft } = this
    for (const step of steps) {
      const stepped = applyStep(draft, step)
      if (!stepped) return false
      draft = stepped.draft
    }
    const delta: ReviewDelta = { kind: 'steps', version: this.version, client, steps: steps.map(stepToJson) }
    this.draft = draft
    this.version += steps.length
    this.clients = countSteps(this.clients, client, steps.length)
    if (this.#topic && isTold)
      this.#link?.reply({ t: 'delta', id: this.#topic.id, rev: ++this.#topic.revision, data: delta })
    return true
  }

  #state(): ReviewState {
    const { a, b, hunks } = this.draft
    return {
      summary: { id: 'r', revision: 1 } as ReviewSummary,
      comments: [],
      earlier: null,
      draft: {
        kind: 'text',
        a: { text: a.toString() },
        b: { text: b.toString() },
        hunks: [...hunks],
        version: this.version,
        clients: Object.fromEntries(this.clients),
        facts,
        offered: false,
        lineEndsOnly: false,
      },
    }
  }
}

class HeldLink implements Channel {
  readonly toHost: string[] = []
  readonly toPage: string[] = []
  readonly #isQuick: boolean
  readonly arrive: (frame: string) => void
  readonly #messages = new Emitter<string>()
  readonly #closes = new Emitter<void>()
  readonly onMessage: Listen<string> = this.#messages.on
  readonly onClose: Listen<void> = this.#closes.on
  #isOpen = true

  constructor(isQuick: boolean, arrive: (frame: string) => void) {
    this.#isQuick = isQuick
    this.arrive = arrive
  }

  send(frame: string): void {
    if (!this.#isOpen) return
    if (this.#isQuick) this.arrive(frame)
    else this.toHost.push(frame)
  }

  reply(message: unknown): void {
    const frame = JSON.stringify(message)
    if (this.#isQuick) this.tell(frame)
    else this.toPage.push(frame)
  }

  tell(frame: string): void {
    if (this.#isOpen) this.#messages.emit(frame)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#closes.emit()
  }
}

/** The session and what an editor on it would hold. */
class Page {
  readonly session: ReviewSession
  shown: Text | null = null
  typed: string[] = []
  /** Its copy of the draft, which is the session's unless a test has made it another one. */
  copy: Draft | null = null

  constructor(host: FakeHost) {
    this.session = new ReviewSession(host.rpc, 'r')
    this.shown = this.session.draft?.b ?? null
    this.session.onState(() => {
      if (this.session.state.kind === 'text') this.shown ??= this.session.draft?.b ?? null
    })
    this.session.onFollow(({ b }) => {
      if (b && this.shown) this.shown = b.apply(this.shown)
    })
  }

  type(at: number): void {
    if (!this.shown) return
    const token = String.fromCharCode(0xe000 + this.typed.length)
    const changes = ChangeSet.of({ from: Math.min(at, this.shown.length), insert: token }, this.shown.length)
    this.shown = changes.apply(this.shown)
    const before = this.copy ?? this.session.draft
    const step = { kind: 'edit', changes } as const
    const after = before && applyStep(before, step)?.draft
    if (!before || !after) throw new Error('the page has no draft to type in')
    this.session.take({ before, after, steps: [{ step, draft: after }], edit: changes })
    this.typed.push(token)
  }
}

/** Lets time pass, and every promise that can go on go on. */
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

async function settle(host: FakeHost, page: Page): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    host.deliver(true)
    await pass(host.pending > 0 ? 0 : 50)
    if (host.pending === 0 && page.session.draft && isSettled(host, page)) return
  }
  throw new Error('the two never came to rest')
}

const isSettled = (host: FakeHost, page: Page) => page.session.draft?.b.eq(host.draft.b) ?? false

type Deed =
  | { do: 'type' | 'other'; at: number }
  | { do: 'deliver'; hostFirst: boolean }
  | { do: 'pass'; milliseconds: number }
  | { do: 'attach'; isQuick: boolean }
  | { do: 'cut' | 'flush' }

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('type' as const), at: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('other' as const), at: fc.nat(20) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('deliver' as const), hostFirst: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), milliseconds: fc.constantFrom(0, 0, 40) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('attach' as const), isQuick: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'flush' as const) }) },
)

async function run(host: FakeHost, page: Page, each: Deed): Promise<void> {
  switch (each.do) {
    case 'type':
      return page.type(each.at)
    case 'other':
      return host.insert(each.at, 'o')
    case 'deliver':
      return host.deliver(each.hostFirst)
    case 'pass':
      return void (await pass(each.milliseconds))
    case 'attach':
      return host.attach(each.isQuick)
    case 'cut':
      return host.cut()
    case 'flush':
      return page.session.flush()
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a review on links that break', () => {
  it.each([true, false])('types on over a lost link; the next one is quick: %s', async (isQuick) => {
    const host = new FakeHost('one\ntwo', 'one\n2')
    host.attach(true)
    const page = new Page(host)
    await settle(host, page)
    page.type(5)
    await pass(40)
    page.type(6)
    host.cut()
    page.type(7)
    host.attach(isQuick)
    await settle(host, page)
    expect(host.draft.b.toString()).toBe(`one\n2${page.typed.join('')}`)
    page.session.dispose()
  })

  it('neither loses nor doubles what was typed, whatever arrives when', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 40 }), fc.boolean(), async (deeds, isQuick) => {
        const host = new FakeHost('one\ntwo\nthree', 'one\n2\nthree')
        host.attach(isQuick)
        const page = new Page(host)
        for (const each of deeds) await run(host, page, each)
        host.attach(isQuick)
        await settle(host, page)
        await settle(host, page)
        for (const token of page.typed) expect(host.draft.b.toString().split(token)).toHaveLength(2)
        expect(page.session.draft?.b.toString()).toBe(host.draft.b.toString())
        expect(page.shown?.toString()).toBe(host.draft.b.toString())
        page.session.dispose()
        host.cut()
      }),
    )
  })
})

describe('a review whose host cannot take a step', () => {
  const prepare = async () => {
    const host = new FakeHost('one\ntwo', 'one\n2')
    host.attach(true)
    const page = new Page(host)
    await settle(host, page)
    return { host, page }
  }
  const problemOf = ({ session }: Page) => (session.state.kind === 'text' ? session.state.problem : undefined)

  it.each([
    ['before', true],
    ['after', true],
    ['after', false],
  ] as const)('sends it again until it is taken; failing %s, typing on: %s', async (fails, typesOn) => {
    const { host, page } = await prepare()
    host.fails = fails
    page.type(5)
    await pass(40)
    expect(problemOf(page)).toContain('keeps trying')
    if (typesOn) page.type(6)
    host.fails = null
    await pass(1000)
    expect(host.draft.b.toString()).toBe(`one\n2${page.typed.join('')}`)
    expect(problemOf(page)).toBeNull()
    expect(await page.session.settle()).toBe(true)
    expect(page.shown?.toString()).toBe(host.draft.b.toString())
    page.session.dispose()
  })

  it('asks ever more seldom, and at once when the person decides', async () => {
    const { host, page } = await prepare()
    host.fails = 'before'
    page.type(5)
    await pass(60_000)
    const pauses = host.asked.slice(1).map((at, index) => at - (host.asked[index] ?? 0))
    expect(pauses.slice(0, 6)).toEqual([500, 1000, 2000, 4000, 8000, 10_000])
    const asked = host.asked.length
    const refused = page.session.settle()
    expect(host.asked).toHaveLength(asked + 1)
    expect(await refused).toBe(false)
    host.fails = null
    expect(await page.session.settle()).toBe(true)
    expect(host.draft.b.toString()).toBe(`one\n2${page.typed.join('')}`)
    page.session.dispose()
  })
})

describe('a decision on a review', () => {
  it('names the revision of the last step without waiting for the summary that counts it', async () => {
    const host = new FakeHost('one\ntwo', 'one\n2')
    host.attach(true)
    const page = new Page(host)
    await settle(host, page)
    page.type(5)
    const began = Date.now()
    expect(await page.session.settle()).toBe(true)
    expect(Date.now() - began).toBe(0)
    expect(page.session.revision).toBe(2)
    page.session.dispose()
  })
})

describe('an editor whose draft has come to differ', () => {
  it('keeps what was typed in it, and follows what it lacked', async () => {
    const host = new FakeHost('one\ntwo\nthree', 'one\n2\nthree')
    host.attach(true)
    const page = new Page(host)
    await settle(host, page)
    // The editor has missed what another page typed.
    page.copy = page.session.draft
    const before = page.shown
    host.insert(0, 'other ')
    page.shown = before
    page.type(13)
    page.copy = null
    expect(page.shown?.toString()).toBe(`other one\n2\nthree${page.typed.join('')}`)
    page.type(0)
    await settle(host, page)
    const [first, second] = page.typed
    expect(host.draft.b.toString()).toBe(`${second}other one\n2\nthree${first}`)
    expect(page.shown?.toString()).toBe(host.draft.b.toString())
    page.session.dispose()
  })
})
