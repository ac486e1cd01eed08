import type { ContextPort } from '../../protocols/claude-ide/ports'
import type { WindowHost } from '../window-host'

/** The context of a window as Claude Code's server reads it. */
export function contextForClaude({ context, selections, parts }: WindowHost): ContextPort {
  return {
    seen: () => context.seen,
    async settle() {
      const path = (selections.current ?? selections.latest)?.path
      if (path !== undefined) await parts.documents.settle(path)
    },
    onSelection: (listener) =>
      context.onSeen(({ current, atOnce }) => {
        if (current) listener({ atOnce })
      }),
    mayMention: (path) => context.whyUntold(path) === null,
    handed: (to, how, item) => context.sent(to, how, item),
  }
}
