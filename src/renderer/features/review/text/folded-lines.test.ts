import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyStep, startDraft } from '../../../../shared/review/draft'
import { headOf } from '../../../../shared/review/draft-head'
import { linesIn } from './hunk-lines'
import { foldUnchanged, keepFolds, placeInReference } from './folded-lines'

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`)
const text = (lines: readonly string[]) => Text.of([...lines])

describe('foldUnchanged', () => {
  it('leaves three lines beside each change and folds the rest', () => {
    const a = numbered(40)
    const b = a.with(19, 'changed')
    const folds = foldUnchanged(startDraft(text(a), text(b)))
    expect(folds.map(({ lines }) => lines)).toEqual([16, 17])
    expect(text(b).sliceString(folds[0]?.from ?? 0, folds[0]?.to)).toBe(numbered(16).join('\n'))
  })

  it('shows short stretches and texts without changes', () => {
    const a = numbered(14)
    expect(foldUnchanged(startDraft(text(a), text(a)))).toEqual([])
    expect(foldUnchanged(startDraft(text(a), text(a.with(7, 'x'))))).toEqual([])
  })

  it('folds nothing that a change touches, the same lines on both sides, and in a head what the whole folds there', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 60 })
    const edit = fc.tuple(fc.nat(80), fc.nat(4), fc.array(fc.constantFrom('a', 'N'), { maxLength: 3 }))
    fc.assert(
      fc.property(lines, fc.array(edit, { maxLength: 3 }), (base, edits) => {
        const proposed: string[] = [...base]
        for (const [at, cut, insert] of edits) proposed.splice(Math.min(at, proposed.length), cut, ...insert)
        const draft = startDraft(text(base.length ? base : ['']), text(proposed.length ? proposed : ['']))
        for (const fold of foldUnchanged(draft)) {
          const from = placeInReference(draft, fold.from)
          const inA = draft.a.sliceString(from, from + fold.to - fold.from)
          expect(inA).toBe(draft.b.sliceString(fold.from, fold.to))
          expect(inA.split('\n')).toHaveLength(fold.lines)
          for (const hunk of draft.hunks) expect(hunk.toB <= fold.from || hunk.fromB > fold.to).toBe(true)
        }
        const head = headOf(draft)
        if (!head) return
        const within = foldUnchanged(draft).filter(({ to }) => to <= head.b.length)
        expect(foldUnchanged(head, true)).toEqual(within)
        // What is folded of the rest begins below the head: none of its lines goes away.
        const below = foldUnchanged(draft).slice(within.length)
        expect(below.filter(({ from }) => from <= head.b.length)).toEqual([])
      }),
    )
  })
})

describe('keepFolds', () => {
  it('moves with typing above and goes when typing reaches it', () => {
    const a = numbered(40)
    const draft = startDraft(text(a), text(a.with(19, 'changed')))
    const folds = foldUnchanged(draft)
    const at = draft.hunks[0]?.fromB ?? 0
    const above = ChangeSet.of({ from: at, insert: 'xy' }, draft.b.length)
    const edited = applyStep(draft, { kind: 'edit', changes: above })?.draft ?? draft
    expect(keepFolds(folds, edited, above).map(({ lines }) => lines)).toEqual([16, 17])
    const inside = ChangeSet.of({ from: 10, insert: 'z' }, draft.b.length)
    const touched = applyStep(draft, { kind: 'edit', changes: inside })?.draft ?? draft
    expect(keepFolds(folds, touched, inside).map(({ lines }) => lines)).toEqual([17])
  })
})

describe('linesIn', () => {
  it('takes whole lines, and not the break before the last one', () => {
    const doc = text(['one', 'two', 'three'])
    expect(linesIn(doc, 4, 8)).toEqual({ from: 4, to: 7, first: 2, count: 1 })
    expect(linesIn(doc, 0, 8)).toEqual({ from: 0, to: 7, first: 1, count: 2 })
    expect(linesIn(doc, 7, 13)).toEqual({ from: 8, to: 13, first: 3, count: 1 })
    expect(linesIn(doc, 4, 4)).toBeNull()
  })
})
