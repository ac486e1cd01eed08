import { invertedEffects } from '@codemirror/commands'
import {
  Facet,
  StateEffect,
  StateField,
  type ChangeDesc,
  type ChangeSet,
  type Transaction,
} from '@codemirror/state'
import { changesBetween } from '../../../../shared/text/line-diff'
import { applyStep, findHunk, type Draft, type DraftStep } from '../../../../shared/review/draft'
import type { OwnStep } from '../../../../shared/review/draft-sync'
import { foldUnchanged, keepFolds, type Fold } from './folded-lines'

/** How the person wants to see a review. It can be changed at any time without losing anything. */
export interface Look {
  readonly layout: 'unified' | 'side-by-side'
  readonly foldUnchanged: boolean
  /** Changes of white space only are folded to a line, and such differences aren't marked in words. */
  readonly ignoreWhitespace: boolean
  readonly wrap: boolean
}

/** Everything that the drawing of a review depends on. */
export interface Picture {
  readonly draft: Draft
  /** The steps of the last transaction, each with the draft after it; to be sent to the host. */
  readonly steps: readonly OwnStep[]
  /** How the last transaction changed the reference; null when it did not. */
  readonly reference: ChangeSet | null
  readonly look: Look
  /** Decided or folded changes whose lines are shown anyway, by number. */
  readonly opened: ReadonlySet<number>
  /** How many removed lines are shown of a change that removes very many, by number. */
  readonly revealed: ReadonlyMap<number, number>
  /** Unchanged stretches of the result that are folded. */
  readonly folds: readonly Fold[]
  /** The change that the keys act on. */
  readonly current: number | null
  /** Only the head of the draft is there yet (see shared/review/draft-head); the rest comes below it. */
  readonly isHead: boolean
}

/** A decision on one change, or its undo. */
export const takeDecision = StateEffect.define<Exclude<DraftStep, { kind: 'edit' | 'rebase' | 'renew' }>>()
/** The draft as the host has it now; not the person's step, and never undone. */
export const followDraft = StateEffect.define<Draft>()
export const setLook = StateEffect.define<Look>()
export const setCurrent = StateEffect.define<number | null>()
/** Shows or hides the lines of a folded change. */
export const toggleOpened = StateEffect.define<number>()
/** Shows more of the lines that a change removes. */
export const revealRemoved = StateEffect.define<{ hunk: number; lines: number }>()
/** Unfolds the stretch of unchanged lines that begins at a place of the result. */
export const unfoldAt = StateEffect.define<number>({ map: (from, changes) => changes.mapPos(from) })
/** Takes over the picture of the result's editor, in the reference's. */
export const copyPicture = StateEffect.define<Picture>()

/** Which document an editor shows: the reference ("a") or the result ("b"). */
export const sideOf = Facet.define<'a' | 'b', 'a' | 'b'>({ combine: (values) => values[0] ?? 'b' })

/** The picture of a review before anything has been done; `isHead` when `draft` is the head of one only. */
export function firstPicture(draft: Draft, look: Look, isHead = false): Picture {
  return {
    draft,
    steps: [],
    reference: null,
    look,
    opened: new Set(),
    revealed: new Map(),
    folds: look.foldUnchanged ? foldUnchanged(draft, isHead) : [],
    current: null,
    isHead,
  }
}

/** The picture in an editor's state. Initialise it with `picture.init(() => firstPicture(…))`. */
export const picture = StateField.define<Picture>({
  create: () => {
    throw new Error('a review editor begins with a picture')
  },
  update: updatePicture,
})

/** Makes the editor's history undo decisions; it undoes changes of the text by itself. */
export const undoableDecisions = invertedEffects.of((transaction) => {
  const back: StateEffect<unknown>[] = []
  for (const effect of transaction.effects) {
    if (!effect.is(takeDecision)) continue
    const { kind, hunk } = effect.value
    if (kind !== 'undecide') {
      back.push(takeDecision.of({ kind: 'undecide', hunk }))
      continue
    }
    const decision = findHunk(transaction.startState.field(picture).draft, hunk)?.decision.kind
    if (decision === 'accepted') back.push(takeDecision.of({ kind: 'accept', hunk }))
    if (decision === 'rejected') back.push(takeDecision.of({ kind: 'reject', hunk }))
  }
  return back.reverse()
})

function updatePicture(before: Picture, transaction: Transaction): Picture {
  for (const effect of transaction.effects) if (effect.is(copyPicture)) return effect.value
  const isQuiet = before.steps.length === 0 && before.reference === null
  let next: Picture = isQuiet ? before : { ...before, steps: [], reference: null }
  const { draft, steps, reference } = stepDraft(before.draft, transaction)
  if (draft !== before.draft) {
    const kept = keepFolds(next.folds, draft, transaction.changes)
    // What is followed is whole.
    const folds = before.isHead ? [...kept, ...foldsBelow(before, draft, transaction.changes)] : kept
    next = { ...next, draft, steps, reference, folds, isHead: false }
  }
  for (const effect of transaction.effects) next = applyEffect(next, effect)
  if (transaction.selection && !transaction.effects.some((effect) => effect.is(setCurrent))) {
    const { head } = transaction.newSelection.main
    const at = next.draft.hunks.find((hunk) => hunk.fromB <= head && head <= hunk.toB)
    // A change stays current when the cursor leaves it: the keys act on what was looked at last.
    if (at && at.number !== next.current) next = { ...next, current: at.number }
    const fold = next.folds.find(({ from, to }) => from < head && head < to)
    if (fold) next = { ...next, folds: next.folds.filter((other) => other !== fold) }
  }
  return next
}

/** The folds below the head of a draft, whose rest has come by these changes. */
function foldsBelow({ draft: head, look }: Picture, draft: Draft, changes: ChangeDesc): readonly Fold[] {
  const end = changes.mapPos(head.b.length, -1)
  return look.foldUnchanged ? foldUnchanged(draft).filter(({ from }) => from > end) : []
}

function stepDraft(before: Draft, transaction: Transaction): Pick<Picture, 'draft' | 'steps' | 'reference'> {
  for (const effect of transaction.effects) {
    if (!effect.is(followDraft)) continue
    const isSame = before.a === effect.value.a || before.a.eq(effect.value.a)
    const reference = isSame ? null : changesBetween(before.a, effect.value.a)
    return { draft: effect.value, steps: [], reference }
  }
  const steps: OwnStep[] = []
  let draft = before
  let reference: ChangeSet | null = null
  const take = (step: DraftStep) => {
    const stepped = applyStep(draft, step)
    if (!stepped) return
    draft = stepped.draft
    steps.push({ step, draft })
    if (stepped.a) reference = reference ? reference.compose(stepped.a) : stepped.a
  }
  for (const effect of transaction.effects) if (effect.is(takeDecision)) take(effect.value)
  if (!transaction.docChanged) return { draft, steps, reference }
  // After the file changed on disk, the undo may bring a text other than the one before the decision.
  if (steps.length === 0) take({ kind: 'edit', changes: transaction.changes })
  else if (!draft.b.eq(transaction.newDoc)) {
    take({ kind: 'edit', changes: changesBetween(draft.b, transaction.newDoc) })
  }
  // The same text once, not twice.
  draft = { ...draft, b: transaction.newDoc }
  const last = steps.pop()
  return { draft, steps: last ? [...steps, { step: last.step, draft }] : steps, reference }
}

function applyEffect(before: Picture, effect: StateEffect<unknown>): Picture {
  if (effect.is(setLook)) {
    const look = effect.value
    if (look.foldUnchanged === before.look.foldUnchanged) return { ...before, look }
    return { ...before, look, folds: look.foldUnchanged ? foldUnchanged(before.draft, before.isHead) : [] }
  }
  if (effect.is(setCurrent)) return { ...before, current: effect.value }
  if (effect.is(toggleOpened)) {
    const opened = new Set(before.opened)
    if (!opened.delete(effect.value)) opened.add(effect.value)
    return { ...before, opened }
  }
  if (effect.is(revealRemoved)) {
    const { hunk, lines } = effect.value
    return { ...before, revealed: new Map([...before.revealed, [hunk, lines]]) }
  }
  if (effect.is(unfoldAt)) {
    return { ...before, folds: before.folds.filter((fold) => fold.from !== effect.value) }
  }
  if (effect.is(takeDecision) && before.opened.has(effect.value.hunk)) {
    const opened = new Set(before.opened)
    opened.delete(effect.value.hunk)
    return { ...before, opened }
  }
  return before
}
