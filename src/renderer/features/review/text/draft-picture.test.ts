import { history, isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { ChangeSet, EditorState, Text, Transaction } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../../shared/text/line-diff'
import {
  applyStep,
  baseOf,
  findHunk,
  startDraft,
  type Draft,
  type DraftStep,
} from '../../../../shared/review/draft'
import { blocks } from './text-blocks'
import {
  firstPicture,
  followDraft,
  type Look,
  picture,
  sideOf,
  takeDecision,
  undoableDecisions,
} from './draft-picture'

const text = (value: string) => Text.of(value.split('\n'))
const look: Look = { layout: 'unified', foldUnchanged: true, ignoreWhitespace: false, wrap: false }

/** The result's editor without a page. */
class Play {
  state: EditorState
  /** The draft as the host comes to it by the steps that the editor told. */
  host: Draft

  constructor(base: string, proposed: string) {
    const draft = startDraft(text(base), text(proposed))
    this.host = draft
    this.state = EditorState.create({
      doc: draft.b,
      extensions: [
        EditorState.lineSeparator.of('\n'),
        sideOf.of('b'),
        picture.init(() => firstPicture(draft, look)),
        history(),
        undoableDecisions,
        blocks,
      ],
    })
  }

  get draft(): Draft {
    return this.state.field(picture).draft
  }

  take(transaction: Transaction): void {
    this.state = transaction.state
    for (const { step } of this.state.field(picture).steps) {
      const stepped = applyStep(this.host, step)
      expect(stepped, 'a step that fits').not.toBeNull()
      if (stepped) this.host = stepped.draft
    }
    expect(this.draft.b.eq(this.state.doc)).toBe(true)
    expect(plain(this.draft)).toEqual(plain(this.host))
  }

  type(at: number, cut: number, insert: string): void {
    const from = Math.min(at, this.state.doc.length)
    const to = Math.min(this.state.doc.length, from + cut)
    this.take(
      this.state.update({
        changes: { from, to, insert: text(insert) },
        annotations: isolateHistory.of('full'),
      }),
    )
  }

  decide(kind: 'accept' | 'reject' | 'undecide', number: number): void {
    const hunk = findHunk(this.draft, number)
    if (!hunk || (hunk.decision.kind === 'undecided') === (kind === 'undecide')) return
    const stepped = applyStep(this.draft, { kind, hunk: number })
    this.take(
      this.state.update({
        ...(stepped?.b ? { changes: stepped.b } : {}),
        effects: takeDecision.of({ kind, hunk: number }),
        annotations: isolateHistory.of('full'),
      }),
    )
  }

  undo(): boolean {
    return undo({ state: this.state, dispatch: (transaction) => this.take(transaction) })
  }

  redo(): boolean {
    return redo({ state: this.state, dispatch: (transaction) => this.take(transaction) })
  }

  rebase(at: number, insert: string): void {
    const base = baseOf(this.draft)
    const changes = ChangeSet.of({ from: Math.min(at, base.length), insert: text(insert) }, base.length)
    const step: DraftStep = { kind: 'rebase', changes }
    const stepped = applyStep(this.draft, step)
    if (!stepped) throw new Error('a rebase of this base fits')
    this.host = stepped.draft
    this.take(
      this.state.update({
        changes: changesBetween(this.draft.b, stepped.draft.b),
        effects: followDraft.of(stepped.draft),
        annotations: Transaction.addToHistory.of(false),
      }),
    )
  }
}

function plain(draft: Draft): unknown {
  return { a: draft.a.toString(), b: draft.b.toString(), hunks: draft.hunks }
}

type Action =
  | { do: 'type'; at: number; cut: number; insert: string }
  | { do: 'decide'; kind: 'accept' | 'reject' | 'undecide'; hunk: number }
  | { do: 'undo' | 'redo' }
const lines = fc
  .array(fc.constantFrom('', 'a', 'b', 'c', 'x = 1', 'y\r'), { maxLength: 14 })
  .map((all) => all.join('\n'))
const work: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    do: fc.constant('type' as const),
    at: fc.nat(50),
    cut: fc.nat(4),
    insert: fc.constantFrom('', 'z', 'q\n', '\n'),
  }),
  fc.record({
    do: fc.constant('decide' as const),
    kind: fc.constantFrom('accept' as const, 'reject' as const, 'undecide' as const),
    hunk: fc.integer({ min: 1, max: 6 }),
  }),
)
const turn: fc.Arbitrary<Action> = fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const) })

function run(play: Play, action: Action): void {
  switch (action.do) {
    case 'type':
      return play.type(action.at, action.cut, action.insert)
    case 'decide':
      return play.decide(action.kind, action.hunk)
    case 'undo':
      play.undo()
      return
    case 'redo':
      play.redo()
  }
}

describe('the picture of a review', () => {
  it('undoes a decision with its text, and does it again', () => {
    const play = new Play('one\ntwo', 'one\n2')
    play.decide('reject', 1)
    expect(play.state.doc.toString()).toBe('one\ntwo')
    play.undo()
    expect(play.state.doc.toString()).toBe('one\n2')
    expect(play.draft.hunks[0]?.decision.kind).toBe('undecided')
    play.redo()
    expect(play.state.doc.toString()).toBe('one\ntwo')
    expect(play.draft.hunks[0]?.decision.kind).toBe('rejected')
  })

  it('undoes the taking back of a decision', () => {
    const play = new Play('one\ntwo', 'one\n2')
    play.decide('accept', 1)
    play.decide('undecide', 1)
    play.undo()
    expect(play.draft.hunks[0]?.decision).toEqual({ kind: 'accepted', was: 'two' })
    expect(play.draft.a.toString()).toBe('one\n2')
  })

  it('goes back to the beginning by undoing everything, and forward again by redoing', () => {
    fc.assert(
      fc.property(lines, lines, fc.array(work, { maxLength: 12 }), (base, proposed, actions) => {
        const play = new Play(base, proposed)
        const first = plain(play.draft)
        for (const action of actions) run(play, action)
        const last = play.state.doc.toString()
        while (undoDepth(play.state) > 0) expect(play.undo()).toBe(true)
        expect(play.state.doc.toString()).toBe(proposed)
        const agents = { ...play.draft, hunks: play.draft.hunks.filter(({ author }) => author === 'agent') }
        expect(agents.hunks.every(({ decision }) => decision.kind === 'undecided')).toBe(true)
        expect({ a: play.draft.a.toString(), b: play.draft.b.toString() }).toEqual({
          a: (first as { a: string }).a,
          b: (first as { b: string }).b,
        })
        while (redoDepth(play.state) > 0) expect(play.redo()).toBe(true)
        expect(play.state.doc.toString()).toBe(last)
      }),
    )
  })

  it('tells steps that bring the host to the same draft, also when the file changes on disk between', () => {
    const rebase = fc.record({
      do: fc.constant('rebase' as const),
      at: fc.nat(40),
      insert: fc.constantFrom('N\n', 'n'),
    })
    fc.assert(
      fc.property(
        lines,
        lines,
        fc.array(fc.oneof(work, turn, rebase), { maxLength: 16 }),
        (base, proposed, all) => {
          const play = new Play(base, proposed)
          for (const action of all) {
            if (action.do === 'rebase') play.rebase(action.at, action.insert)
            else run(play, action)
          }
        },
      ),
    )
  })
})

describe('a head', () => {
  const lines = Array.from({ length: 400 }, (_, i) => `line ${i + 1}`)
  const whole = startDraft(
    Text.of(lines),
    Text.of(lines.map((line, i) => (i % 40 === 39 ? `${line} changed` : line))),
  )
  const begin = (head: Draft) =>
    EditorState.create({
      doc: head.b,
      extensions: [sideOf.of('b'), picture.init(() => firstPicture(head, look, true)), history(), blocks],
    })
  const complete = (state: EditorState) =>
    state.update({
      changes: changesBetween(state.doc, whole.b),
      effects: followDraft.of(whole),
      annotations: Transaction.addToHistory.of(false),
    }).state

  it('becomes the whole without a step, as if the whole had been there from the beginning', () => {
    const cut = whole.hunks.slice(0, 3)
    const end = (cut.at(-1)?.toB ?? 0) + 'line 121\nline 122\nline 123'.length
    const head = { a: whole.a.slice(0, end - 3 * ' changed'.length), b: whole.b.slice(0, end), hunks: cut }
    expect(head.a.line(head.a.lines).text).toBe('line 123')
    const after = complete(begin(head))
    const { draft, folds, steps, isHead, reference } = after.field(picture)
    expect(after.doc.eq(whole.b)).toBe(true)
    expect(draft.a.eq(whole.a)).toBe(true)
    expect(reference?.apply(head.a).eq(whole.a)).toBe(true)
    expect({ steps, isHead, undo: undoDepth(after) }).toEqual({ steps: [], isHead: false, undo: 0 })
    expect(folds).toEqual(firstPicture(whole, look).folds)
  })

  it('becomes the whole although that begins otherwise by then', () => {
    const after = complete(begin(startDraft(text('other\nlines'), text('other\nwords'))))
    expect(after.doc.eq(whole.b)).toBe(true)
    expect(after.field(picture).draft).toBe(whole)
  })
})
