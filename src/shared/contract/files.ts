import { z } from 'zod'
import { defineCall, defineTopic, failure, nothing, path, resultOf } from './define'

/** One line of the file tree. */
export const fileEntry = z.object({
  name: z.string(),
  path,
  kind: z.enum(['file', 'folder', 'other']),
  symlink: z.boolean(),
})
export type FileEntry = z.infer<typeof fileEntry>

/** A folder's content as the tree shows it: folders first, in natural order. */
export const directoryState = z.union([
  z.object({
    kind: z.literal('entries'),
    entries: z.array(fileEntry),
    /** How many there are in all; the others are still to come. */
    total: z.number().int(),
    /** The folder has more entries than are ever sent. */
    truncated: z.boolean(),
  }),
  z.object({ kind: z.literal('failed'), failure }),
])
export type DirectoryState = z.infer<typeof directoryState>

export const directoryDelta = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('state'), state: directoryState }),
  /** More entries of a large folder. */
  z.object({ kind: z.literal('more'), entries: z.array(fileEntry) }),
  /** First these names go; then these entries are inserted at these indexes, in order. */
  z.object({
    kind: z.literal('change'),
    gone: z.array(z.string()),
    come: z.array(z.object({ at: z.number().int(), entry: fileEntry })),
    truncated: z.boolean(),
  }),
])
export type DirectoryDelta = z.infer<typeof directoryDelta>

const name = z.string().max(4096)
const paths = z.array(path).min(1).max(10_000)

/** What became of several files: their new paths, and a sentence for each that stayed as it was. */
export const filesOutcome = z.object({ done: z.array(path), problems: z.array(z.string()) })

/** All paths are in the window's folders. Nothing is ever overwritten: a name in use fails as `taken`. */
export const filesCalls = {
  /** Creates an empty file or folder. A name with slashes also creates the folders between. */
  'files.create': defineCall(
    z.object({ folder: path, name, kind: z.enum(['file', 'folder']) }),
    resultOf(z.object({ path })),
  ),
  /** Open documents follow with their unsaved text. Fails as `under-review` if a file that would move has a review. */
  'files.rename': defineCall(z.object({ path, name }), resultOf(z.object({ path }))),
  /** Into a folder, under the same names. */
  'files.move': defineCall(z.object({ paths, folder: path }), filesOutcome),
  /** Into a folder, under the same names, or "NAME copy" if they are taken. */
  'files.copy': defineCall(z.object({ paths, folder: path }), filesOutcome),
  /** To the trash. `refused`: what the trash doesn't take, and why; these are left as they were. */
  'files.trash': defineCall(
    z.object({ paths }),
    filesOutcome.extend({ refused: z.array(z.object({ path, why: z.string() })) }),
  ),
  /** Permanently: only after the trash has refused and the person has confirmed. */
  'files.delete': defineCall(z.object({ paths }), filesOutcome),
  /** Shows a file in the system's file manager. */
  'files.reveal': defineCall(z.object({ path }), resultOf(nothing)),
}

export const filesTopics = {
  /** One level of the tree, watched while subscribed, without the files in `filesExclude`. */
  directory: defineTopic(z.object({ path }), directoryState, directoryDelta),
}
