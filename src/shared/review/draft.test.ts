import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesBetween } from '../text/line-diff'
import {
  type Draft,
  type DraftStep,
  applyStep,
  baseOf,
  countChanges,
  findHunk,
  isEdited,
  isTouched,
  startDraft,
  undecideAll,
} from './draft'

const text = (value: string): Text => Text.of(value.split('\n'))

/** Short texts over few letters, so that lines repeat and hunks touch; with and without a final newline. */
const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', '', 'x\r', 'long line'), { minLength: 0, maxLength: 9 })
  .map((lines) => lines.join('\n'))

/** What a person may do, described by numbers that `perform` fits to the draft at hand. */
const deeds = fc.array(
  fc.record({
    kind: fc.constantFrom('edit', 'edit', 'accept', 'reject', 'undecide'),
    at: fc.nat(1000),
    length: fc.nat(6),
    insert: fc.constantFrom('', 'z', '\n', 'new\n', '\nq'),
  }),
  { maxLength: 12 },
)
type Deed = { kind: string; at: number; length: number; insert: string }

function stepOf(draft: Draft, deed: Deed): DraftStep {
  const hunk = draft.hunks[deed.at % Math.max(1, draft.hunks.length)]?.number ?? 1
  switch (deed.kind) {
    case 'accept':
      return { kind: 'accept', hunk }
    case 'reject':
      return { kind: 'reject', hunk }
    case 'undecide':
      return { kind: 'undecide', hunk }
    default: {
      const from = deed.at % (draft.b.length + 1)
      const to = Math.min(draft.b.length, from + deed.length)
      return {
        kind: 'edit',
        changes: ChangeSet.of({ from, to, insert: text(deed.insert) }, draft.b.length),
      }
    }
  }
}

function perform(draft: Draft, all: readonly Deed[]): Draft {
  return all.reduce((now, deed) => applyStep(now, stepOf(now, deed))?.draft ?? now, draft)
}

/** The invariant of every draft: hunks in order, apart, within the texts, and nothing differs outside them. */
function expectSound(draft: Draft): void {
  let a = 0
  let b = 0
  for (const hunk of draft.hunks) {
    expect(hunk.fromA).toBeGreaterThanOrEqual(a)
    expect(hunk.fromB).toBeGreaterThanOrEqual(b)
    expect(hunk.toA).toBeGreaterThanOrEqual(hunk.fromA)
    expect(hunk.toB).toBeGreaterThanOrEqual(hunk.fromB)
    expect(draft.a.sliceString(a, hunk.fromA)).toBe(draft.b.sliceString(b, hunk.fromB))
    a = hunk.toA
    b = hunk.toB
  }
  expect(a).toBeLessThanOrEqual(draft.a.length)
  expect(b).toBeLessThanOrEqual(draft.b.length)
  expect(draft.a.sliceString(a)).toBe(draft.b.sliceString(b))
  const numbers = draft.hunks.map((hunk) => hunk.number)
  expect(new Set(numbers).size).toBe(numbers.length)
}

function decideAll(draft: Draft, kind: 'accept' | 'reject'): Draft {
  let now = draft
  for (const { number } of draft.hunks) now = applyStep(now, { kind, hunk: number })?.draft ?? now
  return now
}

describe('draft', () => {
  it('is sound after any work', () => {
    fc.assert(
      fc.property(texts, texts, deeds, (base, proposed, all) => {
        let draft = startDraft(text(base), text(proposed))
        expectSound(draft)
        for (const deed of all) {
          const stepped = applyStep(draft, stepOf(draft, deed))
          if (!stepped) continue
          expect((stepped.a?.apply(draft.a) ?? draft.a).eq(stepped.draft.a)).toBe(true)
          expect((stepped.b?.apply(draft.b) ?? draft.b).eq(stepped.draft.b)).toBe(true)
          draft = stepped.draft
          expectSound(draft)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('gives the proposal when all is accepted and the base when all is rejected, in any order', () => {
    fc.assert(
      fc.property(texts, texts, fc.array(fc.nat(20), { maxLength: 30 }), (base, proposed, order) => {
        const start = startDraft(text(base), text(proposed))
        for (const kind of ['accept', 'reject'] as const) {
          let draft = start
          for (const at of order) {
            const hunk = draft.hunks[at % Math.max(1, draft.hunks.length)]?.number ?? 1
            draft = applyStep(draft, { kind, hunk })?.draft ?? draft
          }
          draft = decideAll(draft, kind)
          expect(draft.b.toString()).toBe(kind === 'accept' ? proposed : base)
          expect(draft.a.eq(draft.b)).toBe(true)
        }
      }),
    )
  })

  it('takes each change on its own: the result is the base with just the accepted changes', () => {
    fc.assert(
      fc.property(texts, texts, fc.array(fc.boolean(), { maxLength: 10 }), (base, proposed, wanted) => {
        const start = startDraft(text(base), text(proposed))
        let draft = start
        start.hunks.forEach((hunk, i) => {
          draft =
            applyStep(draft, { kind: wanted[i] ? 'accept' : 'reject', hunk: hunk.number })?.draft ?? draft
        })
        const expected = ChangeSet.of(
          start.hunks.flatMap((hunk, i) =>
            wanted[i]
              ? [{ from: hunk.fromA, to: hunk.toA, insert: start.b.slice(hunk.fromB, hunk.toB) }]
              : [],
          ),
          start.a.length,
        ).apply(start.a)
        expect(draft.b.toString()).toBe(expected.toString())
      }),
    )
  })

  it('takes a decision back exactly', () => {
    fc.assert(
      fc.property(texts, texts, deeds, fc.nat(20), fc.boolean(), (base, proposed, all, at, accept) => {
        const draft = perform(startDraft(text(base), text(proposed)), all)
        const hunk = draft.hunks[at % Math.max(1, draft.hunks.length)]
        if (!hunk || hunk.decision.kind !== 'undecided') return
        const decided = applyStep(draft, { kind: accept ? 'accept' : 'reject', hunk: hunk.number })
        const back = decided && applyStep(decided.draft, { kind: 'undecide', hunk: hunk.number })
        expect(back?.draft).toEqual(draft)
      }),
    )
  })

  it('knows the base whatever was decided and typed', () => {
    fc.assert(
      fc.property(texts, texts, deeds, (base, proposed, all) => {
        expect(baseOf(perform(startDraft(text(base), text(proposed)), all)).toString()).toBe(base)
      }),
    )
  })

  it('never gives a change another number', () => {
    fc.assert(
      fc.property(texts, texts, deeds, (base, proposed, all) => {
        const start = startDraft(text(base), text(proposed))
        const draft = perform(start, all)
        const agents = draft.hunks.filter((hunk) => hunk.author === 'agent')
        expect(agents.map((hunk) => hunk.number)).toEqual(start.hunks.map((hunk) => hunk.number))
        expect(agents.map((hunk) => hunk.proposed)).toEqual(start.hunks.map((hunk) => hunk.proposed))
      }),
    )
  })

  it('forgets what the person typed when it is typed back', () => {
    fc.assert(
      fc.property(
        texts,
        texts,
        fc.nat(100),
        fc.constantFrom('z', 'q\n', '\n'),
        (base, proposed, at, insert) => {
          const start = startDraft(text(base), text(proposed))
          const changes = ChangeSet.of(
            { from: at % (start.b.length + 1), insert: text(insert) },
            start.b.length,
          )
          const typed = applyStep(start, { kind: 'edit', changes })
          if (!typed) throw new Error('an edit always fits')
          expect(isTouched(typed.draft)).toBe(true)
          const back = applyStep(typed.draft, { kind: 'edit', changes: changes.invert(start.b) })
          expect(back?.draft.b.toString()).toBe(proposed)
          expect(back?.draft.hunks.every((hunk) => hunk.author === 'agent')).toBe(true)
          expectSound(back?.draft ?? start)
        },
      ),
    )
  })

  it('refuses steps that do not fit', () => {
    const draft = startDraft(text('a\nb'), text('a\nc'))
    expect(applyStep(draft, { kind: 'accept', hunk: 2 })).toBeNull()
    expect(applyStep(draft, { kind: 'undecide', hunk: 1 })).toBeNull()
    expect(applyStep(draft, { kind: 'edit', changes: ChangeSet.empty(99) })).toBeNull()
    const accepted = applyStep(draft, { kind: 'accept', hunk: 1 })?.draft ?? draft
    expect(applyStep(accepted, { kind: 'accept', hunk: 1 })).toBeNull()
    expect(applyStep(accepted, { kind: 'reject', hunk: 1 })).toBeNull()
    expect(applyStep(accepted, { kind: 'rebase', changes: ChangeSet.empty(99) })).toBeNull()
  })

  it('counts what will be written', () => {
    const draft = startDraft(text('a\n1\nb\n2\nc'), text('a\nx\nb\ny\nc'))
    expect(countChanges(draft)).toEqual({ written: 2, decided: 0, total: 2 })
    const rejected = applyStep(draft, { kind: 'reject', hunk: 2 })?.draft ?? draft
    expect(countChanges(rejected)).toEqual({ written: 1, decided: 1, total: 2 })
    expect(rejected.b.toString()).toBe('a\nx\nb\n2\nc')
  })

  it('says when a change is edited, and lets lines beside it join it', () => {
    const draft = startDraft(text('a\n1\nb\nc\nd'), text('a\nx\nb\nc\nd'))
    const typed = applyStep(draft, {
      kind: 'edit',
      changes: ChangeSet.of({ from: 3, insert: text('!') }, draft.b.length),
    })?.draft
    expect(typed && isEdited(typed, findHunk(typed, 1) ?? typed.hunks[0]!)).toBe(true)
    const beside = applyStep(draft, {
      kind: 'edit',
      changes: ChangeSet.of({ from: 5, insert: text('!') }, draft.b.length),
    })?.draft
    expect(beside?.hunks.map(({ number, author }) => [number, author])).toEqual([[1, 'agent']])
    const apart = applyStep(draft, {
      kind: 'edit',
      changes: ChangeSet.of({ from: 9, insert: text('!') }, draft.b.length),
    })?.draft
    expect(apart?.hunks.map(({ number, author }) => [number, author])).toEqual([
      [1, 'agent'],
      [2, 'person'],
    ])
  })
})

describe('rebase', () => {
  it('stays sound, keeps numbers and decisions, and takes the disk as its base', () => {
    fc.assert(
      fc.property(texts, texts, texts, deeds, (base, proposed, disk, all) => {
        const draft = perform(startDraft(text(base), text(proposed)), all)
        const changes = changesBetween(text(base), text(disk))
        const stepped = applyStep(draft, { kind: 'rebase', changes })
        if (!stepped) throw new Error('it fits')
        expectSound(stepped.draft)
        expect(baseOf(stepped.draft).toString()).toBe(disk)
        expect(stepped.draft.hunks.map((hunk) => [hunk.number, hunk.conflict || hunk.decision.kind])).toEqual(
          draft.hunks.map((hunk, i) => [hunk.number, stepped.draft.hunks[i]?.conflict || hunk.decision.kind]),
        )
        expect((stepped.a?.apply(draft.a) ?? draft.a).eq(stepped.draft.a)).toBe(true)
        expect((stepped.b?.apply(draft.b) ?? draft.b).eq(stepped.draft.b)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('rejecting everything after a rebase leaves the disk as it is', () => {
    fc.assert(
      fc.property(texts, texts, texts, (base, proposed, disk) => {
        const changes = changesBetween(text(base), text(disk))
        const rebased = applyStep(startDraft(text(base), text(proposed)), { kind: 'rebase', changes })
        expect(rebased && decideAll(rebased.draft, 'reject').b.toString()).toBe(disk)
      }),
    )
  })

  it('merges changes in different lines without a conflict', () => {
    const draft = startDraft(text('a\nb\nc\nd\ne'), text('a\nB\nc\nd\ne'))
    const changes = changesBetween(text('a\nb\nc\nd\ne'), text('a\nb\nc\nd\nE'))
    const rebased = applyStep(draft, { kind: 'rebase', changes })?.draft
    expect(rebased?.b.toString()).toBe('a\nB\nc\nd\nE')
    expect(rebased?.hunks.map((hunk) => hunk.conflict)).toEqual([false])
  })

  it('marks a change whose lines changed on disk', () => {
    const draft = startDraft(text('a\nb\nc'), text('a\nB\nc'))
    const changes = changesBetween(text('a\nb\nc'), text('a\nother\nc'))
    const rebased = applyStep(draft, { kind: 'rebase', changes })?.draft
    expect(rebased?.hunks.map((hunk) => hunk.conflict)).toEqual([true])
  })

  it('meets a file that was written again, whatever was decided: both texts are the new ones', () => {
    fc.assert(
      fc.property(texts, texts, texts, texts, deeds, (base, proposed, newBase, newResult, all) => {
        const draft = perform(startDraft(text(base), text(proposed)), all)
        const plain = undecideAll(draft)
        const step: DraftStep = {
          kind: 'renew',
          a: changesBetween(plain.a, text(newBase)),
          b: changesBetween(plain.b, text(newResult)),
        }
        const renewed = applyStep(draft, step)
        if (!renewed) throw new Error('the step fits')
        expectSound(renewed.draft)
        expect(renewed.a?.apply(draft.a).eq(renewed.draft.a)).toBe(true)
        expect(renewed.b?.apply(draft.b).eq(renewed.draft.b)).toBe(true)
        expect(undecideAll(renewed.draft).b.toString()).toBe(newResult)
        expect(baseOf(renewed.draft).toString()).toBe(newBase)
        expect(decideAll(undecideAll(renewed.draft), 'reject').b.toString()).toBe(newBase)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps the decisions on changes that a later write leaves alone, and their numbers', () => {
    const start = startDraft(text('a\nb\nc\nd\ne'), text('a\nB\nc\nD\ne'))
    const draft = applyStep(start, { kind: 'reject', hunk: 2 })?.draft ?? start
    const renewed = applyStep(draft, {
      kind: 'renew',
      a: ChangeSet.empty(9),
      b: changesBetween(text('a\nB\nc\nD\ne'), text('NEW\na\nB\nc\nD\ne')),
    })?.draft
    expect(renewed?.b.toString()).toBe('NEW\na\nB\nc\nd\ne')
    expect(renewed?.hunks.map(({ number, decision }) => [number, decision.kind])).toEqual([
      [3, 'undecided'],
      [1, 'undecided'],
      [2, 'rejected'],
    ])
  })
})

describe('what was typed in the place of a rejected change', () => {
  const base = 'one\ntwo\nthree\nfour\nfive'
  const proposed = 'ONE\ntwo\nthree\nfour\nfive'
  const steps = (draft: Draft, ...taken: DraftStep[]): Draft =>
    taken.reduce((now, step) => applyStep(now, step)?.draft ?? now, draft)
  const typed = steps(
    startDraft(text(base), text(proposed)),
    { kind: 'reject', hunk: 1 },
    { kind: 'edit', changes: ChangeSet.of({ from: 0, insert: 'my ' }, base.length) },
  )

  it('stays when the disk changes elsewhere, and undoing the rejection still gives the proposal', () => {
    const changes = changesBetween(text(base), text(base.replace('five', 'FIVE')))
    const rebased = steps(typed, { kind: 'rebase', changes })
    expect(rebased.b.toString()).toBe('my one\ntwo\nthree\nfour\nFIVE')
    expect(rebased.hunks.map(({ decision }) => decision.kind)).toEqual(['rejected'])
    expect(undecideAll(rebased).b.toString()).toBe('ONE\ntwo\nthree\nfour\nFIVE')
  })

  it('stays when the agent writes elsewhere', () => {
    const b = changesBetween(text(proposed), text(proposed.replace('five', 'FIVE')))
    const renewed = steps(typed, { kind: 'renew', a: ChangeSet.empty(base.length), b })
    expect(renewed.b.toString()).toBe('my one\ntwo\nthree\nfour\nFIVE')
  })
})
