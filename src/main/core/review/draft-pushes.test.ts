import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../shared/text/line-diff'
import { type Draft, type DraftStep, applyStep, baseOf, startDraft } from '../../../shared/review/draft'
import { type Batch, DraftSync } from '../../../shared/review/draft-sync'
import { takePush, withSteps } from './draft-pushes'
import { ReplacedReviews } from './replaced-reviews'
import type { TextContent } from './review-content'
import { stepToJson } from '../../../shared/review/step-json'

const text = (value: string) => Text.of(value.split('\n'))

function contentOf(base: string, proposed: string): TextContent {
  const draft = startDraft(text(base), text(proposed))
  return {
    kind: 'text',
    draft,
    facts: { encoding: 'utf-8', bom: false, eol: 'lf' },
    version: 0,
    clients: new Map(),
    latest: [],
    firstProposed: draft.b,
    lineEnds: null,
  }
}

function pushOf(client: string, { version, after, steps }: Batch, isLast = false) {
  return { client, version, after, steps: steps.map(stepToJson), ...(isLast ? { isLast } : {}) }
}

const typed = (draft: Draft, at: number, insert: string): DraftStep => ({
  kind: 'edit',
  changes: ChangeSet.of({ from: at, insert }, draft.b.length),
})

function plain(draft: Draft): unknown {
  return { a: draft.a.toString(), b: draft.b.toString(), hunks: draft.hunks }
}

describe('what a page sends', () => {
  it('is taken once, however often it comes', () => {
    const begun = contentOf('one\ntwo', 'one\n2')
    const page = new DraftSync('p', 0, begun.draft)
    page.take(typed(page.draft, 5, 'a'))
    const first = page.nextBatch(10)
    page.take(typed(page.draft, 6, 'b'))
    const all = page.lastBatch()
    if (!first || !all) throw new Error('there is nothing to send')
    let content = begun
    for (const batch of [first, all, first, all]) {
      const taken = takePush(content, pushOf('p', batch))
      if (taken.status !== 'accepted') throw new Error('refused')
      content = taken.content
    }
    expect(content.draft.b.toString()).toBe('one\n2ab')
    expect(content.version).toBe(2)
    expect(content.clients.get('p')).toBe(2)
  })

  it('is refused where it was taken on another draft, unless the page is gone: then it is carried over', () => {
    const begun = contentOf('one\ntwo', 'one\n2')
    const page = new DraftSync('p', 0, begun.draft)
    page.take(typed(page.draft, 5, 'a'))
    const batch = page.lastBatch()
    if (!batch) throw new Error('there is nothing to send')
    const rebase: DraftStep = {
      kind: 'rebase',
      changes: changesBetween(text('one\ntwo'), text('zero\none\ntwo')),
    }
    const content = withSteps(begun, 'host', [rebase], applyStep(begun.draft, rebase)?.draft ?? begun.draft)
    expect(takePush(content, pushOf('p', batch))).toEqual({ status: 'behind' })
    const taken = takePush(content, pushOf('p', batch, true))
    expect(taken.status === 'accepted' && taken.content.draft.b.toString()).toBe('zero\none\n2a')
  })

  it('is not mistaken for another page’s where the counts happen to be equal', () => {
    const begun = contentOf('one\ntwo', 'one\n2')
    const page = new DraftSync('p', 0, begun.draft)
    page.take(typed(page.draft, 5, 'a'))
    page.nextBatch(10)
    page.take(typed(page.draft, 6, 'b'))
    const all = page.lastBatch()
    if (!all) throw new Error('there is nothing to send')
    // What was on its way was lost; instead the host took one step of another page.
    const other = typed(begun.draft, 0, 'X')
    const content = withSteps(begun, 'q', [other], applyStep(begun.draft, other)?.draft ?? begun.draft)
    const taken = takePush(content, pushOf('p', all, true))
    expect(taken.status === 'accepted' && taken.content.draft.b.toString()).toBe('Xone\n2ab')
  })

  it('takes no step that is the host’s alone', () => {
    const begun = contentOf('one', 'two')
    const rebase: DraftStep = { kind: 'rebase', changes: ChangeSet.of([], 3) }
    expect(takePush(begun, pushOf('p', { version: 0, after: 0, steps: [rebase] }, true))).toEqual({
      status: 'behind',
    })
  })
})

type Deed =
  | { do: 'type'; page: 0 | 1; at: number }
  | { do: 'decide'; page: 0 | 1; kind: 'accept' | 'reject' | 'undecide'; hunk: number }
  | { do: 'send' | 'lose' | 'hear' | 'late' | 'reload'; page: 0 | 1 }
  | { do: 'rebase'; at: number }
  | { do: 'replace' }

const who = fc.constantFrom<0 | 1>(0, 1)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('type' as const), page: who, at: fc.nat(40) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      page: who,
      kind: fc.constantFrom('accept' as const, 'reject' as const, 'undecide' as const),
      hunk: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'send' as const,
        'send' as const,
        'lose' as const,
        'hear' as const,
        'hear' as const,
        'late' as const,
        'reload' as const,
      ),
      page: who,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebase' as const), at: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const) }) },
)

/** One page's end of the wire. */
class PageEnd {
  client: string
  sync: DraftSync
  heard = 0
  readonly isOfHeir: boolean
  /** Pushes that are still under way and may arrive at any time, or never. */
  underway: ReturnType<typeof pushOf>[] = []

  constructor(name: string, content: TextContent, heard: number, isOfHeir: boolean) {
    this.client = name
    this.sync = new DraftSync(name, content.version, content.draft, content.clients.get(name) ?? 0)
    this.heard = heard
    this.isOfHeir = isOfHeir
  }
}

/** Two pages and a host; at some time the agent asks anew, and the pages send what they still have. */
class Play {
  content: TextContent
  readonly replaced = new ReplacedReviews()
  isReplaced = false
  told: { version: number; client: string; steps: readonly DraftStep[] }[] = []
  pages: [PageEnd, PageEnd]
  tokens: string[] = []
  #names = 0

  constructor(base: string, proposed: string) {
    this.content = contentOf(base, proposed)
    this.pages = [this.#fresh(), this.#fresh()]
  }

  run(deed: Deed): void {
    switch (deed.do) {
      case 'type': {
        const { sync, isOfHeir } = this.pages[deed.page]
        // A page that comes after the replacement shows the review that took the place: what it sends goes there.
        if (isOfHeir) return
        const token = String.fromCharCode(0xe000 + this.tokens.length)
        if (sync.take(typed(sync.draft, Math.min(deed.at, sync.draft.b.length), token)))
          this.tokens.push(token)
        return
      }
      case 'decide':
        this.pages[deed.page].sync.take({ kind: deed.kind, hunk: deed.hunk })
        return
      case 'send':
      case 'lose': {
        const page = this.pages[deed.page]
        const batch = page.sync.nextBatch(3)
        if (!batch) return
        const push = pushOf(page.client, batch)
        if (deed.do === 'lose') page.underway.push(push)
        else if (this.#arrive(push) === 'behind') page.sync.sendAgain()
        return
      }
      case 'late': {
        const push = this.pages[deed.page].underway.shift()
        if (push) this.#arrive(push)
        return
      }
      case 'hear':
        this.#hear(this.pages[deed.page])
        return
      case 'reload':
        this.#leave(deed.page)
        return
      case 'rebase': {
        if (this.isReplaced) return
        const base = baseOf(this.content.draft)
        const changes = ChangeSet.of(
          { from: Math.min(deed.at, base.length), insert: Text.of(['D', '']) },
          base.length,
        )
        const step: DraftStep = { kind: 'rebase', changes }
        const stepped = applyStep(this.content.draft, step)
        if (!stepped) throw new Error('the rebase does not fit')
        this.told.push({ version: this.content.version, client: 'host', steps: [step] })
        this.content = withSteps(this.content, 'host', [step], stepped.draft)
        return
      }
      case 'replace':
        if (this.isReplaced) return
        this.isReplaced = true
        this.replaced.add({ id: 'old', content: this.content }, 'new')
    }
  }

  /** Everybody goes; what is still under way of them comes after their last word, or never. */
  end(): Draft {
    for (const page of [0, 1] as const) {
      const { underway } = this.pages[page]
      this.#leave(page)
      for (const push of underway) this.#arrive(push)
    }
    return this.content.draft
  }

  #hear(page: PageEnd): void {
    // After the end of a review nothing more is told of it.
    const told = this.told[page.heard]
    if (!told) return
    page.heard++
    expect(page.sync.receive(told.version, told.client, told.steps)).not.toBe('gap')
  }

  #leave(page: 0 | 1): void {
    const { client, sync } = this.pages[page]
    const last = sync.lastBatch()
    if (last) expect(this.#arrive(pushOf(client, last, true))).toBe('accepted')
    this.pages[page] = this.#fresh()
  }

  #fresh(): PageEnd {
    return new PageEnd(`p${this.#names++}`, this.content, this.told.length, this.isReplaced)
  }

  #arrive(push: ReturnType<typeof pushOf>): string {
    if (this.isReplaced) {
      const { status, late } = this.replaced.take('old', push)
      if (late) {
        expect(late.to).toBe('new')
        this.content = { ...this.content, draft: { ...this.content.draft, b: late.offer.result } }
      }
      return status
    }
    const taken = takePush(this.content, push)
    if (taken.status !== 'accepted') return taken.status
    const { steps } = taken
    const { version } = this.content
    if (steps.length > 0) this.told.push({ version, client: push.client, steps })
    this.content = taken.content
    return taken.status
  }
}

describe('every order of what pages send, lose, and send as their last word, with an agent that asks anew', () => {
  const line = fc.constantFrom('', 'a', 'b', 'let x = 1', '}')
  const lines = fc.array(line, { maxLength: 8 }).map((all) => all.join('\n'))

  it('neither loses nor doubles what was typed', () => {
    fc.assert(
      fc.property(lines, lines, fc.array(deed, { maxLength: 40 }), (base, proposed, deeds) => {
        const play = new Play(base, proposed)
        // Decisions may put typed text aside, which is the draft's subject.
        for (const each of deeds) if (each.do !== 'decide') play.run(each)
        const draft = play.end()
        const kept = [
          draft.b.toString(),
          ...draft.hunks.map(({ decision }) => (decision.kind === 'undecided' ? '' : decision.was)),
        ].join('\u0000')
        for (const token of play.tokens) {
          expect(kept).toContain(token)
          expect(draft.b.toString().split(token).length).toBeLessThan(3)
        }
      }),
    )
  })

  it('keeps pages and host of one mind, whatever is decided', () => {
    fc.assert(
      fc.property(lines, lines, fc.array(deed, { maxLength: 40 }), (base, proposed, deeds) => {
        const play = new Play(base, proposed)
        for (const each of deeds) if (each.do !== 'replace') play.run(each)
        const draft = play.end()
        for (const page of [0, 1] as const) {
          const fresh = play.pages[page]
          while (play.told.length > fresh.heard) play.run({ do: 'hear', page })
          expect(plain(fresh.sync.draft)).toEqual(plain(draft))
        }
      }),
    )
  })
})
