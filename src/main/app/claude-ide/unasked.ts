import { basename } from 'node:path'
import type { Connection } from '../../../shared/contract/connections'
import type { Settings } from '../../../shared/contract/settings'
import type { WritingManner } from '../../protocols/claude-ide/writing-manner'

/**
 * Says plainly that Claude writes, or may write, without asking; null while it asks. What its session file has shown
 * counts; before it has shown anything, the mode that it was started in.
 */
export function describeUnasked(
  startedIn: Settings['claudePermissionMode'],
  shown?: WritingManner,
): Connection['unasked'] {
  return shown?.mode === undefined ? describeStart(startedIn) : describeShown(shown.mode, shown.wrote)
}

const noticed = 'Changes appear here after its next prompt.'

function describeStart(mode: Settings['claudePermissionMode']): Connection['unasked'] {
  switch (mode) {
    case 'manual':
    case 'plan':
      return null
    case 'acceptEdits':
      return writes(
        `Claude was started in “accept edits” mode and writes without review. Press Shift+Tab in its terminal to change that. ${noticed}`,
      )
    case 'auto':
      return writes(
        `Claude was started in auto mode and writes project files without review. Press Shift+Tab in its terminal to change that. ${noticed}`,
      )
    case 'bypassPermissions':
      return writes(
        'Claude was started without permission checks and writes without review. Restart it in another mode to change that.',
      )
    case '':
      return {
        sentence:
          'Claude uses its own permission mode and may write without review. Press Shift+Tab in its terminal to check. The mode appears here after its first prompt.',
        certain: false,
      }
  }
}

/** `mode` as the command line writes it down, and a write that nobody was asked about in a mode that asks. */
function describeShown(mode: string, wrote: WritingManner['wrote']): Connection['unasked'] {
  switch (mode) {
    case 'acceptEdits':
      return writes(
        `Claude is now in “accept edits” mode and writes without review. Press Shift+Tab in its terminal to change that. ${noticed}`,
      )
    case 'auto':
      return writes(
        `Claude is now in auto mode and writes project files without review. Press Shift+Tab in its terminal to change that. ${noticed}`,
      )
    case 'bypassPermissions':
      return writes(
        `Claude now runs without permission checks and writes without review. Press Shift+Tab in its terminal to change that. ${noticed}`,
      )
    case 'default':
    case 'manual':
    case 'plan':
      return wrote ? describeWrite(wrote) : null
    default:
      if (wrote) return describeWrite(wrote)
      return {
        sentence: `Claude is now in the mode “${mode}”, which Greenlight doesn’t know. It may write without review. Press Shift+Tab in its terminal to change that. ${noticed}`,
        certain: false,
      }
  }
}

function describeWrite({ path, allowedBy }: NonNullable<WritingManner['wrote']>): Connection['unasked'] {
  const name = basename(path)
  return allowedBy === 'rule'
    ? writes(
        `A permission rule lets Claude write without review, as it just did with ${name}. Type /permissions in its terminal to see its rules.`,
      )
    : writes(
        `Claude has written ${name} without review. Press Shift+Tab in its terminal to check or change its mode. ${noticed}`,
      )
}

function writes(sentence: string): Connection['unasked'] {
  return { sentence, certain: true }
}
