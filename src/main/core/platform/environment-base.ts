import type { Environment } from './environment'
import { isStartedFromDesktop, joinSearchPaths, searchPathOf, searchPathOfLoginShell } from './programs'

/**
 * The environment in which the person's programs are found and started: this process's own and, if the app was started
 * from a desktop, with what the login shell adds to PATH.
 */
export async function readBaseEnvironment(
  shell: string,
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<Environment> {
  if (!isStartedFromDesktop({ platform, env })) return { ...env }
  const login = await searchPathOfLoginShell(shell, env)
  return login === null ? { ...env } : { ...env, PATH: joinSearchPaths(login, searchPathOf(env), platform) }
}
