import { z } from 'zod'
import { longestComment, longestQuote, mostComments } from '../review/comments'
import { changeSet, defineCall, defineTopic, nothing, path, resultOf, textFacts, textRef } from './define'

/**
 * `open`: asks. `queued`: waits behind another on the same path. `awaiting`: accepted, and not yet on disk. `overdue`:
 * the same for more than 5 s. `orphaned`: nobody can be answered any more; the draft stays.
 */
const reviewPhase = z.enum(['queued', 'open', 'awaiting', 'overdue', 'orphaned'])

/** One row of the list of reviews. */
export const reviewSummary = z.object({
  id: z.string(),
  path,
  /** The file that the path leads to, if it is another one. */
  realPath: path.exactOptional(),
  name: z.string(),
  /** The folder, as shown to the person: relative to the workspace, or absolute if outside. */
  folder: z.string(),
  agent: z.string(),
  /** If several ask for this same change: all their names, for the person. */
  agents: z.string().exactOptional(),
  dialect: z.string(),
  connection: z.string(),
  /** The conversation that it is asked in, if Greenlight drives it. */
  conversation: z.string().exactOptional(),
  /** Already written during that agent's turn; nothing proves that the agent wrote it. */
  duringTurn: z.boolean().exactOptional(),
  /** The command that the agent ran as it was written, as far as its first line. */
  command: z.string().exactOptional(),
  title: z.string(),
  phase: reviewPhase,
  effect: z.enum(['agent', 'host', 'agent-then-host', 'written']),
  content: z.enum(['text', 'binary']),
  /** The file does not exist yet. */
  isNew: z.boolean(),
  /** The change deletes the file. */
  isGone: z.boolean().exactOptional(),
  /** Already written, and the previous text isn't known, so it can't be put back. */
  isBeforeUnknown: z.boolean().exactOptional(),
  isOutside: z.boolean(),
  isReadOnly: z.boolean(),
  /** The file changed on disk after the review began. */
  isStale: z.boolean(),
  /** What else has happened to the file: deleted, or it holds the whole proposal though nobody accepted it. */
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
  /** Why nothing can be recorded at present, as a sentence; absent while everything is. */
  unrecorded: z.string().exactOptional(),
  /** Rises with every change of the draft or phase; a decision must name the newest. */
  revision: z.number().int(),
})
export type ReviewSummary = z.infer<typeof reviewSummary>

/** `was` is the text that the decision replaced: the reference's when accepted, the result's when rejected. */
const decision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('undecided') }),
  z.object({ kind: z.enum(['accepted', 'rejected']), was: z.string() }),
])

/** A change of a draft. Ranges are UTF-16 offsets, half open, of whole lines where nobody has edited. */
export const hunkState = z.object({
  /** From 1, in the order of the proposal; never shifts. Changes the person adds get the next free number. */
  number: z.number().int(),
  /** Who made it. A person's own change vanishes when its text is as before. */
  author: z.enum(['agent', 'person']),
  fromA: z.number().int(),
  toA: z.number().int(),
  fromB: z.number().int(),
  toB: z.number().int(),
  decision,
  /** The result's text here as the agent proposed it; empty for a person's own change. */
  proposed: z.string(),
  /** The file changed on disk in the very lines of this change. */
  conflict: z.boolean(),
})

/** A step as it travels, with change sets as JSON. The page sends all kinds but `rebase` and `renew`. */
export const draftStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('edit'), changes: changeSet }),
  z.object({ kind: z.enum(['accept', 'reject', 'undecide']), hunk: z.number().int() }),
  z.object({ kind: z.literal('rebase'), changes: changeSet }),
  z.object({ kind: z.literal('renew'), a: changeSet, b: changeSet }),
])
export type DraftStepJson = z.infer<typeof draftStep>

/**
 * How a change was decided. `answered-there`: accepted where the agent itself asked, such as in its terminal. Nobody was
 * asked about the last two: a rule let it through, or the agent's own mode wrote it.
 */
export const decidedHow = z.enum([
  'accepted',
  'rejected',
  'put-back',
  'withdrawn',
  'kept',
  'discarded',
  'answered-there',
  'let-through',
  'unasked',
])

/** What the person says about lines of a change; see shared/review/comments. */
export const reviewComment = z.object({
  id: z.string().max(100),
  lines: z.object({ from: z.number().int().min(1), to: z.number().int().min(0) }).nullable(),
  quote: z.string().max(longestQuote),
  text: z.string().max(longestComment),
})
const comments = z.array(reviewComment).max(mostComments)

/** One review whole. `version` counts the steps since the review began. */
export const reviewState = z.object({
  summary: reviewSummary,
  /** The person's, told with the decision. */
  comments,
  /** What they said with their last decision on this file, if that was today or yesterday. */
  earlier: z.object({ comments, how: decidedHow, at: z.number() }).nullable(),
  draft: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('text'),
      version: z.number().int(),
      /** How many of the steps came from each of the latest clients, so that a page knows which of its own arrived. */
      clients: z.record(z.string(), z.number().int()).exactOptional(),
      a: textRef,
      b: textRef,
      /** A long list is JSON that is fetched in pieces. */
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
      facts: textFacts,
      /** The person may take over their edits of the proposal that this one replaced. */
      offered: z.boolean(),
      /** The proposal differs from the file only in its line ends; accepting writes them exactly. */
      lineEndsOnly: z.boolean(),
    }),
    z.object({ kind: z.literal('binary'), sizeBefore: z.number().nullable(), sizeAfter: z.number() }),
  ]),
})
export type ReviewState = z.infer<typeof reviewState>

export const reviewDelta = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('summary'), summary: reviewSummary }),
  /** Steps from `version` on; `client` says whose, so that a page recognizes its own. */
  z.object({
    kind: z.literal('steps'),
    version: z.number().int(),
    client: z.string(),
    steps: z.array(draftStep),
  }),
  /** The person may now take over their edits of the proposal that this one replaced. */
  z.object({ kind: z.literal('offered') }),
  /** All of the person's comments, as they are now. */
  z.object({ kind: z.literal('comments'), comments }),
  /** The review is over; the view says what became of it and closes. */
  z.object({ kind: z.literal('closed'), how: z.string() }),
])
export type ReviewDelta = z.infer<typeof reviewDelta>

/** A review that is over, kept for a while so that it can be undone or reopened. */
const decidedReview = z.object({
  ...reviewSummary.pick({ id: true, path: true, name: true, folder: true, agent: true }).shape,
  /** Milliseconds since the epoch. */
  decidedAt: z.number(),
  how: decidedHow,
  /** The rule that let it through. */
  rule: z.string().exactOptional(),
  /** The old text can be put back while the file is as it was accepted. */
  canUndo: z.boolean(),
  /** It was rejected and can be reopened as the person's own change. */
  canReopen: z.boolean().exactOptional(),
})
export type DecidedReview = z.infer<typeof decidedReview>

const id = z.string().max(100)
const revision = z.number().int()
const insists = z.boolean().exactOptional()
const manyReviews = z.object({ reviews: z.array(z.object({ id, revision })).max(1000) })
/** `problem`: why some of those left couldn't be recorded, as a sentence. */
const allDecided = z.object({
  done: z.number().int(),
  left: z.number().int(),
  problem: z.string().exactOptional(),
})

export const reviewCalls = {
  /**
   * Sends a client's steps, made on the draft of `version` with this client's first `after` steps. The host takes each
   * step once. `behind`: the host has steps that the page hasn't; take the new snapshot and send again. `isLast`: this
   * client sends nothing more, so the host itself rebases the steps, also onto the edits that it offers to the proposal
   * that replaced this one. `revision` is the review's with these steps, for a decision on what was seen; every delta
   * up to it has been sent. Absent if another proposal took the review's place.
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
   * Accepts the whole file: the result as it is now is the answer. Succeeds once it is recorded; otherwise fails as
   * `unrecorded`, and nobody is told. With `insists` it counts all the same.
   */
  'review.accept': defineCall(z.object({ id, revision, insists }), resultOf(nothing)),
  /** Rejects the whole file, in the same way. A note is typed into the agent's prompt, not sent. */
  'review.reject': defineCall(
    z.object({ id, revision, note: z.string().max(10_000).optional(), insists }),
    resultOf(nothing),
  ),
  /**
   * Says what the person's comments are now, all of them. They decide nothing and change no revision; the model is told
   * them with the decision.
   */
  'review.comment': defineCall(z.object({ id, comments }), resultOf(nothing)),
  /** Accepts every open review whose file is inside the workspace, each with its draft as it stands. */
  'review.acceptAll': defineCall(manyReviews, allDecided),
  'review.rejectAll': defineCall(manyReviews, allDecided),
  /** Writes an orphaned draft's result as the person's own change. */
  'review.keep': defineCall(z.object({ id, revision }), resultOf(nothing)),
  /** Saves the draft as a patch beside the workspace's files; gives its path. */
  'review.savePatch': defineCall(z.object({ id }), resultOf(z.object({ path }))),
  /** Discards an orphaned draft. */
  'review.discard': defineCall(z.object({ id, revision }), resultOf(nothing)),
  /** Discards orphaned drafts, except any that have changed or are no longer orphaned. */
  'review.discardAll': defineCall(manyReviews, allDecided),
  /** Writes the accepted text, which the agent hasn’t written. */
  'review.writeMyself': defineCall(z.object({ id, revision }), resultOf(nothing)),
  /** Takes over the edits of the proposal that this one replaced, as far as they still fit. */
  'review.takeOffered': defineCall(z.object({ id, revision }), resultOf(nothing)),
  /** Puts back the text from before an accepted change, if the file is still as it was accepted. */
  'review.undo': defineCall(z.object({ id }), resultOf(nothing)),
  /** Reopens a rejected change; its agent has had its answer. Gives the new review. */
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
