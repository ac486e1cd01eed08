import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, position, range, resultOf } from './define'

/** The halves of the window's middle. Without a split all tabs are on the left. */
const side = z.enum(['left', 'right'])
export type Side = z.infer<typeof side>

/** What every tab has. Pinned tabs come first on their side, and stay when others are closed together. */
const common = { id: z.string(), side, pinned: z.boolean() }

/** What a file is compared with: itself as it is on disk, as last committed, another file; or two texts on record. */
export const comparedWith = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved') }),
  z.object({ kind: z.literal('head') }),
  z.object({ kind: z.literal('file'), path }),
  /** On record: the text from before a change, with what was proposed or what was written. */
  z.object({ kind: z.literal('record'), entry: z.string().max(100), side: z.enum(['proposed', 'written']) }),
])
export type ComparedWith = z.infer<typeof comparedWith>

/** The app's own pages that are shown in a tab. */
const ownView = z.enum(['settings', 'keys', 'welcome'])
export type OwnView = z.infer<typeof ownView>

export const tab = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('file'),
    path,
    name: z.string(),
    /** Shown in italics; the next file opened as a preview replaces it. */
    preview: z.boolean(),
    dirty: z.boolean(),
    /** A command waits until this file is closed. */
    waited: z.boolean(),
    /** It is in none of the window's folders. */
    outside: z.boolean(),
  }),
  z.object({ ...common, kind: z.literal('review'), review: z.string(), path, name: z.string() }),
  /** A file as it looks when rendered: Markdown, SVG. */
  z.object({ ...common, kind: z.literal('rendered'), path, name: z.string() }),
  /** Two texts side by side, read only. */
  z.object({ ...common, kind: z.literal('compared'), path, against: comparedWith, name: z.string() }),
  /** All reviews of the window in one scroll; closing it decides nothing. */
  z.object({ ...common, kind: z.literal('reviews'), name: z.string() }),
  /** What agents ask besides changes, and what rules answer; closing it decides nothing. */
  z.object({ ...common, kind: z.literal('approvals'), name: z.string() }),
  /** A recorded conversation. */
  z.object({ ...common, kind: z.literal('session'), session: z.string(), name: z.string() }),
  z.object({ ...common, kind: z.literal('view'), view: ownView, name: z.string() }),
])
export type Tab = z.infer<typeof tab>

/** The tabs, those on the left first; the active one, and the one that each side shows. */
export const tabsState = z.object({
  tabs: z.array(tab),
  active: z.string().nullable(),
  shown: z.object({ left: z.string().nullable(), right: z.string().nullable() }),
})
export type TabsState = z.infer<typeof tabsState>

export const tabsDelta = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('state'), state: tabsState }),
  /**
   * Scroll to a place and select it, without taking the focus unless `focus`. With `toFront`, an agent wants the file
   * shown: show it unless the person is typing elsewhere.
   */
  z.object({
    ...{ kind: z.literal('reveal'), path, selection: range.nullable(), focus: z.boolean() },
    toFront: z.boolean().optional(),
  }),
  /** A command now waits for this file: show it unless the person is typing elsewhere. */
  z.object({ kind: z.literal('waited'), path }),
  /** A tool needs the newest text: push what hasn't been sent, then call `tabs.flushed`. */
  z.object({ kind: z.literal('flush'), token: z.string() }),
])
export type TabsDelta = z.infer<typeof tabsDelta>
/** A place in an open file that the page shows and selects. */
export type Reveal = Omit<Extract<TabsDelta, { kind: 'reveal' }>, 'kind'>

const id = z.string().max(100)

export const tabsCalls = {
  'tabs.openFile': defineCall(
    z.object({ path, preview: z.boolean(), at: position.optional(), until: position.optional() }),
    resultOf(nothing),
  ),
  'tabs.openReview': defineCall(z.object({ review: z.string().max(100) }), resultOf(nothing)),
  /** Shows the tab with all reviews in one scroll. */
  'tabs.openReviews': defineCall(nothing, nothing),
  /** Shows one of the app's own pages in its tab. */
  'tabs.openView': defineCall(z.object({ view: ownView }), nothing),
  'tabs.activate': defineCall(z.object({ id }), nothing),
  /** Makes a side the active one, with whatever it shows: the page may not have heard yet what that is. */
  'tabs.workOn': defineCall(z.object({ side }), nothing),
  /** Shows the tab after the active one or the one before it; after the last comes the first. */
  'tabs.step': defineCall(z.object({ by: z.union([z.literal(1), z.literal(-1)]) }), nothing),
  'tabs.keep': defineCall(z.object({ id }), nothing),
  /** Moves a tab to an index on its side. */
  'tabs.move': defineCall(z.object({ id, to: z.number().int().min(0) }), nothing),
  /** Moves a tab to a side, at an index or after the tab shown there. */
  'tabs.moveToSide': defineCall(
    z.object({ id, side, to: z.number().int().min(0).optional() }),
    resultOf(nothing),
  ),
  'tabs.pin': defineCall(z.object({ id, pinned: z.boolean() }), nothing),
  /** Shows the same on the other side too; a review moves there. */
  'tabs.split': defineCall(z.object({ id }), resultOf(nothing)),
  /** Reopens the file whose tab was closed last. */
  'tabs.reopen': defineCall(nothing, resultOf(nothing)),
  /** Shows a file as it looks when rendered, beside its text. */
  'tabs.openRendered': defineCall(z.object({ path }), nothing),
  'tabs.openCompared': defineCall(z.object({ path, against: comparedWith }), nothing),
  /**
   * Closing a review's tab rejects the review. With `ask`, a dirty file fails as `unsaved`, so that a plain close loses
   * nothing.
   */
  'tabs.close': defineCall(z.object({ id, unsaved: z.enum(['ask', 'save', 'discard']) }), resultOf(nothing)),
  'tabs.flushed': defineCall(z.object({ token: z.string().max(100) }), nothing),
  /** The selection in the active editor; null: no editor has it any more. */
  'selection.set': defineCall(
    z.object({ selection: z.object({ path, version: z.number().int(), range }).nullable() }),
    nothing,
  ),
  /** Mentions lines of a file to the agents, counted from 0 and including `last`; without lines, the whole file. */
  'selection.mention': defineCall(
    z.object({
      path,
      lines: z.object({ first: z.number().int().min(0), last: z.number().int().min(0) }).optional(),
      /** The connection to tell; absent: all of them. */
      connection: z.string().max(100).optional(),
    }),
    resultOf(z.object({ told: z.number().int() })),
  ),
}

export const tabsTopics = {
  tabs: defineTopic(nothing, tabsState, tabsDelta),
}
