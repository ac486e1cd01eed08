import { Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyStep, startDraft, type Draft } from './draft'
import { areLong, headOf } from './draft-head'

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`)
const draftOf = (a: readonly string[], b: readonly string[]) => startDraft(Text.of([...a]), Text.of([...b]))
const everyTenth = (count: number) => {
  const a = numbered(count)
  return draftOf(
    a,
    a.map((line, i) => (i % 10 === 9 ? `${line} changed` : line)),
  )
}

/** Whether a head is the beginning of a draft, and what follows it begins with a line break on both sides. */
function expectBeginning(head: Draft, draft: Draft): void {
  for (const side of ['a', 'b'] as const) {
    expect(draft[side].slice(0, head[side].length).eq(head[side])).toBe(true)
    expect(draft[side].sliceString(head[side].length, head[side].length + 1)).toBe('\n')
  }
  expect(draft.hunks.slice(0, head.hunks.length)).toEqual(head.hunks)
  const next = draft.hunks[head.hunks.length]
  if (next) {
    expect(next.fromA).toBeGreaterThan(head.a.length)
    expect(next.fromB).toBeGreaterThan(head.b.length)
  }
}

describe('headOf', () => {
  it('fills a large window, is short however long the draft, and ends three lines behind a change', () => {
    const draft = everyTenth(50_000)
    const head = headOf(draft)
    if (!head) throw new Error('no head')
    expectBeginning(head, draft)
    expect(head.b.lines).toBeGreaterThanOrEqual(50)
    expect(head.b.lines).toBeLessThan(75)
    expect(head.b.lines % 10).toBe(3)
  })

  it('ends behind a single change near the top, and is nothing when the first one is far below', () => {
    const a = numbered(60_000)
    expect(headOf(draftOf(a, a.with(9, 'x')))?.b.lines).toBe(13)
    expect(headOf(draftOf(a, a.with(50_000, 'x')))).toBeNull()
    expect(headOf(draftOf(a, a))).toBeNull()
  })

  it('is the beginning of both texts, wherever changes lie and whatever was decided', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd', '')
    const edit = fc.tuple(fc.nat(40), fc.nat(4), fc.array(fc.constantFrom('a', 'N', ''), { maxLength: 3 }))
    let found = 0
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 10, maxLength: 60 }),
        fc.array(edit, { maxLength: 4 }),
        fc.array(fc.constantFrom('accept', 'reject', null)),
        (base, edits, decisions) => {
          const proposed: string[] = [...base]
          for (const [at, cut, insert] of edits)
            proposed.splice(Math.min(at, proposed.length), cut, ...insert)
          let draft = draftOf(base.length > 0 ? base : [''], proposed.length > 0 ? proposed : [''])
          for (const [index, { number }] of draft.hunks.entries()) {
            const kind = decisions[index]
            if (kind) draft = applyStep(draft, { kind, hunk: number })?.draft ?? draft
          }
          const head = headOf(draft)
          if (!head) return
          found++
          expectBeginning(head, draft)
        },
      ),
    )
    expect(found).toBeGreaterThan(10)
  })
})

describe('areLong', () => {
  it('holds for very many changes and for long ones', () => {
    expect(areLong(everyTenth(1000).hunks)).toBe(false)
    expect(areLong(everyTenth(10_000).hunks)).toBe(true)
    const long = 'x'.repeat(100_000)
    expect(areLong(draftOf(['a'], [long]).hunks)).toBe(true)
  })
})
