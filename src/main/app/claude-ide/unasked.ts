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

const noticed = 'A change shows here with its next prompt.'

function describeStart(mode: Settings['claudePermissionMode']): Connection['unasked'] {
  switch (mode) {
    case 'manual':
    case 'plan':
      return null
    case 'acceptEdits':
      return writes(
        `Claude was started to accept its own edits: they are written before a review. Press Shift+Tab in its terminal to change that. ${noticed}`,
      )
    case 'auto':
      return writes(
        `Claude was started to decide itself what to ask: edits in the project are written before a review. Press Shift+Tab in its terminal to change that. ${noticed}`,
      )
    case 'bypassPermissions':
      return writes(
        'Claude was started to ask for nothing: everything is written before a review. Start it anew in another mode to change that.',
      )
    case '':
      return {
        sentence:
          'Claude is in the mode of its own settings, which may write before a review. Its first prompt shows here which it is; Shift+Tab in its terminal shows and changes it.',
        certain: false,
      }
  }
}

/** `mode` as the command line writes it down, and a write that nobody was asked about in a mode that asks. */
function describeShown(mode: string, wrote: WritingManner['wrote']): Connection['unasked'] {
  switch (mode) {
    case 'acceptEdits':
      return writes(
        `Since its last prompt Claude accepts its own edits: they are written before a review. Press Shift+Tab in its terminal to change that. ${noticed}`,
      )
    case 'auto':
      return writes(
        `Since its last prompt Claude decides itself what to ask: edits in the project are written before a review. Press Shift+Tab in its terminal to change that. ${noticed}`,
      )
    case 'bypassPermissions':
      return writes(
        `Since its last prompt Claude asks for nothing: everything is written before a review. Press Shift+Tab in its terminal to change that. ${noticed}`,
      )
    case 'default':
    case 'manual':
    case 'plan':
      return wrote ? describeWrite(wrote) : null
    default:
      if (wrote) return describeWrite(wrote)
      return {
        sentence: `Since its last prompt Claude is in the mode “${mode}”, which Greenlight does not know. It may write before a review. Press Shift+Tab in its terminal to change that. ${noticed}`,
        certain: false,
      }
  }
}

function describeWrite({ path, allowedBy }: NonNullable<WritingManner['wrote']>): Connection['unasked'] {
  const name = basename(path)
  return allowedBy === 'rule'
    ? writes(
        `A rule lets Claude write before a review, as it last did with ${name}. Type /permissions in its terminal to see its rules.`,
      )
    : writes(
        `Since its last prompt Claude has written ${name} before a review. Press Shift+Tab in its terminal to see its mode and change it. ${noticed}`,
      )
}

function writes(sentence: string): Connection['unasked'] {
  return { sentence, certain: true }
}
