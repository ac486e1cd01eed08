import { z } from 'zod'
import { defineTopic, failure, path } from './define'

/** One line of the file tree. `target` tells what a symbolic link leads to. */
export const fileEntry = z.object({
  name: z.string(),
  path,
  kind: z.enum(['file', 'folder', 'other']),
  symlink: z.boolean(),
})
export type FileEntry = z.infer<typeof fileEntry>

/** A folder's content as the tree shows it: folders first, natural order. */
export const directoryState = z.union([
  z.object({ kind: z.literal('entries'), entries: z.array(fileEntry), truncated: z.boolean() }),
  z.object({ kind: z.literal('failed'), failure }),
])
export type DirectoryState = z.infer<typeof directoryState>

export const filesTopics = {
  /** One level of the tree, watched while subscribed. Each delta is the whole level anew. */
  directory: defineTopic(z.object({ path }), directoryState, directoryState),
}
