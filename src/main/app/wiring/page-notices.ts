import type { WindowHost } from '../window-host'
import type { PageHandlers } from './page-handlers'

/** Sentences for the person. */
export function noticeHandlers(window: WindowHost): PageHandlers<'notices.dismiss', 'notices'> {
  const { notices } = window
  return {
    calls: { 'notices.dismiss': ({ id }) => (notices.dismiss(id), {}) },
    topics: {
      notices: (_params, sink) => {
        sink.snapshot({ notices: notices.list() })
        return notices.onChange((change) => sink.delta(change))
      },
    },
  }
}
