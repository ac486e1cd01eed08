import type { Environment } from './environment'
import { isStartedFromDesktop, joinSearchPaths, searchPathOf, searchPathOfLoginShell } from './programs'

/**
 * The environment that the person's programs are searched and started with: this process's own, and where the app was
 * started from a desktop, with what the login shell adds to PATH.
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
