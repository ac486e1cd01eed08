import { basename } from 'node:path'
import type { Connection } from '../../../shared/contract/connections'
import type { Settings } from '../../../shared/contract/settings'
import type { WritingManner } from '../../protocols/claude-ide/writing-manner'
import { type GateNow, warnOfGate } from '../dialect-kit/gate-sentences'

/**
 * Says plainly that Claude writes, or may write, without asking; null while it asks. What its session file has shown
 * counts; until then, the mode that it was started in. Where every change passes the gate, no mode matters.
 */
export function describeUnasked(
  startedIn: Settings['claudePermissionMode'],
  shown?: WritingManner,
  gate: GateNow | null = null,
): Connection['unasked'] {
  if (gate?.isExpected && gate.mode === 'every') {
    const warning = warnOfGate(gate)
    if (warning || gate.state !== 'not-in-force') return warning
  }
  return describeMode(startedIn, shown)
}

function describeMode(
  startedIn: Settings['claudePermissionMode'],
  shown: WritingManner | undefined,
): Connection['unasked'] {
  const isShown = shown?.mode !== undefined
  const is = isShown ? 'is now' : 'was started'
  switch (shown?.mode ?? startedIn) {
    case 'acceptEdits':
      return writes(`Claude ${is} in “accept edits” mode and writes without review. ${toChange}`)
    case 'auto':
      return writes(`Claude ${is} in auto mode and writes project files without review. ${toChange}`)
    case 'bypassPermissions':
      return writes(
        isShown
          ? `Claude now runs without permission checks and writes without review. ${toChange}`
          : 'Claude was started without permission checks and writes without review. Restart it in another mode to change that.',
      )
    case '':
      return {
        sentence:
          'Claude uses its own permission mode and may write without review. Press Shift+Tab in its terminal to check. The mode appears here after its first prompt.',
        certain: false,
      }
    case 'default':
    case 'manual':
    case 'plan':
      return isShown && shown.wrote ? describeWrite(shown.wrote) : null
    default:
      if (shown?.wrote) return describeWrite(shown.wrote)
      return {
        sentence: `Claude is now in the mode “${shown?.mode}”, which Greenlight doesn’t know. It may write without review. ${toChange}`,
        certain: false,
      }
  }
}

const noticed = 'Changes appear here after its next prompt.'
const toChange = `Press Shift+Tab in its terminal to change that. ${noticed}`

/** A write that nobody was asked about, in a mode that asks. */
function describeWrite({ path, allowedBy }: NonNullable<WritingManner['wrote']>): Connection['unasked'] {
  const name = basename(path)
  return writes(
    allowedBy === 'rule'
      ? `A permission rule lets Claude write without review, as it just did with ${name}. Type /permissions in its terminal to see its rules.`
      : `Claude has written ${name} without review. Press Shift+Tab in its terminal to check or change its mode. ${noticed}`,
  )
}

function writes(sentence: string): Connection['unasked'] {
  return { sentence, certain: true }
}
