import { ChangeSet, Text } from '@codemirror/state'
import { diffTexts } from './diff'

/**
 * A draft is a proposal as the person has made it so far: two documents and a list of changes between them.
 * The reference `a` begins as the base, the result `b` as the proposal. Accepting a change moves the reference
 * to the result, rejecting it moves the result to the reference; so what is left between the two is undecided.
 * Outside the hunks both documents are the same text. The result is what will be written.
 */
export interface Draft {
  readonly a: Text
  readonly b: Text
  /** Ordered and disjoint in both documents. */
  readonly hunks: readonly Hunk[]
}

/** One change. Ranges are UTF-16 offsets, half open, of whole lines where nobody has edited. */
export interface Hunk {
  /** From 1, in the order of the proposal; never shifts. Changes the person adds get the next free number. */
  readonly number: number
  /** Who made it. A person's own change vanishes when its text is as before. */
  readonly author: 'agent' | 'person'
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
  readonly decision: Decision
  /** The result's text here as the agent proposed it; empty for a person's own change. */
  readonly proposed: string
  /** The file changed on disk in the very lines of this change. */
  readonly conflict: boolean
}

/** `was` is the text that the decision replaced: the reference's when accepted, the result's when rejected. */
export type Decision =
  | { readonly kind: 'undecided' }
  | { readonly kind: 'accepted'; readonly was: string }
  | { readonly kind: 'rejected'; readonly was: string }

/** One step of a person's work on a draft; the only way in which a draft changes. */
export type DraftStep =
  | { readonly kind: 'edit'; readonly changes: ChangeSet }
  | { readonly kind: 'accept'; readonly hunk: number }
  | { readonly kind: 'reject'; readonly hunk: number }
  | { readonly kind: 'undecide'; readonly hunk: number }
  /** The file changed on disk: `changes` leads from the base as it was (no decision applied) to the disk's text. */
  | { readonly kind: 'rebase'; readonly changes: ChangeSet }

/** A draft after a step, and how each document came to it, so that an editor can follow. */
export interface Stepped {
  readonly draft: Draft
  readonly a: ChangeSet | null
  readonly b: ChangeSet | null
}

const undecided: Decision = { kind: 'undecided' }

/** A fresh draft: every difference between base and proposal is one undecided change. */
export function startDraft(base: Text, proposed: Text): Draft {
  const hunks = diffTexts(base, proposed).map((change, index): Hunk => ({
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
 * Applies one step. Gives null when the step does not fit the draft: an unknown change, a decision already taken,
 * a change set of another length. Pure: the page and the host come to the same draft from the same steps.
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
  }
}

/** The base: the reference as it was before any decision. */
export function baseOf(draft: Draft): Text {
  const back = draft.hunks.flatMap((hunk) =>
    hunk.decision.kind === 'accepted' ? [{ from: hunk.fromA, to: hunk.toA, insert: hunk.decision.was }] : [],
  )
  return back.length === 0 ? draft.a : textChanges(draft.a, back).apply(draft.a)
}

/** Whether the person has put work into it: a decision, an edit or a change of their own. */
export function isTouched(draft: Draft): boolean {
  return draft.hunks.some((hunk) => hunk.decision.kind !== 'undecided' || isEdited(draft, hunk))
}

/** Whether the text of a change is no longer what the agent proposed. A rejected one is judged by what it replaced. */
export function isEdited(draft: Draft, hunk: Hunk): boolean {
  if (hunk.author === 'person') return true
  const text =
    hunk.decision.kind === 'rejected' ? hunk.decision.was : draft.b.sliceString(hunk.fromB, hunk.toB)
  return text !== hunk.proposed
}

/** How many changes will be written, of how many: a rejected one will not. */
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

/** Replaces one change's text on one side; the later changes shift on that side, and only they. */
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

/** Typing in the result. Edited lines outside every change join the change they touch, or become one. */
function edit(draft: Draft, changes: ChangeSet): Stepped | null {
  if (changes.length !== draft.b.length) return null
  const b = changes.apply(draft.b)
  const covered = coverLines(draft, touchedLines(draft.b, changes))
  let endOfLast = 0
  const hunks: Hunk[] = []
  for (const hunk of covered) {
    const fromB = Math.max(endOfLast, changes.mapPos(hunk.fromB, -1))
    const toB = Math.max(fromB, changes.mapPos(hunk.toB, 1))
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

/** Extends the draft's changes, in the coordinates before the edit, until they cover the given spans. */
function coverLines(draft: Draft, spans: readonly Span[]): Hunk[] {
  const hunks = [...draft.hunks]
  for (const span of spans) {
    let at = hunks.findIndex((hunk) => hunk.toB >= span.from)
    if (at < 0) at = hunks.length
    const next = hunks[at]
    if (!next || next.fromB > span.to) {
      hunks.splice(at, 0, ownHunk(hunks, at, span))
      continue
    }
    // The first change that the span touches takes the gaps in front of and behind it, up to the change after it.
    let from = span.from
    for (; at < hunks.length; at++) {
      const hunk = hunks[at]
      if (!hunk || hunk.fromB > span.to) break
      const end = Math.min(span.to, hunks[at + 1]?.fromB ?? span.to)
      const grownFrom = Math.min(hunk.fromB, from)
      const grownTo = Math.max(hunk.toB, end)
      hunks[at] = {
        ...hunk,
        fromA: hunk.fromA - (hunk.fromB - grownFrom),
        toA: hunk.toA + (grownTo - hunk.toB),
        fromB: grownFrom,
        toB: grownTo,
      }
      from = grownTo
    }
  }
  return hunks
}

function ownHunk(hunks: readonly Hunk[], at: number, span: Span): Hunk {
  const before = hunks[at - 1]
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

/** Carries the whole draft onto a base that changed under it; decisions and edits stay. */
function rebase(draft: Draft, disk: ChangeSet): Stepped | null {
  const decided = draft.hunks.filter((hunk) => hunk.decision.kind !== 'undecided')
  let plain = draft
  for (const hunk of decided) plain = undecide(plain, hunk.number)?.draft ?? plain
  if (disk.length !== plain.a.length) return null
  const proposal = textChanges(
    plain.a,
    plain.hunks.map((hunk) => ({
      from: hunk.fromA,
      to: hunk.toA,
      insert: plain.b.sliceString(hunk.fromB, hunk.toB),
    })),
  )
  const onB = disk.map(proposal, true)
  let endA = 0
  let endB = 0
  const hunks = plain.hunks.map((hunk): Hunk => {
    const fromA = Math.max(endA, disk.mapPos(hunk.fromA, 1))
    const toA = Math.max(fromA, disk.mapPos(hunk.toA, -1))
    const fromB = Math.max(endB, onB.mapPos(hunk.fromB, 1))
    const toB = Math.max(fromB, onB.mapPos(hunk.toB, -1))
    endA = toA
    endB = toB
    const touched = disk.touchesRange(hunk.fromA, hunk.toA) !== false
    return { ...hunk, fromA, toA, fromB, toB, conflict: hunk.conflict || touched }
  })
  let next: Draft = { a: disk.apply(plain.a), b: onB.apply(plain.b), hunks }
  for (const { number, decision } of decided) {
    if (decision.kind !== 'undecided') next = decide(next, number, decision.kind)?.draft ?? next
  }
  return { draft: next, a: changesBetween(draft.a, next.a), b: changesBetween(draft.b, next.b) }
}

/** The change set that leads from one text to another, by lines. */
export function changesBetween(before: Text, after: Text): ChangeSet {
  return ChangeSet.of(
    diffTexts(before, after).map((change) => ({
      from: change.fromA,
      to: change.toA,
      insert: after.slice(change.fromB, change.toB),
    })),
    before.length,
  )
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
