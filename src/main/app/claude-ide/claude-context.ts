import type { ContextPort } from '../../protocols/claude-ide/ports'
import type { Context } from '../../core/context/context'
import type { EditorRooms } from '../dialect-kit/dialect'

/** The context of a window as Claude Code's server reads it. */
export function contextForClaude(context: Context, { selections, documents }: EditorRooms): ContextPort {
  return {
    seen: () => context.seen,
    async settle() {
      const path = (selections.current ?? selections.latest)?.path
      if (path !== undefined) await documents.settle(path)
    },
    onSelection: (listener) =>
      context.onSeen(({ current, atOnce }) => {
        if (current) listener({ atOnce })
      }),
    mayMention: (path) => context.whyUntold(path) === null,
    handed: (to, how, item) => context.sent(to, how, item),
  }
}
