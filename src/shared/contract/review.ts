import { z } from 'zod'
import { changeSet, defineCall, defineTopic, nothing, path, resultOf, textRef } from './define'

/**
 * Where a review stands:
 * `open` asks; `queued` waits behind another on the same path; `awaiting` is accepted and the disk has not shown it;
 * `overdue` the same for more than 5 s; `orphaned` nobody can be answered any more, the draft stays.
 */
const reviewPhase = z.enum(['queued', 'open', 'awaiting', 'overdue', 'orphaned'])

/** One line of the list of reviews. */
export const reviewSummary = z.object({
  id: z.string(),
  path,
  /** The file that the path leads to, where that is another one. */
  realPath: path.exactOptional(),
  name: z.string(),
  /** The folder as the person reads it: relative to the workspace, or absolute when outside. */
  folder: z.string(),
  agent: z.string(),
  /** Where several ask for this very change: all their names, as they are read. */
  agents: z.string().exactOptional(),
  dialect: z.string(),
  connection: z.string(),
  /** Already written, and only that agent's turn is known: nothing tells that the agent wrote it. */
  duringTurn: z.boolean().exactOptional(),
  title: z.string(),
  phase: reviewPhase,
  effect: z.enum(['agent', 'host', 'agent-then-host', 'written']),
  content: z.enum(['text', 'binary']),
  /** The file does not exist yet. */
  isNew: z.boolean(),
  /** The change is that the file is gone. */
  isGone: z.boolean().exactOptional(),
  /** Already written, and the text from before is not known, so it cannot be put back. */
  isBeforeUnknown: z.boolean().exactOptional(),
  isOutside: z.boolean(),
  isReadOnly: z.boolean(),
  /** The file changed on disk after the review began. */
  isStale: z.boolean(),
  /** What else has become of the file since: it was deleted, or holds the whole proposal without anyone's acceptance. */
  meanwhile: z.enum(['deleted', 'written']).exactOptional(),
  addedLines: z.number().int(),
  removedLines: z.number().int(),
  changes: z.number().int(),
  decided: z.number().int(),
  written: z.number().int(),
  /** The person has typed or decided something in it. */
  isTouched: z.boolean().exactOptional(),
  /** Milliseconds since the epoch. */
  askedAt: z.number(),
  /** Why it is orphaned, or what went wrong, as a sentence; null when all is well. */
  problem: z.string().nullable(),
  /** Why nothing of it can be recorded at present, as a sentence; absent while everything is. */
  unrecorded: z.string().exactOptional(),
  /** Rises with every change of the draft or the phase; a decision must name the newest. */
  revision: z.number().int(),
})
export type ReviewSummary = z.infer<typeof reviewSummary>

const decision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('undecided') }),
  z.object({ kind: z.literal('accepted'), was: z.string() }),
  z.object({ kind: z.literal('rejected'), was: z.string() }),
])

/** A change of a draft as it travels; see shared/review/draft. */
export const hunkState = z.object({
  number: z.number().int(),
  author: z.enum(['agent', 'person']),
  fromA: z.number().int(),
  toA: z.number().int(),
  fromB: z.number().int(),
  toB: z.number().int(),
  decision,
  proposed: z.string(),
  conflict: z.boolean(),
})

/** A step as it travels, with change sets as JSON. The page sends all kinds but `rebase` and `renew`. */
export const draftStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('edit'), changes: changeSet }),
  z.object({ kind: z.literal('accept'), hunk: z.number().int() }),
  z.object({ kind: z.literal('reject'), hunk: z.number().int() }),
  z.object({ kind: z.literal('undecide'), hunk: z.number().int() }),
  z.object({ kind: z.literal('rebase'), changes: changeSet }),
  z.object({ kind: z.literal('renew'), a: changeSet, b: changeSet }),
])
export type DraftStepJson = z.infer<typeof draftStep>

/** One review whole. `version` counts the steps since the review began. */
export const reviewState = z.object({
  summary: reviewSummary,
  draft: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('text'),
      version: z.number().int(),
      /** How many of the steps came from each of the latest clients; so a page knows which of its own arrived. */
      clients: z.record(z.string(), z.number().int()).exactOptional(),
      a: textRef,
      b: textRef,
      /** Very many travel as JSON, fetched in pieces. */
      hunks: z.union([z.array(hunkState), z.object({ handle: z.string() })]),
      /** The beginning of texts that are fetched in pieces, shown before the rest has arrived. */
      head: z
        .object({
          a: z.string(),
          b: z.string(),
          hunks: z.array(hunkState),
          /** How many lines the longer of the whole texts has. */
          lines: z.number().int(),
        })
        .exactOptional(),
      /** How the file ends its lines and whether a byte order mark leads it, for the person to read. */
      facts: z.object({
        encoding: z.string(),
        bom: z.boolean(),
        eol: z.enum(['lf', 'crlf', 'cr', 'mixed']),
      }),
      /** Edits made to the proposal that this one replaced; the person may take them over. */
      offered: z.boolean(),
      /** The proposal differs from the file by its line ends alone; accepting takes them to the letter. */
      lineEndsOnly: z.boolean(),
    }),
    z.object({ kind: z.literal('binary'), sizeBefore: z.number().nullable(), sizeAfter: z.number() }),
  ]),
})
export type ReviewState = z.infer<typeof reviewState>

export const reviewDelta = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('summary'), summary: reviewSummary }),
  /** Steps from `version` on; `client` tells whose, so that a page knows its own. */
  z.object({
    kind: z.literal('steps'),
    version: z.number().int(),
    client: z.string(),
    steps: z.array(draftStep),
  }),
  /** Edits of the proposal that this one replaced can be taken over. */
  z.object({ kind: z.literal('offered') }),
  /** The review is over; the view says what became of it and closes. */
  z.object({ kind: z.literal('closed'), how: z.string() }),
])
export type ReviewDelta = z.infer<typeof reviewDelta>

/** A review that is over, kept for a while so that an accepted change can be taken back. */
export const decidedReview = z.object({
  id: z.string(),
  path,
  name: z.string(),
  /** As in `ReviewSummary`. */
  folder: z.string(),
  agent: z.string(),
  /** Milliseconds since the epoch. */
  decidedAt: z.number(),
  how: z.enum(['accepted', 'rejected', 'put-back', 'withdrawn', 'kept', 'discarded']),
  /** The old text can be put back as long as the file is as it was accepted. */
  canUndo: z.boolean(),
  /** It was rejected and can be reopened as the person's own change. */
  canReopen: z.boolean().exactOptional(),
})
export type DecidedReview = z.infer<typeof decidedReview>

const id = z.string().max(100)
const revision = z.number().int()
const insists = z.boolean().exactOptional()
const manyReviews = z.object({ reviews: z.array(z.object({ id, revision })).max(1000) })
/** `problem`: why some of those that are left could not be recorded, as a sentence. */
const allDecided = z.object({
  done: z.number().int(),
  left: z.number().int(),
  problem: z.string().exactOptional(),
})

export const reviewCalls = {
  /**
   * Sends a client's steps, taken on the draft of `version` with the first `after` steps of this client. A step that
   * the host has already is not taken again. `behind`: the host has steps the page has not; take the new snapshot and
   * redo. With `isLast` nothing more comes of this client: the host itself carries the steps over what it has besides,
   * also onto the edits that are offered to the proposal that replaced this one.
   * `revision` is the review's once these steps count, for a decision on what was seen; every delta up to it was sent
   * before. Absent where another proposal took the review's place.
   */
  'review.step': defineCall(
    z.object({
      id,
      client: z.string().max(100),
      version: z.number().int().min(0),
      after: z.number().int().min(0),
      steps: z.array(draftStep).min(1).max(10_000),
      isLast: z.boolean().exactOptional(),
    }),
    z.discriminatedUnion('status', [
      z.object({ status: z.literal('accepted'), revision: revision.exactOptional() }),
      z.object({ status: z.literal('behind') }),
      z.object({ status: z.literal('closed') }),
    ]),
  ),
  /**
   * Gives the whole file the green light: what the result holds now is the answer. Done when it is recorded; fails as
   * `unrecorded` where it cannot be, and then nobody is told. With `insists` it counts all the same.
   */
  'review.accept': defineCall(z.object({ id, revision, insists }), resultOf(nothing)),
  /** Refuses the whole file, in the same way. A note is typed into the agent's prompt, not sent. */
  'review.reject': defineCall(
    z.object({ id, revision, note: z.string().max(10_000).optional(), insists }),
    resultOf(nothing),
  ),
  /** Accepts every open review whose file is inside the workspace, each with its draft as it stands. */
  'review.acceptAll': defineCall(manyReviews, allDecided),
  'review.rejectAll': defineCall(manyReviews, allDecided),
  /** Nobody can be answered any more: write the draft's result as the person's own change. */
  'review.keep': defineCall(z.object({ id, revision }), resultOf(nothing)),
  /** Saves the draft as a patch beside the workspace's files; tells where. */
  'review.savePatch': defineCall(z.object({ id }), resultOf(z.object({ path }))),
  /** Forgets an orphaned draft. */
  'review.discard': defineCall(z.object({ id, revision }), resultOf(nothing)),
  /** Forgets orphaned drafts, except those that are no longer orphaned or have changed. */
  'review.discardAll': defineCall(manyReviews, allDecided),
  /** Accepted, but the agent hasn’t written it: the host writes the accepted text. */
  'review.writeMyself': defineCall(z.object({ id, revision }), resultOf(nothing)),
  /** Takes over the edits made to the proposal that this one replaced, as far as they still fit. */
  'review.takeOffered': defineCall(z.object({ id, revision }), resultOf(nothing)),
  /** Puts back the text from before an accepted change, if the file is still as it was accepted. */
  'review.undo': defineCall(z.object({ id }), resultOf(nothing)),
  /** Takes a rejected change up again; its agent has had its answer. Gives the new review. */
  'review.reopen': defineCall(z.object({ id }), resultOf(z.object({ review: z.string() }))),
}

export const reviewTopics = {
  reviews: defineTopic(
    nothing,
    z.object({ reviews: z.array(reviewSummary), decided: z.array(decidedReview) }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('put'), review: reviewSummary }),
      z.object({ kind: z.literal('remove'), id: z.string() }),
      z.object({ kind: z.literal('decided'), decided: z.array(decidedReview) }),
    ]),
  ),
  review: defineTopic(z.object({ id }), reviewState, reviewDelta),
}
