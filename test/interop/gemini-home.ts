import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A home of a test's own, in which Gemini CLI and Qwen Code ask nothing before their first prompt. */
export interface GeminiHome {
  /** The temporary folder that holds everything below; removed by `remove`. */
  root: string
  /** HOME of the program under test. */
  home: string
  /** The folder for temporary files of the program under test, where discovery files are. */
  temporary: string
  /** The project folder, as its real path. */
  project: string
  /** The environment to start the program, or the app that starts it, with: nothing of this process's but PATH and the like. */
  env: Record<string, string>
  remove(): Promise<void>
}

/** Makes a home whose command lines talk to `apiUrl` and nothing else, with an empty project folder. */
export async function makeGeminiHome(apiUrl: string): Promise<GeminiHome> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-interop-')))
  const home = join(root, 'home')
  const temporary = join(root, 'tmp')
  const project = join(root, 'project')
  for (const folder of [join(home, '.gemini'), join(home, '.qwen'), temporary, project]) {
    await mkdir(folder, { recursive: true })
  }
  const common = {
    ide: { enabled: true, hasSeenNudge: true },
    general: { enableAutoUpdate: false, disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  }
  const geminiSettings = {
    ...common,
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    ui: { hideTips: true, hideBanner: true },
  }
  const qwenSettings = { ...common, security: { auth: { selectedType: 'openai' } } }
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(geminiSettings))
  await writeFile(join(home, '.qwen', 'settings.json'), JSON.stringify(qwenSettings))

  const env: Record<string, string> = {
    HOME: home,
    TMPDIR: temporary,
    GEMINI_API_KEY: 'test-key',
    GOOGLE_GEMINI_BASE_URL: apiUrl,
    // One that is named is used without asking a model which one to use.
    GEMINI_MODEL: 'gemini-2.5-flash',
    OPENAI_API_KEY: 'test-key',
    OPENAI_BASE_URL: `${apiUrl}/v1`,
    OPENAI_MODEL: 'scripted',
    NO_PROXY: '127.0.0.1,localhost',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    SHELL: '/bin/sh',
  }
  for (const name of ['PATH', 'USER', 'LOGNAME']) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return {
    root,
    home,
    temporary,
    project,
    env,
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}
