import { chmodSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { type Result, fail, succeed } from '../../../shared/result'

/** The facts about a process that decide where its data is. */
export interface Surroundings {
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
  home: string
}

/** The surroundings of this process; HOME wins over the user database, as usual on Unix. */
export function surroundingsOfProcess(): Surroundings {
  return { platform: process.platform, env: process.env, home: homedir() }
}

/**
 * Where settings, journal and logs are without --data-dir: the platform's application-data folder, the same for every
 * host. A relative XDG_CONFIG_HOME is ignored, as the XDG base directory specification requires.
 */
export function defaultDataDirectory(surroundings: Surroundings): string {
  const { env, home } = surroundings
  switch (surroundings.platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Greenlight')
    case 'win32':
      return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Greenlight')
    default: {
      const config = env.XDG_CONFIG_HOME
      return join(config && isAbsolute(config) ? config : join(home, '.config'), 'greenlight')
    }
  }
}

/**
 * Creates a data directory, by default this process's own, that only its owner can read (0700, even if it existed) and
 * returns its absolute path. Fails as `no-data-directory` if it can't be created or is not a folder.
 */
export function prepareDataDirectory(path?: string | null): Result<string> {
  const directory = resolve(path ?? defaultDataDirectory(surroundingsOfProcess()))
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    chmodSync(directory, 0o700)
    return succeed(directory)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    return fail(
      'no-data-directory',
      `Can’t use the data directory ${directory} (${reason}). Choose another one with --data-dir.`,
    )
  }
}

/** The file in a data directory that says where its owner listens for later starts. */
export function handOverFile(dataDirectory: string): string {
  return join(dataDirectory, 'hand-over.json')
}
