import { DisposableStack, disposable } from '../../../shared/lifetime'
import type { Profiles } from '../../core/agents/profiles'
import type { Terminals } from '../../core/terminal/terminals'
import type { PageHandlers } from './page-handlers'

/** The terminals of a window. */
export function terminalHandlers({
  terminals,
  profiles,
}: {
  terminals: Terminals
  profiles: Profiles
}): PageHandlers<'terminals', 'terminals' | 'terminal'> {
  return {
    calls: {
      'terminals.create': (request) => terminals.create(request),
      'terminals.write': ({ id, data }) => terminals.write(id, data),
      'terminals.resize': ({ id, columns, rows }) => terminals.get(id)?.resize(columns, rows),
      'terminals.acknowledge': ({ id, length }) => terminals.get(id)?.acknowledge(length),
      'terminals.restart': ({ id }) => terminals.restart(id),
      'terminals.rename': ({ id, title }) => terminals.get(id)?.rename(title),
      'terminals.seen': ({ id }) => terminals.get(id)?.see(),
      'terminals.close': ({ id }) => terminals.close(id),
      'terminals.resolveLinks': async ({ id, words }) => ({ paths: await terminals.resolveLinks(id, words) }),
    },
    topics: {
      terminals: (_params, sink) => {
        sink.snapshot({ terminals: terminals.snapshot(), profiles: profiles.snapshot() })
        void profiles.refresh()
        return new DisposableStack(
          terminals.onChange((list) => sink.delta({ terminals: list })),
          profiles.onChange((list) => sink.delta({ profiles: list })),
        )
      },
      terminal: ({ id }, sink) => {
        if (!terminals.get(id)) {
          sink.snapshot({ screen: '', rest: 0, columns: 80, rows: 24 })
          return disposable(() => undefined)
        }
        return terminals.show(id, sink)
      },
    },
  }
}
