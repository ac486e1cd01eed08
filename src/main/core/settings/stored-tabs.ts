import { z } from 'zod'
import { fieldValues } from '../../../shared/approval/approval-schemas'

/** What brings back a conversation that Greenlight ran. `values`: of the form that it was begun with, and chosen since. */
const keptConversation = z.object({
  /** The agent's id. */
  agent: z.string(),
  session: z.string(),
  folder: z.string(),
  values: fieldValues,
})
export type KeptConversation = z.infer<typeof keptConversation>

/** How one of the app's own pages is stored; a conversation as its session's page. */
const storedPage = z.object({ page: z.string(), conversation: keptConversation.exactOptional() })
export type StoredPage = z.infer<typeof storedPage>

const side = z.enum(['left', 'right'])
const look = { preview: z.boolean(), pinned: z.boolean(), side: side.exactOptional() }
/** A file's tab is named by its path, a page's by its name, which is not a path. */
const name = z.string().nullable()

/**
 * What outlives the app of a window's tabs: files, and those pages that say so. Reviews come back with their proposals.
 */
export const storedTabs = z.object({
  tabs: z.array(z.union([z.object({ path: z.string(), ...look }), storedPage.extend(look)])).max(1000),
  /** The tab in use. */
  active: name,
  /** What each side showed. */
  shown: z.object({ left: name, right: name }).exactOptional(),
  activeSide: side.exactOptional(),
})
export type StoredTabs = z.infer<typeof storedTabs>
