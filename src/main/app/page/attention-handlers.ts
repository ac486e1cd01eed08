import { DisposableStack, disposable } from '../../../shared/lifetime'
import type { Attention } from '../../core/notices/attention'
import type { PageHandlers } from './page-handlers'

/** What waits for the person, and whether they look. */
export function attentionHandlers(attention: Attention): PageHandlers<'attention', 'attention'> {
  return {
    calls: {
      'attention.looking': ({ looking }) => attention.look(looking),
    },
    topics: {
      attention: (_params, sink) => {
        sink.snapshot({ waiting: attention.count })
        return new DisposableStack(
          attention.onCount((waiting) => sink.delta({ kind: 'waiting', waiting })),
          attention.onNews((news) => sink.delta(news)),
          // A page that is gone looks at nothing.
          disposable(() => attention.look(false)),
        )
      },
    },
  }
}
