import type { Environment } from '../../core/platform/environment'
import { leavesHooksOut } from '../../protocols/claude-hooks/not-in-force'

/** Why nothing could be reviewed of a Claude Code that is started so, with what to do; null if nothing speaks against it. */
export function describeHookless(words: readonly string[], variables: Environment): string | null {
  const leaving = leavesHooksOut({ words, variables })
  return leaving === null
    ? null
    : `${leaving} leaves Greenlight’s hooks out, so nothing could be reviewed. Start it without, or start claude itself.`
}
