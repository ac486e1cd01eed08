import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { outputOf } from './child-process'

/** Where programs are looked up: the platform's rules and the environment with PATH (and PATHEXT). */
export interface ProgramPlace {
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
}

/**
 * The file that a command names, or null. A command with a separator is a path (`~/` is the home folder); a bare name
 * is looked up in PATH's absolute folders, on Windows with each ending in PATHEXT.
 */
export function findProgram(command: string, place: ProgramPlace): string | null {
  for (const candidate of programCandidates(command, place)) {
    if (isExecutable(candidate, place.platform)) return candidate
  }
  return null
}

/** Every file that `findProgram` would try, in order. */
export function programCandidates(command: string, place: ProgramPlace): string[] {
  const path = place.platform === 'win32' ? win32 : posix
  const plain = /^~[/\\]/.test(command) ? path.join(homeOf(place), command.slice(2)) : command
  if (plain === '') return []
  const named = plain.includes('/') || (place.platform === 'win32' && plain.includes('\\'))
  const folders = named ? [''] : searchPathOf(place.env).split(path.delimiter)
  return folders
    .filter((folder) => named || path.isAbsolute(folder))
    .flatMap((folder) =>
      endingsOf(plain, place).map((ending) => (named ? plain : path.join(folder, plain)) + ending),
    )
}

/** PATH under the name that the environment uses; Windows has `Path`. */
export function searchPathOf(env: Record<string, string | undefined>): string {
  return env.PATH ?? env.Path ?? env.path ?? ''
}

/**
 * A program with its arguments as the system can start it: on Windows a batch file has to run in the command
 * interpreter.
 */
export function startable(
  program: string,
  args: readonly string[],
  place: ProgramPlace,
): { program: string; args: string[] } {
  if (place.platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(program)) return { program, args: [...args] }
  const interpreter = place.env.ComSpec ?? place.env.COMSPEC ?? 'cmd.exe'
  return { program: interpreter, args: ['/d', '/c', program, ...args] }
}

/**
 * PATH as the person's login shell sets it, for an app started from a desktop, which has not read the shell's profile.
 * Null if the shell doesn't answer within `timeoutMs` or says nothing usable.
 */
export async function searchPathOfLoginShell(
  shell: string,
  env: Record<string, string | undefined>,
  timeoutMs = 5000,
): Promise<string | null> {
  const mark = '--greenlight-environment--'
  const script = `echo ${mark}; /usr/bin/env; echo ${mark}`
  const options = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 4 << 20 } as const
  const { output } = await outputOf(shell, ['-l', '-i', '-c', script], {
    env: { ...env, TERM: 'dumb' },
    ...options,
  })
  return searchPathIn(output, mark)
}

/** PATH in the output of `env` between two marks; what the profile itself prints is outside them. */
export function searchPathIn(output: string, mark: string): string | null {
  const between = output.split(`${mark}\n`)[1]
  const line = between?.split('\n').find((text) => text.startsWith('PATH='))
  return line?.slice('PATH='.length) || null
}

/**
 * Whether this process was started from a desktop instead of a terminal, so that its PATH may lack what the login shell
 * adds.
 */
export function isStartedFromDesktop(place: ProgramPlace): boolean {
  return place.platform !== 'win32' && !place.env.TERM && !place.env.SHLVL
}

/** Joins two search paths: all of the first, then what only the second has. */
export function joinSearchPaths(first: string, second: string, platform: NodeJS.Platform): string {
  const delimiter = platform === 'win32' ? ';' : ':'
  return [...new Set([...first.split(delimiter), ...second.split(delimiter)])].filter(Boolean).join(delimiter)
}

function endingsOf(command: string, place: ProgramPlace): string[] {
  if (place.platform !== 'win32') return ['']
  const known = (place.env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean)
  const has = known.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()))
  return has ? [''] : known.map((ending) => ending.toLowerCase())
}

function homeOf(place: ProgramPlace): string {
  return (place.platform === 'win32' ? place.env.USERPROFILE : place.env.HOME) ?? homedir()
}

function isExecutable(path: string, platform: NodeJS.Platform): boolean {
  try {
    if (!statSync(path).isFile()) return false
    accessSync(path, platform === 'win32' ? constants.F_OK : constants.X_OK)
    return true
  } catch {
    return false
  }
}
