import type { ContextPort } from '../../protocols/gemini-companion/ports'
import type { WindowHost } from '../window-host'

/** The context of a window as Gemini CLI's server reads it. */
export function contextForGemini({ context }: WindowHost): ContextPort {
  return {
    seen: () => context.seen,
    onChange: (listener) => context.onSeen(({ atOnce }) => listener({ atOnce })),
    handed: (to, item) => context.sent(to, 'told', item),
  }
}
