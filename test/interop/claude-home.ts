import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A home of a test's own, in which the command line asks nothing before its first prompt. */
export interface ClaudeHome {
  /** The temporary folder that holds everything below; removed by `remove`. */
  root: string
  /** HOME of the program under test. */
  home: string
  /** CLAUDE_CONFIG_DIR of the program under test. */
  config: string
  /** The project folder, as its real path. */
  project: string
  /** The environment to start the program, or the app that starts it, with: nothing of this process's but PATH and the like. */
  env: Record<string, string>
  /** Trusts another folder, so that the program does not ask there. */
  trust(folder: string): Promise<void>
  remove(): Promise<void>
}

const key = 'sk-test-0123456789abcdefghijklmnopqrstuvwxyz'

/**
 * Makes a home for Claude Code that talks to `apiUrl` and nothing else, with an empty project folder. With
 * `separateConfig` the configuration is not at `~/.claude`, so that both places of lock files are used.
 */
export async function makeClaudeHome(
  apiUrl: string,
  options: { separateConfig?: boolean; settings?: Record<string, unknown> } = {},
): Promise<ClaudeHome> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-interop-')))
  const home = join(root, 'home')
  const config = options.separateConfig === true ? join(root, 'config') : join(home, '.claude')
  const project = join(root, 'project')
  for (const folder of [home, config, project]) await mkdir(folder, { recursive: true })

  // With CLAUDE_CONFIG_DIR set, the state file is inside it.
  const stateFile = join(config, '.claude.json')
  const trusted: Record<string, unknown> = {}
  const writeState = (): Promise<void> =>
    writeFile(
      stateFile,
      JSON.stringify({
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
        projects: trusted,
      }),
      { mode: 0o600 },
    )
  trusted[project] = { hasTrustDialogAccepted: true }
  await writeState()
  if (options.settings) await writeFile(join(config, 'settings.json'), JSON.stringify(options.settings))

  const env: Record<string, string> = {
    HOME: home,
    CLAUDE_CONFIG_DIR: config,
    ANTHROPIC_BASE_URL: apiUrl,
    ANTHROPIC_API_KEY: key,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    NO_PROXY: '127.0.0.1,localhost',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  }
  for (const name of ['PATH', 'TMPDIR', 'SHELL', 'USER', 'LOGNAME']) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }

  return {
    root,
    home,
    config,
    project,
    env,
    async trust(folder) {
      const path = await realpath(folder)
      const state = JSON.parse(await readFile(stateFile, 'utf8')) as { projects?: Record<string, unknown> }
      state.projects = { ...state.projects, [path]: { hasTrustDialogAccepted: true } }
      await writeFile(stateFile, JSON.stringify(state), { mode: 0o600 })
    },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}
