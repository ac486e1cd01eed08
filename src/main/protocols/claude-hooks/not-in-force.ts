import { isOlder } from '../../core/connections/server-checks'

/** How a command line is started; `variables` is null where the system doesn't tell. */
export interface CommandLineStart {
  words: readonly string[]
  variables: Readonly<Record<string, string | undefined>> | null
}

/** What is known about a command line whose hooks aren't called. */
export interface NotInForceFacts {
  /** What a request of it that brought no token was answered; null for none. */
  refusal: string | null
  /** Whether its organisation's settings keep hooks out. */
  isOffByPolicy: boolean
  /**
   * The settings file that switches hooks off, as the person knows it, and whether they are switched on again for what
   * is started from now on; null for none.
   */
  off: { file: string; isOverridden: boolean } | null
  /** How it was started, where the system tells; null where it doesn't. */
  start: CommandLineStart | null
  /** Whether it has the variables that lead it to the hooks; null if that isn't known. */
  hasVariables: boolean | null
  version: string | null
}

/** Options and variables of Claude Code that leave all hooks out (measured with 2.1.330). */
const leavingOptions = ['--bare', '--safe-mode']
const leavingVariables = ['CLAUDE_CODE_SAFE_MODE', 'CLAUDE_CODE_SIMPLE']

/** The oldest version that was seen to call hooks over HTTP. Older ones may, or may not. */
const measured = '2.1.330'

/** What there is to say where an organisation's settings keep hooks out; those of a driven conversation are called. */
export const offByPolicy =
  'Your organisation’s policy keeps Greenlight’s hooks out, so only what Claude’s mode asks about is reviewed before it is written; the rest is shown afterwards. To have every change reviewed, begin a conversation in Greenlight instead.'

/** Why a command line's hooks aren't called, as far as that is known, and what to do about it. */
export function describeNotInForce(facts: NotInForceFacts): string {
  const { refusal, isOffByPolicy, off, hasVariables, version } = facts
  if (refusal !== null) return refusal
  if (isOffByPolicy) return offByPolicy
  const leaving = facts.start && leavesHooksOut(facts.start)
  if (leaving !== null) {
    return `Claude was started with ${leaving}, which leaves hooks out. Restart it without.`
  }
  if (off !== null) {
    const next = off.isOverridden ? 'Restart it.' : 'Switch them on in Connections, then restart it.'
    return `Hooks are switched off in ${off.file}, so not every change of Claude’s is reviewed. ${next}`
  }
  if (hasVariables === false) {
    return 'This Claude was started without Greenlight’s hooks. Restart it in a new terminal, or with greenlight claude.'
  }
  const old = version === null ? null : describeOld(version)
  if (old !== null) return old
  return 'Greenlight’s hooks aren’t called by this Claude, so it may write without review. Restart it; if that doesn’t help, see /hooks in it.'
}

/** What is said of a version that may be too old; null for one that isn't. */
export function describeOld(version: string): string | null {
  return isOlder(version, measured)
    ? `Claude Code ${version} may be too old for Greenlight’s hooks. Update it: claude update.`
    : null
}

/** The option or variable of a start that leaves all hooks out; null for none. */
export function leavesHooksOut({ words, variables }: CommandLineStart): string | null {
  const end = words.indexOf('--')
  const options = end === -1 ? words : words.slice(0, end)
  const option = options.find((word) => leavingOptions.includes(word))
  return option ?? leavingVariables.find((name) => isSwitchedOn(variables?.[name])) ?? null
}

function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no', 'off'].includes(value.toLowerCase())
}
