import type { Connection } from '../../../shared/contract/connections'
import type { Settings } from '../../../shared/contract/settings'
import type { TerminalsSurroundings } from '../../core/terminal/launch'
import type { WindowHost } from '../window-host'

/** Where the app itself was started by an agent, its terminals are nevertheless the person's. */
const noOuterAgent = { CLAUDECODE: undefined, CLAUDE_CODE_ENTRYPOINT: undefined }

/** What a window's terminals are started with: profiles, folders, and what agents need to find their servers. */
export function terminalsSurroundings(window: WindowHost): TerminalsSurroundings {
  const { parts } = window
  return {
    launch: (profile) => parts.profiles.launch(profile),
    environment: () => parts.personEnvironment(),
    variables: () => ({ ...noOuterAgent, ...window.claudeIde.variables() }),
    folders: () => window.folders,
    home: parts.home,
    version: parts.options.version,
    report: (error) => parts.options.log.error('terminal fault', { error }),
  }
}

/** Says plainly that Claude was started in a mode that writes without asking; null for the modes that ask. */
export function describeUnasked(mode: Settings['claudePermissionMode']): Connection['unasked'] {
  switch (mode) {
    case 'manual':
    case 'plan':
      return null
    case 'acceptEdits':
      return writes(
        'Claude accepts its own edits: they are written without a review. Press Shift+Tab in its terminal to change that.',
      )
    case 'auto':
      return writes(
        'Claude decides itself what to ask: edits in the project are written without a review. Press Shift+Tab in its terminal to change that.',
      )
    case 'bypassPermissions':
      return writes(
        'Claude asks for nothing: everything is written without a review. Start it anew in another mode to change that.',
      )
    case '':
      return {
        sentence:
          'Claude is in the mode of its own settings, which may write without a review. Press Shift+Tab in its terminal to see and change it.',
        certain: false,
      }
  }
}

function writes(sentence: string): Connection['unasked'] {
  return { sentence, certain: true }
}
