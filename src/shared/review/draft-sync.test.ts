import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyStep, baseOf, startDraft, type Draft, type DraftStep } from './draft'
import { DraftSync, type Batch } from './draft-sync'

const text = (value: string) => Text.of(value.split('\n'))

/** The host's side of one review: the authority on the order of steps, with a wire that may lose what is on it. */
class FakeHost {
  version = 0
  /** What is on the wire to the page, in order. */
  toPage: { version: number; client: string; steps: readonly DraftStep[] }[] = []
  /** How many steps it has of the page. */
  known = 0
  constructor(public draft: Draft) {}

  step(client: string, batch: Batch): 'accepted' | 'behind' {
    const had = this.known - batch.after
    const steps = batch.steps.slice(had)
    if (steps.length === 0) return 'accepted'
    if (batch.version + had !== this.version) return 'behind'
    let draft = this.draft
    for (const step of steps) {
      const stepped = applyStep(draft, step)
      if (!stepped) throw new Error('the page sent a step that does not fit')
      draft = stepped.draft
    }
    this.draft = draft
    this.toPage.push({ version: this.version, client, steps })
    this.version += steps.length
    this.known += steps.length
    return 'accepted'
  }

  act(step: DraftStep): boolean {
    const stepped = applyStep(this.draft, step)
    if (!stepped) return false
    this.draft = stepped.draft
    this.toPage.push({ version: this.version, client: 'host', steps: [step] })
    this.version += 1
    return true
  }
}

function plain(draft: Draft): unknown {
  return { a: draft.a.toString(), b: draft.b.toString(), hunks: draft.hunks }
}

/** Where a text can still be found: in the result, or kept by a decision for its undoing. */
function keptText(draft: Draft): string {
  const kept = draft.hunks.map(({ decision }) => (decision.kind === 'undecided' ? '' : decision.was))
  return [draft.b.toString(), ...kept].join('\u0000')
}

const line = fc.constantFrom('', 'a', 'b', 'c', 'let x = 1', '}', '\r')
const lines = fc.array(line, { maxLength: 12 }).map((all) => all.join('\n'))
type Action =
  | { do: 'type'; at: number; cut: number }
  | { do: 'decide'; kind: 'accept' | 'reject' | 'undecide'; hunk: number }
  | { do: 'rebase'; at: number; cut: number }
  | { do: 'send' | 'lose-request' | 'lose-answer' | 'hear' | 'resnap' | 'reload' }
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('type' as const), at: fc.nat(60), cut: fc.nat(3) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      kind: fc.constantFrom('accept' as const, 'reject' as const, 'undecide' as const),
      hunk: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebase' as const), at: fc.nat(60), cut: fc.nat(3) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'send' as const,
        'send' as const,
        'hear' as const,
        'hear' as const,
        'lose-request' as const,
        'lose-answer' as const,
        'resnap' as const,
        'reload' as const,
      ),
    }),
  },
)

/** A page and a host that go through a list of actions; the page's editor is a second copy that follows. */
class Play {
  readonly host: FakeHost
  page: DraftSync
  /** What an editor holds that applies own changes and follows the others. */
  shown: Text
  typed = 0
  tokens: string[] = []
  /** The link is lost: nothing passes until a snapshot comes by the next one. */
  isCut = false

  constructor(base: string, proposed: string) {
    this.host = new FakeHost(startDraft(text(base), text(proposed)))
    this.page = new DraftSync('page', 0, this.host.draft)
    this.shown = this.page.draft.b
  }

  run(action: Action): void {
    const passes = action.do !== 'type' && action.do !== 'decide' && action.do !== 'rebase'
    if (this.isCut && passes) this.snapshot()
    switch (action.do) {
      case 'type': {
        const { b } = this.page.draft
        const at = Math.min(action.at, b.length)
        const token = String.fromCharCode(0xe000 + ++this.typed)
        // Only text that nobody typed is cut, so that every token must stay.
        const to = Math.min(b.length, at + action.cut)
        const isCuttable = !/[\ue000-\uf000]/.test(b.sliceString(at, to))
        const changes = ChangeSet.of({ from: at, to: isCuttable ? to : at, insert: token }, b.length)
        expect(this.page.take({ kind: 'edit', changes })).toBe(true)
        this.shown = changes.apply(this.shown)
        this.tokens.push(token)
        return
      }
      case 'decide': {
        const step: DraftStep = { kind: action.kind, hunk: action.hunk }
        const stepped = applyStep(this.page.draft, step)
        expect(this.page.take(step)).toBe(stepped !== null)
        if (stepped?.b) this.shown = stepped.b.apply(this.shown)
        return
      }
      case 'rebase': {
        const base = baseOf(this.host.draft)
        const at = Math.min(action.at, base.length)
        const to = Math.min(base.length, at + action.cut)
        const changes = ChangeSet.of({ from: at, to, insert: Text.of(['D', '']) }, base.length)
        this.host.act({ kind: 'rebase', changes })
        return
      }
      case 'send':
      case 'lose-answer': {
        const batch = this.page.nextBatch(3)
        if (!batch) return
        if (this.host.step('page', batch) === 'behind') this.page.sendAgain()
        if (action.do === 'lose-answer') this.isCut = true
        return
      }
      case 'lose-request':
        if (this.page.nextBatch(3)) this.isCut = true
        return
      case 'hear': {
        const message = this.host.toPage.shift()
        if (!message) return
        const followed = this.page.receive(message.version, message.client, message.steps)
        expect(followed).not.toBe('gap')
        if (followed && followed !== 'gap' && followed.b) this.shown = followed.b.apply(this.shown)
        return
      }
      case 'resnap':
        this.snapshot()
        return
      case 'reload': {
        // The page's last breath: all that is not confirmed goes out at once, also what is on its way.
        for (let message = this.host.toPage.shift(); message; message = this.host.toPage.shift()) {
          const followed = this.page.receive(message.version, message.client, message.steps)
          if (followed && followed !== 'gap' && followed.b) this.shown = followed.b.apply(this.shown)
        }
        const last = this.page.lastBatch()
        if (last) expect(this.host.step('page', last)).toBe('accepted')
        this.host.toPage = []
        this.page = new DraftSync('page', this.host.version, this.host.draft, this.host.known)
        this.shown = this.page.draft.b
        return
      }
    }
  }

  snapshot(): void {
    this.host.toPage = []
    this.isCut = false
    const followed = this.page.reset(this.host.version, this.host.draft, this.host.known)
    if (followed.b) this.shown = followed.b.apply(this.shown)
  }

  /** Lets everything arrive. */
  settle(): void {
    if (this.isCut) this.snapshot()
    for (let i = 0; i < 200 && (!this.page.isSettled || this.host.toPage.length > 0); i++) {
      this.run({ do: 'send' })
      this.run({ do: 'hear' })
    }
    expect(this.page.isSettled).toBe(true)
  }
}

describe('DraftSync', () => {
  it('shows own steps at once and counts them when the host confirms', () => {
    const play = new Play('one\ntwo\nthree', 'one\n2\nthree')
    play.run({ do: 'decide', kind: 'reject', hunk: 1 })
    expect(play.page.draft.b.toString()).toBe('one\ntwo\nthree')
    expect(play.page.version).toBe(0)
    play.settle()
    expect(play.page.version).toBe(1)
    expect(plain(play.page.draft)).toEqual(plain(play.host.draft))
  })

  it('has one batch on its way at a time', () => {
    const play = new Play('a', 'b')
    play.run({ do: 'type', at: 0, cut: 0 })
    expect(play.page.nextBatch(10)?.steps).toHaveLength(1)
    play.run({ do: 'type', at: 0, cut: 0 })
    expect(play.page.nextBatch(10)).toBeNull()
    // Also what is on its way: it may never arrive.
    expect(play.page.lastBatch()).toMatchObject({
      version: 0,
      after: 0,
      steps: [{ kind: 'edit' }, { kind: 'edit' }],
    })
  })

  it('carries typed text over a file that changed on disk', () => {
    const play = new Play('one\ntwo\nthree', 'one\n2\nthree')
    play.run({ do: 'type', at: 5, cut: 0 })
    play.host.act({ kind: 'rebase', changes: ChangeSet.of({ from: 0, insert: text('zero\n') }, 13) })
    expect(play.page.nextBatch(10)).not.toBeNull()
    play.run({ do: 'hear' })
    play.settle()
    expect(play.page.draft.b.toString()).toBe('zero\none\n2\ue001\nthree')
    expect(play.shown.toString()).toBe('zero\none\n2\ue001\nthree')
    expect(plain(play.page.draft)).toEqual(plain(play.host.draft))
  })

  it('sends again what was lost, and not what arrived', () => {
    for (const lost of ['lose-request', 'lose-answer'] as const) {
      const play = new Play('one\ntwo', 'one\n2')
      play.run({ do: 'type', at: 5, cut: 0 })
      play.run({ do: lost })
      play.settle()
      expect(play.host.draft.b.toString()).toBe('one\n2\ue001')
      expect(plain(play.page.draft)).toEqual(plain(play.host.draft))
    }
  })

  it('asks for a snapshot when steps are missing', () => {
    const play = new Play('a', 'b')
    expect(play.page.receive(1, 'host', [{ kind: 'accept', hunk: 1 }])).toBe('gap')
    expect(play.page.receive(0, 'host', [{ kind: 'accept', hunk: 9 }])).toBe('gap')
  })

  it('comes to the same draft as the host, whatever happens on the way', () => {
    fc.assert(
      fc.property(lines, lines, fc.array(action, { maxLength: 30 }), (base, proposed, actions) => {
        const play = new Play(base, proposed)
        for (const each of actions) {
          play.run(each)
          expect(play.shown.toString()).toBe(play.page.draft.b.toString())
        }
        play.settle()
        expect(plain(play.page.draft)).toEqual(plain(play.host.draft))
      }),
    )
  })

  it('neither loses nor doubles what was typed, wherever the link is lost', () => {
    fc.assert(
      fc.property(lines, lines, fc.array(action, { maxLength: 30 }), (base, proposed, actions) => {
        const play = new Play(base, proposed)
        // Decisions may put typed text aside, which is the draft's subject; here only typing meets the wire.
        for (const each of actions) if (each.do !== 'decide') play.run(each)
        play.settle()
        const kept = keptText(play.host.draft)
        for (const token of play.tokens) {
          expect(kept).toContain(token)
          expect(play.host.draft.b.toString().split(token).length).toBeLessThan(3)
        }
      }),
    )
  })
})
