import { DisposableStack, disposable } from '../../../shared/lifetime'
import type { Profiles } from '../../core/agents/profiles'
import type { Terminals } from '../../core/terminal/terminals'
import type { PageHandlers } from './page-handlers'

type TerminalCall =
  | 'terminals.create'
  | 'terminals.write'
  | 'terminals.resize'
  | 'terminals.acknowledge'
  | 'terminals.restart'
  | 'terminals.rename'
  | 'terminals.seen'
  | 'terminals.close'
  | 'terminals.resolveLinks'

/** The terminals of a window. */
export function terminalHandlers({
  terminals,
  profiles,
}: {
  terminals: Terminals
  profiles: Profiles
}): PageHandlers<TerminalCall, 'terminals' | 'terminal'> {
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
        const listening = new DisposableStack()
        listening.add(terminals.onChange((list) => sink.delta({ terminals: list })))
        listening.add(profiles.onChange((list) => sink.delta({ profiles: list })))
        void profiles.refresh()
        return listening
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
