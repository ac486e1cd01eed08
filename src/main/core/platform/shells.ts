import { userInfo } from 'node:os'
import { basename } from 'node:path'

/** A shell to start in a terminal. */
export interface ShellProgram {
  program: string
  args: readonly string[]
}

/** What decides which shell a person has. `exists` says whether a program can be run; names are looked up on PATH. */
export interface ShellQuestion {
  /** The person's own setting; '' if there is none. */
  setting: string
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
  /** The shell in the user database; null if there is none (Windows, a user without an entry). */
  userShell: string | null
  exists(program: string): boolean
}

/**
 * The person's shell: the setting, then $SHELL, then the user database, then the platform's usual ones. A candidate
 * that can't be run is skipped, so that a setting from another machine doesn't leave a person without a shell.
 */
export function chooseShell(question: ShellQuestion): ShellProgram {
  const { platform, env } = question
  const candidates =
    platform === 'win32'
      ? [question.setting, 'pwsh.exe', 'powershell.exe', env.ComSpec ?? env.COMSPEC, 'cmd.exe']
      : [
          question.setting,
          env.SHELL,
          question.userShell,
          ...(platform === 'darwin' ? ['/bin/zsh'] : []),
          '/bin/bash',
          '/bin/sh',
        ]
  for (const candidate of candidates) {
    if (!candidate || isNoShell(candidate) || !question.exists(candidate)) continue
    return { program: candidate, args: argumentsOf(candidate, platform) }
  }
  return { program: platform === 'win32' ? 'cmd.exe' : '/bin/sh', args: [] }
}

/** The shell that the user database has for this process's user; null if it has none. */
export function shellOfUser(): string | null {
  try {
    return userInfo().shell || null
  } catch {
    return null
  }
}

/** Accounts without a login have one of these in the user database; they end immediately. */
function isNoShell(program: string): boolean {
  return ['nologin', 'false'].includes(basename(program))
}

/**
 * On macOS terminals start login shells: only these read the profile that sets PATH. On Linux the desktop's session has
 * read it already.
 */
function argumentsOf(program: string, platform: NodeJS.Platform): readonly string[] {
  if (platform !== 'darwin') return []
  return ['zsh', 'bash', 'fish', 'sh', 'ksh', 'tcsh'].includes(basename(program)) ? ['-l'] : []
}
