import { ChangeSet, Text } from '@codemirror/state'
import type { z } from 'zod'
import type { hunkState } from '../contract/review'
import { changesBetween, diffTexts } from '../text/line-diff'

/**
 * A proposal as the person has shaped it so far: two documents and the changes between them. The reference `a` begins
 * as the base, the result `b` as the proposal. Accepting a change moves the reference to the result, rejecting it moves
 * the result to the reference; what is left between them is undecided. Outside the changes both documents are the same.
 * The result is what will be written.
 */
export interface Draft {
  readonly a: Text
  readonly b: Text
  /** Ordered and disjoint in both documents. */
  readonly hunks: readonly Hunk[]
}

/** One change. */
export type Hunk = Readonly<z.infer<typeof hunkState>>
export type Decision = Readonly<Hunk['decision']>

/** One step of the work on a draft; the only way in which a draft changes. */
export type DraftStep =
  | { readonly kind: 'edit'; readonly changes: ChangeSet }
  | { readonly kind: 'accept' | 'reject' | 'undecide'; readonly hunk: number }
  /** The file changed on disk: `changes` leads from the base as it was (no decision applied) to the disk's text. */
  | { readonly kind: 'rebase'; readonly changes: ChangeSet }
  /**
   * The file was written again during the review of a written change: `a` leads from the old base to the new one, `b`
   * from the old result without decisions to the new result.
   */
  | { readonly kind: 'renew'; readonly a: ChangeSet; readonly b: ChangeSet }

/** A draft after a step, and how each document came to it, so that an editor can follow. */
export interface Stepped {
  readonly draft: Draft
  readonly a: ChangeSet | null
  readonly b: ChangeSet | null
}

const undecided: Decision = { kind: 'undecided' }

/**
 * A new draft: every difference between base and proposal is an undecided change. `changes` are the differences, if
 * they have been computed already.
 */
export function startDraft(base: Text, proposed: Text, changes = diffTexts(base, proposed)): Draft {
  const hunks = changes.map((change, index): Hunk => ({
    number: index + 1,
    author: 'agent',
    ...change,
    decision: undecided,
    proposed: proposed.sliceString(change.fromB, change.toB),
    conflict: false,
  }))
  return { a: base, b: proposed, hunks }
}

/**
 * Applies one step. Null if it doesn't fit the draft: an unknown change, a change decided already, a change set of
 * another length. Pure: from the same steps, page and host get the same draft.
 */
export function applyStep(draft: Draft, step: DraftStep): Stepped | null {
  switch (step.kind) {
    case 'edit':
      return edit(draft, step.changes)
    case 'accept':
      return decide(draft, step.hunk, 'accepted')
    case 'reject':
      return decide(draft, step.hunk, 'rejected')
    case 'undecide':
      return undecide(draft, step.hunk)
    case 'rebase':
      return rebase(draft, step.changes)
    case 'renew':
      return renew(draft, step.a, step.b)
  }
}

/** The draft without any decisions; edits stay. */
export function undecideAll(draft: Draft): Draft {
  return draft.hunks.reduce((plain, { number }) => undecide(plain, number)?.draft ?? plain, draft)
}

/** The base: the reference as it was before any decision. */
export function baseOf(draft: Draft): Text {
  const back = draft.hunks.flatMap((hunk) =>
    hunk.decision.kind === 'accepted' ? [{ from: hunk.fromA, to: hunk.toA, insert: hunk.decision.was }] : [],
  )
  return back.length === 0 ? draft.a : textChanges(draft.a, back).apply(draft.a)
}

/** Whether the person has worked on it: a decision, an edit or a change of their own. */
export function isTouched(draft: Draft): boolean {
  return draft.hunks.some((hunk) => hunk.decision.kind !== 'undecided' || isEdited(draft, hunk))
}

/** Whether a change's text is no longer what the agent proposed; for a rejected one, the text before that. */
export function isEdited(draft: Draft, hunk: Hunk): boolean {
  if (hunk.author === 'person') return true
  const text =
    hunk.decision.kind === 'rejected' ? hunk.decision.was : draft.b.sliceString(hunk.fromB, hunk.toB)
  return text !== hunk.proposed
}

/** How many changes will be written (all but the rejected ones), how many are decided, and how many there are. */
export function countChanges(draft: Draft): { written: number; decided: number; total: number } {
  const total = draft.hunks.length
  const rejected = draft.hunks.filter((hunk) => hunk.decision.kind === 'rejected').length
  const open = draft.hunks.filter((hunk) => hunk.decision.kind === 'undecided').length
  return { written: total - rejected, decided: total - open, total }
}

/** The change with this number. */
export function findHunk(draft: Draft, number: number): Hunk | undefined {
  return draft.hunks.find((hunk) => hunk.number === number)
}

function decide(draft: Draft, number: number, kind: 'accepted' | 'rejected'): Stepped | null {
  const hunk = findHunk(draft, number)
  if (!hunk || hunk.decision.kind !== 'undecided') return null
  const inA = draft.a.sliceString(hunk.fromA, hunk.toA)
  const inB = draft.b.sliceString(hunk.fromB, hunk.toB)
  return kind === 'accepted'
    ? replaceIn(draft, hunk, 'a', inB, { kind, was: inA })
    : replaceIn(draft, hunk, 'b', inA, { kind, was: inB })
}

function undecide(draft: Draft, number: number): Stepped | null {
  const hunk = findHunk(draft, number)
  if (!hunk || hunk.decision.kind === 'undecided') return null
  const side = hunk.decision.kind === 'accepted' ? 'a' : 'b'
  return replaceIn(draft, hunk, side, hunk.decision.was, undecided)
}

/** Replaces one change's text on one side; later changes shift on that side. */
function replaceIn(draft: Draft, hunk: Hunk, side: 'a' | 'b', insert: string, decision: Decision): Stepped {
  const [from, to] = side === 'a' ? [hunk.fromA, hunk.toA] : [hunk.fromB, hunk.toB]
  const before = side === 'a' ? draft.a : draft.b
  const changes = textChanges(before, [{ from, to, insert }])
  const after = changes.apply(before)
  const shift = after.length - before.length
  const [shiftA, shiftB] = side === 'a' ? [shift, 0] : [0, shift]
  const index = draft.hunks.indexOf(hunk)
  const hunks = draft.hunks.map((other, at): Hunk => {
    if (at < index) return other
    if (at === index) return { ...other, toA: other.toA + shiftA, toB: other.toB + shiftB, decision }
    return {
      ...other,
      fromA: other.fromA + shiftA,
      toA: other.toA + shiftA,
      fromB: other.fromB + shiftB,
      toB: other.toB + shiftB,
    }
  })
  const next = side === 'a' ? { ...draft, a: after, hunks } : { ...draft, b: after, hunks }
  return { draft: next, a: side === 'a' ? changes : null, b: side === 'b' ? changes : null }
}

/** Edits the result. Edited lines outside every change join the change that they touch, or become one. */
function edit(draft: Draft, changes: ChangeSet): Stepped | null {
  if (changes.length !== draft.b.length) return null
  const b = changes.apply(draft.b)
  const covered = coverLines(draft, touchedLines(draft.b, changes))
  let endOfLast = 0
  const hunks: Hunk[] = []
  for (const [index, hunk] of covered.entries()) {
    // Text typed between a decided change and one that begins there belongs to the latter.
    const isFollowed = hunk.decision.kind !== 'undecided' && covered[index + 1]?.fromB === hunk.toB
    const fromB = Math.max(endOfLast, changes.mapPos(hunk.fromB, -1))
    const toB = Math.max(fromB, changes.mapPos(hunk.toB, isFollowed ? -1 : 1))
    endOfLast = toB
    const isGone =
      hunk.author === 'person' &&
      hunk.decision.kind === 'undecided' &&
      draft.a.sliceString(hunk.fromA, hunk.toA) === b.sliceString(fromB, toB)
    if (!isGone) hunks.push({ ...hunk, fromB, toB })
  }
  return { draft: { a: draft.a, b, hunks }, a: null, b: changes }
}

interface Span {
  from: number
  to: number
}

/** The lines of a text that a change set touches, as ordered and disjoint spans of whole lines. */
function touchedLines(text: Text, changes: ChangeSet): Span[] {
  const spans: Span[] = []
  changes.iterChangedRanges((from, to) => {
    const start = text.lineAt(from).from
    const end = Math.min(text.length, text.lineAt(to).to + 1)
    const last = spans.at(-1)
    if (last && start <= last.to) last.to = Math.max(last.to, end)
    else spans.push({ from: start, to: end })
  })
  return spans
}

/**
 * Extends the draft's changes, in the coordinates before the edit, until they cover the given spans. Lines beside an
 * undecided change join it; beside a decided one they become the person's own, so that taking the decision back
 * leaves them alone.
 */
function coverLines(draft: Draft, spans: readonly Span[]): Hunk[] {
  const hunks = [...draft.hunks]
  for (const span of spans) for (const gap of gapsIn(hunks, span)) coverGap(hunks, gap)
  return hunks
}

/** The parts of a span that no change covers. An empty span is its own gap unless it touches an undecided change. */
function gapsIn(hunks: readonly Hunk[], span: Span): Span[] {
  const gaps: Span[] = []
  let from = span.from
  let touchesUndecided = false
  for (const hunk of hunks) {
    if (hunk.toB < span.from || hunk.fromB > span.to) continue
    if (hunk.fromB > from) gaps.push({ from, to: hunk.fromB })
    from = Math.max(from, hunk.toB)
    touchesUndecided ||= hunk.decision.kind === 'undecided'
  }
  if (from < span.to || (span.from === span.to && !touchesUndecided)) gaps.push({ from, to: span.to })
  return gaps
}

function coverGap(hunks: Hunk[], gap: Span): void {
  const index = hunks.filter((hunk) => hunk.toB <= gap.from).length
  const before = hunks[index - 1]
  const after = hunks[index]
  const length = gap.to - gap.from
  if (before && before.toB === gap.from && before.decision.kind === 'undecided') {
    hunks[index - 1] = { ...before, toA: before.toA + length, toB: gap.to }
  } else if (after && after.fromB === gap.to && after.decision.kind === 'undecided') {
    hunks[index] = { ...after, fromA: after.fromA - length, fromB: gap.from }
  } else {
    hunks.splice(index, 0, ownHunk(hunks, before, gap))
  }
}

function ownHunk(hunks: readonly Hunk[], before: Hunk | undefined, span: Span): Hunk {
  const shift = before ? before.toA - before.toB : 0
  return {
    number: Math.max(0, ...hunks.map((hunk) => hunk.number)) + 1,
    author: 'person',
    fromA: span.from + shift,
    toA: span.to + shift,
    fromB: span.from,
    toB: span.to,
    decision: undecided,
    proposed: '',
    conflict: false,
  }
}

/**
 * Moves the draft onto a base that has changed on disk. Where the disk changed other lines, both documents get its
 * change. Where it changed the same or adjoining lines, the draft's change becomes undecided and compares the disk's
 * text with the draft's, so that neither is overwritten unseen.
 */
function rebase(draft: Draft, disk: ChangeSet): Stepped | null {
  const plain = withoutDecisions(draft)
  if (disk.length !== plain.a.length) return null
  const a = disk.apply(plain.a)
  const moved = moveHunks(plain, disk)
  const b = textChanges(
    a,
    moved.map(({ hunk, text }) => ({ from: hunk.fromA, to: hunk.toA, insert: text })),
  ).apply(a)
  return decideAgain(draft, { a, b, hunks: moved.map(({ hunk }) => hunk) })
}

/** What the person typed in place of a change after rejecting it; null if nothing. */
function typedOver(draft: Draft, hunk: Hunk): string | null {
  if (hunk.decision.kind !== 'rejected') return null
  const inB = draft.b.sliceString(hunk.fromB, hunk.toB)
  return inB === draft.a.sliceString(hunk.fromA, hunk.toA) ? null : inB
}

/** The draft without its decisions, but with what was typed in place of rejected changes. */
function withoutDecisions(draft: Draft): Draft {
  return draft.hunks.reduce((plain, { number }) => {
    const hunk = findHunk(plain, number)
    const typed = hunk ? typedOver(plain, hunk) : null
    if (hunk && typed !== null) return replaceIn(plain, hunk, 'b', typed, undecided).draft
    return undecide(plain, number)?.draft ?? plain
  }, draft)
}

/** Repeats the decisions of a draft on its undecided successor, except for changes that are now in conflict. */
function decideAgain(draft: Draft, fresh: Draft): Stepped {
  let next = fresh
  for (const { number, decision } of draft.hunks) {
    const found = findHunk(next, number)
    if (decision.kind === 'undecided' || !found || found.conflict) continue
    const typed = typedOver(draft, findHunk(draft, number) ?? found)
    if (typed !== null && next.b.sliceString(found.fromB, found.toB) === typed) {
      next = replaceIn(next, found, 'b', typed, decision).draft
      continue
    }
    next = decide(next, number, decision.kind)?.draft ?? next
    const now = findHunk(next, number)
    if (typed !== null && now) next = replaceIn(next, now, 'b', typed, now.decision).draft
  }
  return { draft: next, a: changesBetween(draft.a, next.a), b: changesBetween(draft.b, next.b) }
}

/**
 * Compares both documents again after they changed. A change with the same texts, wherever it is now, keeps its number,
 * author and decision; any other is a new change by the agent.
 */
function renew(draft: Draft, toA: ChangeSet, toB: ChangeSet): Stepped | null {
  const plain = undecideAll(draft)
  if (toA.length !== plain.a.length || toB.length !== plain.b.length) return null
  const fresh = startDraft(toA.apply(plain.a), toB.apply(plain.b))
  const textOf = ({ a, b }: Draft, hunk: Hunk) =>
    `${hunk.toA - hunk.fromA} ${a.sliceString(hunk.fromA, hunk.toA)}${b.sliceString(hunk.fromB, hunk.toB)}`
  const known = new Map<string, Hunk[]>()
  for (const hunk of plain.hunks)
    known.set(textOf(plain, hunk), [...(known.get(textOf(plain, hunk)) ?? []), hunk])
  let free = Math.max(0, ...plain.hunks.map(({ number }) => number))
  const hunks = fresh.hunks.map((hunk): Hunk => {
    const same = known.get(textOf(fresh, hunk))?.shift()
    if (!same) return { ...hunk, number: ++free }
    const { number, author, proposed } = same
    return { ...hunk, number, author, proposed }
  })
  return decideAgain(draft, { ...fresh, hunks })
}

/** Makes a change set whose inserted strings are split at LF only, as the texts here are. */
function textChanges(
  text: Text,
  changes: readonly { from: number; to: number; insert: string }[],
): ChangeSet {
  return ChangeSet.of(
    changes.map(({ from, to, insert }) => ({ from, to, insert: Text.of(insert.split('\n')) })),
    text.length,
  )
}

/** Places the changes of an undecided draft on the text after `disk`, each with the result's text for its range. */
function moveHunks(plain: Draft, disk: ChangeSet): { hunk: Hunk; text: string }[] {
  const edits: { from: number; to: number; growth: number }[] = []
  disk.iterChangedRanges((from, to, newFrom, newTo) => {
    edits.push({ from, to, growth: newTo - newFrom - (to - from) })
  })
  const moved: { hunk: Hunk; text: string }[] = []
  let growth = 0
  let shiftB = 0
  let e = 0
  let h = 0
  while (h < plain.hunks.length) {
    const first = plain.hunks[h]
    if (!first) break
    for (let edit = edits[e]; edit && edit.to < first.fromA; edit = edits[++e]) growth += edit.growth
    // Everything that touches, hunks and edits in turn, is one region.
    let from = first.fromA
    let to = first.toA
    let endH = h + 1
    let growthInside = 0
    const firstEdit = e
    for (let grown = true; grown;) {
      grown = false
      for (let edit = edits[e]; edit && edit.from <= to; edit = edits[++e]) {
        from = Math.min(from, edit.from)
        to = Math.max(to, edit.to)
        growthInside += edit.growth
        grown = true
      }
      for (
        let hunk = plain.hunks[endH];
        hunk && e > firstEdit && hunk.fromA <= to;
        hunk = plain.hunks[++endH]
      ) {
        to = Math.max(to, hunk.toA)
        grown = true
      }
    }
    const region = plain.hunks.slice(h, endH)
    const growthB = region.reduce((sum, hunk) => sum + hunk.toB - hunk.fromB - (hunk.toA - hunk.fromA), 0)
    const newFrom = from + growth
    const newTo = to + growth + growthInside
    const text = plain.b.sliceString(from + shiftB, to + shiftB + growthB)
    region.forEach((hunk, i) => {
      const [fromA, toA] = i === 0 ? [newFrom, newTo] : [newTo, newTo]
      moved.push({
        hunk: { ...hunk, fromA, toA, fromB: 0, toB: 0, conflict: hunk.conflict || e > firstEdit },
        text: i === 0 ? text : '',
      })
    })
    growth += growthInside
    shiftB += growthB
    h = endH
  }
  let shift = 0
  return moved.map(({ hunk, text }) => {
    const fromB = hunk.fromA + shift
    const toB = fromB + text.length
    shift += text.length - (hunk.toA - hunk.fromA)
    return { hunk: { ...hunk, fromB, toB }, text }
  })
}
