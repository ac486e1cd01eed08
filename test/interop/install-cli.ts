import { spawn } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The version all of docs/protocols/claude-code.md was measured with. */
export const claudeCodeVersion = '2.1.330'
/** One that still takes any `--sdk-url`. */
export const sdkUrlClaudeVersion = '2.1.39'

/** Where a program under test is, or why there is none here and the tests that need it are skipped. */
export type InstalledCli = { path: string; version: string } | { skipped: string }

/**
 * What npm prints when the registry cannot be reached or refuses everything: a reason to skip. A package or a version that
 * it does not have (E404, ETARGET) is a broken pin, and fails.
 */
const outOfReach =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E403|E407|E5\d\d)\b/

/** How long npm may say nothing before it is given up, in milliseconds. */
const silenceLimit = 120_000

const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** The versions that docs/protocols/gemini-companion.md was measured with. */
export const geminiCliVersion = '0.61.0'
export const qwenCodeVersion = '0.15.10'

interface Options {
  version?: string
  cache?: string
}

/** A package of npm with a program in it. */
interface Wanted {
  name: string
  version: string
  /** The folder in the cache. */
  folder: string
  /** The program, from `node_modules` on. */
  program: readonly string[]
}

/**
 * Installs Claude Code's command line from npm into `cache`, outside the product's own dependencies, and gives the
 * path of its native program. No script of the package runs. What is there already is used again. Safe to call from
 * several processes at once: each installs beside and the first rename wins.
 */
export async function installClaudeCode(options: Options = {}): Promise<InstalledCli> {
  const platform = platformPackage()
  if (platform === undefined) {
    return { skipped: `Claude Code is not published for ${process.platform} on ${process.arch}.` }
  }
  const version = options.version ?? claudeCodeVersion
  const program = [...platform.split('/'), programName()]
  const folder = `claude-code-${version}`
  return install({ name: '@anthropic-ai/claude-code', version, folder, program }, options.cache)
}

/** The same for the Claude Code that takes any `--sdk-url`; its program is a script for Node. */
export function installSdkUrlClaude(options: Options = {}): Promise<InstalledCli> {
  const version = options.version ?? sdkUrlClaudeVersion
  const name = '@anthropic-ai/claude-code'
  const program = [...name.split('/'), 'cli.js']
  return install({ name, version, folder: `claude-code-${version}`, program }, options.cache)
}

/** The same for Gemini CLI; its program is a script for Node. */
export function installGeminiCli(options: Options = {}): Promise<InstalledCli> {
  const version = options.version ?? geminiCliVersion
  const name = '@google/gemini-cli'
  const program = [...name.split('/'), 'bundle', 'gemini.js']
  return install({ name, version, folder: `gemini-cli-${version}`, program }, options.cache)
}

/** The same for Qwen Code; its program is a script for Node. */
export function installQwenCode(options: Options = {}): Promise<InstalledCli> {
  const version = options.version ?? qwenCodeVersion
  const name = '@qwen-code/qwen-code'
  const program = [...name.split('/'), 'cli.js']
  return install({ name, version, folder: `qwen-code-${version}`, program }, options.cache)
}

async function install(wanted: Wanted, cacheFolder: string | undefined): Promise<InstalledCli> {
  const { name, version, folder, program } = wanted
  const cache = cacheFolder ?? join(repository, '.cache', 'interop')
  const home = join(cache, folder)
  const path = join(home, 'node_modules', ...program)
  if (await isThere(path)) return { path, version }

  await mkdir(cache, { recursive: true })
  const staging = await mkdtemp(join(cache, 'installing-'))
  try {
    await writeFile(join(staging, 'package.json'), JSON.stringify({ name: 'interop-cli', private: true }))
    const run = await runNpm(staging, `${name}@${version}`)
    if (run.code !== 0) {
      if (run.silent || outOfReach.test(run.output)) {
        return { skipped: `The npm registry did not give ${name}@${version}.` }
      }
      throw new Error(`npm could not install ${name}@${version}:\n${run.output.slice(-4000)}`)
    }
    if (!(await isThere(join(staging, 'node_modules', ...program)))) {
      throw new Error(`npm installed ${name}@${version} without its program, ${program.join('/')}.`)
    }
    await rename(staging, home).catch(async (error: unknown) => {
      // Another process was first, or an older try left a folder without the program.
      if (await isThere(path)) return
      await rm(home, { recursive: true, force: true })
      await rename(staging, home).catch(() => {
        throw error
      })
    })
    if (!(await isThere(path))) throw new Error(`${path} is not there.`)
    return { path, version }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

function programName(): string {
  return process.platform === 'win32' ? 'claude.exe' : 'claude'
}

function platformPackage(): string | undefined {
  const { platform, arch } = process
  if (!['linux', 'darwin', 'win32'].includes(platform) || !['x64', 'arm64'].includes(arch)) return undefined
  return `@anthropic-ai/claude-code-${platform}-${arch}${platform === 'linux' && usesMusl() ? '-musl' : ''}`
}

function usesMusl(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime === undefined
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function runNpm(folder: string, wanted: string): Promise<{ code: number; output: string; silent: boolean }> {
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--loglevel=http',
  ]
  args.push('--fetch-retries=1', '--fetch-timeout=60000', wanted)
  return new Promise((resolve, reject) => {
    const child = spawn(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    let silent = false
    const giveUp = (): void => {
      silent = true
      child.kill('SIGTERM')
    }
    let timer = setTimeout(giveUp, silenceLimit)
    const take = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-64_000)
      clearTimeout(timer)
      timer = setTimeout(giveUp, silenceLimit)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code: code ?? 1, output, silent })
    })
  })
}
