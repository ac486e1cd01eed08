import type { ContextPort } from '../../protocols/gemini-companion/ports'
import type { Context } from '../../core/context/context'

/** The context of a window as Gemini CLI's server reads it. */
export function contextForGemini(context: Context): ContextPort {
  return {
    // The file in front is among the files; without the selection there is no cursor to tell.
    seen: () => (context.sharing.selection ? context.seen : { ...context.seen, current: null }),
    onChange: (listener) => context.onSeen(({ atOnce }) => listener({ atOnce })),
    handed: (to, item) => context.sent(to, 'told', item),
  }
}
