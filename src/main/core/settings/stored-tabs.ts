import { z } from 'zod'

const side = z.enum(['left', 'right'])
const look = { preview: z.boolean(), pinned: z.boolean(), side: side.exactOptional() }
/** Of a file's tab its path, of a page its name, which is no path. */
const name = z.string().nullable()

/** What of a window's tabs outlives the app: files, and those pages that say so. Reviews come back with their proposals. */
export const storedTabs = z.object({
  tabs: z
    .array(z.union([z.object({ path: z.string(), ...look }), z.object({ page: z.string(), ...look })]))
    .max(1000),
  /** What was worked in. */
  active: name,
  /** What each side showed. */
  shown: z.object({ left: name, right: name }).exactOptional(),
  activeSide: side.exactOptional(),
})
export type StoredTabs = z.infer<typeof storedTabs>
