import { z } from 'zod'
import { changeSet, defineCall, defineTopic, failure, nothing, path, resultOf, textRef } from './define'

/** What is known of an open file beside its text. */
export const documentMeta = z.object({
  path,
  encoding: z.string(),
  bom: z.boolean(),
  eol: z.enum(['lf', 'crlf', 'cr', 'mixed']),
  dirty: z.boolean(),
  readOnly: z.boolean(),
  /**
   * How the text stands to the disk: `same` (or only dirty), `conflict` (both changed), `deleted` (gone from disk),
   * `recovered` (unsaved text from before a crash), `new` (never there: the first save makes the file).
   */
  disk: z.enum(['same', 'conflict', 'deleted', 'recovered', 'new']),
  /** The encoding is a guess: the text is read-only until the person has reopened it in one. */
  guessed: z.boolean(),
  /** How the project's .editorconfig wants lines indented. */
  indent: z.object({ style: z.enum(['space', 'tab']), size: z.number().int() }).nullable(),
})
export type DocumentMeta = z.infer<typeof documentMeta>

/** A file in the editor: its text with a version, or why it has none. */
export const documentState = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    version: z.number().int(),
    /** How many updates came from each of the latest clients; so a page knows which of its own arrived. */
    clients: z.record(z.string(), z.number().int()).exactOptional(),
    text: textRef,
    meta: documentMeta,
  }),
  z.object({ kind: z.literal('binary'), size: z.number(), meta: z.object({ path }) }),
  /** Too long to hold as one text: shown in pieces, see `pieces.read`. */
  z.object({ kind: z.literal('large'), size: z.number(), meta: z.object({ path }) }),
  /** A picture, read with `pieces.bytes`. `stamp` differs once it has changed. */
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
  /** Updates from `version` on, in order; the page's own come back too and confirm themselves. */
  z.object({ kind: z.literal('updates'), version: z.number().int(), updates: z.array(documentUpdate) }),
  z.object({ kind: z.literal('meta'), meta: documentMeta.partial() }),
  /** The document became something else (binary, deleted, readable again): replace the state with this one. */
  z.object({ kind: z.literal('state'), state: documentState }),
])
export type DocumentDelta = z.infer<typeof documentDelta>

/** The encodings that a text can be read and written in. */
export const textEncoding = z.enum(['utf-8', 'utf-16le', 'utf-16be', 'latin-1'])
export type PageEncoding = z.infer<typeof textEncoding>

export const documentsCalls = {
  /** Writes the text otherwise from the next save on; what is absent stays. */
  'documents.reformat': defineCall(
    z.object({
      path,
      eol: z.enum(['lf', 'crlf', 'cr']).optional(),
      encoding: textEncoding.optional(),
      bom: z.boolean().optional(),
    }),
    resultOf(nothing),
  ),
  /** Reads the file again in this encoding. Refused while something is unsaved. */
  'documents.reopen': defineCall(z.object({ path, encoding: textEncoding }), resultOf(nothing)),
  /** `behind`: the host has newer updates, which are on their way by the topic; rebase and push again. */
  'documents.push': defineCall(
    z.object({ path, version: z.number().int().min(0), updates: z.array(documentUpdate).min(1).max(10_000) }),
    z.object({ status: z.enum(['accepted', 'behind', 'gone']) }),
  ),
  /** Writes the document's text, unless the disk has changed meanwhile: then it becomes a conflict. */
  'documents.save': defineCall(z.object({ path }), resultOf(nothing)),
  /** Ends a conflict: keep the document's text, take the disk's, or take the three-way merge of both. */
  'documents.resolve': defineCall(
    z.object({ path, how: z.enum(['keep-mine', 'take-disk', 'merge']) }),
    resultOf(z.object({ conflicts: z.number().int() })),
  ),
  /** Forgets unsaved changes and shows the disk's text. */
  'documents.revert': defineCall(z.object({ path }), resultOf(nothing)),
}

export const documentsTopics = {
  /** The document is open while a tab shows it; subscribing opens it, the last tab's end closes it. */
  document: defineTopic(z.object({ path }), documentState, documentDelta),
}
