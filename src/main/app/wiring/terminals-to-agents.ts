import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { succeed } from '../../../shared/result'
import type { Profiles } from '../../core/agents/profiles'
import type { WindowChanges } from '../../core/changes/changes'
import type { Environment } from '../../core/platform/environment'
import type { Launchers } from '../../core/platform/launchers'
import type { Log } from '../../core/platform/log'
import { findProgram } from '../../core/platform/programs'
import type { WindowSettings } from '../../core/settings/window-settings'
import type { Launch, TerminalsSurroundings } from '../../core/terminal/launch'
import { integrateShell, shellFilesIn } from '../../core/terminal/shell-integration'
import type { OpenDialect } from '../dialect-kit/dialect'
import type { WindowFolders } from '../window-folders'

/** Where the app itself was started by an agent, its terminals are nevertheless the person's. */
export const noOuterAgent = {
  CLAUDECODE: undefined,
  CLAUDE_CODE_CHILD_SESSION: undefined,
  CLAUDE_CODE_ENTRYPOINT: undefined,
  CLAUDE_CODE_EXECPATH: undefined,
  CLAUDE_CODE_SESSION_ID: undefined,
  CLAUDE_PID: undefined,
}

/** How long the start of an agent waits for the look at its folders, in milliseconds. */
export const longestLook = 1000

/** What the environment of a window's terminals is made of. */
interface TerminalSources {
  /** The window's id. */
  window: string
  folders: WindowFolders
  settings: Pick<WindowSettings, 'get'>
  profiles: Pick<Profiles, 'launch'>
  launchers: Launchers | null
  dialects(): readonly OpenDialect[]
  /** Null until the window follows what is written in its folders. */
  changes(): WindowChanges | null
  environment(): Promise<Environment>
  host: { home: string; dataDir: string; version: string; log: Pick<Log, 'error'> }
}

/** What a window's terminals are started with: profiles, folders, and what agents need to find their servers. */
export function terminalsSurroundings(sources: TerminalSources): TerminalsSurroundings {
  const { folders, settings, profiles, launchers, host } = sources
  return {
    launch: async (profile) => {
      // What the folder holds is known before an agent in it can write.
      if (profile !== 'shell') await sources.changes()?.prepare(longestLook)
      const launch = await profiles.launch(profile, settings.get())
      if (!launch.ok || !launchers?.front) return launch
      const started = wrapped(launch.value, launchers.front, await sources.environment())
      return succeed({ ...started, isShell: profile === 'shell' })
    },
    environment: () => sources.environment(),
    variables: (terminal) => ({
      ...noOuterAgent,
      ...Object.fromEntries(
        sources.dialects().flatMap((dialect) => Object.entries(dialect.variables(terminal))),
      ),
      ...commandVariables(sources),
    }),
    programs: () => launchers?.folder ?? null,
    front: () => launchers?.front ?? null,
    integrate: ({ program, args, isShell }, env) => {
      const isWanted = isShell && settings.get().terminalShellIntegration
      if (!isWanted || !launchers?.front) return { args, env }
      const places = { front: launchers.front, files: shellFilesIn(host.dataDir) }
      return integrateShell(program, { args, env }, places)
    },
    folders: () => folders.paths,
    home: host.home,
    version: host.version,
    report: (error) => host.log.error('terminal fault', { error }),
  }
}

/** A launch of what a wrapper stands for goes through it, as if it had been typed. */
function wrapped(launch: Launch, front: string, env: Environment): Launch {
  const { program } = launch
  const name = basename(program)
  const wrapper = join(front, name)
  // What isn't found first on PATH, such as a path of the person's, is another program.
  const isFirst = findProgram(name, { platform: process.platform, env }) === program
  return isFirst && existsSync(wrapper) ? { ...launch, program: wrapper } : launch
}

/** How a command finds the window that it was typed in, and, unless the person wants another one, their editor. */
function commandVariables({ window, settings, launchers, host }: TerminalSources): Record<string, string> {
  if (!launchers) return {}
  const { editor } = launchers
  return {
    GREENLIGHT_WINDOW: window,
    GREENLIGHT_DATA_DIR: host.dataDir,
    ...(settings.get().terminalEditor ? { EDITOR: editor, VISUAL: editor, GIT_EDITOR: editor } : {}),
  }
}
