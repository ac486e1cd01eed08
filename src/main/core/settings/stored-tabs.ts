import { z } from 'zod'

const side = z.enum(['left', 'right'])
const look = { preview: z.boolean(), pinned: z.boolean(), side: side.exactOptional() }
/** A file's tab is named by its path, a page's by its name, which is not a path. */
const name = z.string().nullable()

/**
 * What outlives the app of a window's tabs: files, and those pages that say so. Reviews come back with their proposals.
 */
export const storedTabs = z.object({
  tabs: z
    .array(z.union([z.object({ path: z.string(), ...look }), z.object({ page: z.string(), ...look })]))
    .max(1000),
  /** The tab in use. */
  active: name,
  /** What each side showed. */
  shown: z.object({ left: name, right: name }).exactOptional(),
  activeSide: side.exactOptional(),
})
export type StoredTabs = z.infer<typeof storedTabs>
