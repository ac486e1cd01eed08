import type { Notices } from '../../core/notices/notices'
import type { PageHandlers } from './page-handlers'

/** Sentences for the person. */
export function noticeHandlers(notices: Notices): PageHandlers<'notices.dismiss', 'notices'> {
  return {
    calls: { 'notices.dismiss': ({ id }) => notices.dismiss(id) },
    topics: {
      notices: (_params, sink) => {
        sink.snapshot({ notices: notices.list() })
        return notices.onChange((change) => sink.delta(change))
      },
    },
  }
}
