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
export function unaskedSentence(mode: Settings['claudePermissionMode']): string | null {
  switch (mode) {
    case 'manual':
    case 'plan':
      return null
    case 'acceptEdits':
      return 'Claude accepts its own edits: they are written without a review. Press Shift+Tab in its terminal to change that.'
    case 'auto':
      return 'Claude decides itself what to ask: edits in the project are written without a review. Press Shift+Tab in its terminal to change that.'
    case 'bypassPermissions':
      return 'Claude asks for nothing: everything is written without a review. Start it anew in another mode to change that.'
    case '':
      return 'Claude was started in the mode of its own settings, which may write without a review. Choose a mode in the settings to change that.'
  }
}
