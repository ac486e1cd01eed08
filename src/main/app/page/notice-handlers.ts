import type { Notices } from '../../core/notices/notices'
import { type PageHandlers, sendChanges } from './page-handlers'

/** Sentences for the person. */
export function noticeHandlers(notices: Notices): PageHandlers<'notices', 'notices'> {
  return {
    calls: { 'notices.dismiss': ({ id }) => notices.dismiss(id) },
    topics: { notices: sendChanges(() => ({ notices: notices.list() }), notices.onChange) },
  }
}
