import { z } from 'zod'
import {
  changeSet,
  defineCall,
  defineTopic,
  failure,
  nothing,
  path,
  resultOf,
  textFacts,
  textRef,
} from './define'

/** What is known about an open file besides its text. */
export const documentMeta = z.object({
  path,
  ...textFacts.shape,
  dirty: z.boolean(),
  readOnly: z.boolean(),
  /**
   * `same`: as on disk, or only dirty. `conflict`: both changed. `deleted`: gone from the disk. `recovered`: unsaved
   * text from before a crash. `new`: never there; the first save creates the file.
   */
  disk: z.enum(['same', 'conflict', 'deleted', 'recovered', 'new']),
  /** The encoding is a guess: the text is read-only until the person reopens it in an encoding. */
  guessed: z.boolean(),
  /** The indentation in the project's .editorconfig. */
  indent: z.object({ style: z.enum(['space', 'tab']), size: z.number().int() }).nullable(),
})
export type DocumentMeta = z.infer<typeof documentMeta>

/** A file in the editor: its text with a version, or why there is none. */
export const documentState = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    version: z.number().int(),
    /** How many updates came from each of the latest clients, so that a page knows which of its own arrived. */
    clients: z.record(z.string(), z.number().int()).exactOptional(),
    text: textRef,
    meta: documentMeta,
  }),
  z.object({ kind: z.literal('binary'), size: z.number(), meta: z.object({ path }) }),
  /** Too long for one text: shown in pieces (`pieces.read`). */
  z.object({ kind: z.literal('large'), size: z.number(), meta: z.object({ path }) }),
  /** A picture, read with `pieces.bytes`. `stamp` changes with the file. */
  z.object({
    kind: z.literal('image'),
    size: z.number(),
    type: z.string(),
    stamp: z.string(),
    meta: z.object({ path }),
  }),
  z.object({ kind: z.literal('failed'), failure }),
])
export type DocumentState = z.infer<typeof documentState>

/** One update as @codemirror/collab exchanges it. */
const documentUpdate = z.object({ clientID: z.string().max(100), changes: changeSet })

export const documentDelta = z.discriminatedUnion('kind', [
  /** Updates from `version` on, in order; the page's own come back as confirmation. */
  z.object({ kind: z.literal('updates'), version: z.number().int(), updates: z.array(documentUpdate) }),
  z.object({ kind: z.literal('meta'), meta: documentMeta.partial() }),
  /** Replaces the state: the document became something else (binary, deleted, readable again). */
  z.object({ kind: z.literal('state'), state: documentState }),
])
export type DocumentDelta = z.infer<typeof documentDelta>

export const documentsCalls = {
  /** Changes how the text is written from the next save on; what is absent stays. */
  'documents.reformat': defineCall(
    z.object({
      path,
      eol: z.enum(['lf', 'crlf', 'cr']).optional(),
      encoding: textFacts.shape.encoding.optional(),
      bom: z.boolean().optional(),
    }),
    resultOf(nothing),
  ),
  /** Reads the file again in this encoding. Fails while something is unsaved. */
  'documents.reopen': defineCall(z.object({ path, encoding: textFacts.shape.encoding }), resultOf(nothing)),
  /** `behind`: the host has newer updates, which the topic will bring; rebase and push again. */
  'documents.push': defineCall(
    z.object({ path, version: z.number().int().min(0), updates: z.array(documentUpdate).min(1).max(10_000) }),
    z.object({ status: z.enum(['accepted', 'behind', 'gone']) }),
  ),
  /** Saves the text. If the file has changed on disk, the document becomes a conflict instead. */
  'documents.save': defineCall(z.object({ path }), resultOf(nothing)),
  /** Resolves a conflict with the document's text, the disk's, or the three-way merge of both. */
  'documents.resolve': defineCall(
    z.object({ path, how: z.enum(['keep-mine', 'take-disk', 'merge']) }),
    resultOf(z.object({ conflicts: z.number().int() })),
  ),
  /** Drops unsaved changes and shows the disk's text. */
  'documents.revert': defineCall(z.object({ path }), resultOf(nothing)),
}

export const documentsTopics = {
  /** Subscribing opens the document; it closes with the last tab that shows it. */
  document: defineTopic(z.object({ path }), documentState, documentDelta),
}
