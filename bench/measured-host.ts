import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Starts the built app for browsers on a folder, with a home, a folder of data and a Claude Code folder of its own. */
export function startHost(
  home: string,
  project: string,
  data: string,
  claudeFolder: string = join(home, 'claude'),
  more: NodeJS.ProcessEnv = {},
): ChildProcess {
  const words = [join('out', 'main', 'headless.js'), project, '--headless', '--data-dir', data]
  return spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOME: home, TMPDIR: home, CLAUDE_CONFIG_DIR: claudeFolder, ...more },
  })
}

/** Resident memory of a process in MB. Linux alone tells. */
export function residentMemory(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** Processor time that a process has used so far, in milliseconds. Linux alone tells, in steps of 10 ms. */
export function processorTime(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The ready line of a host that was just started; rejects when it ends before. */
export function readReady<Ready>(host: ChildProcess): Promise<Ready> {
  return new Promise((resolve, reject) => {
    let text = ''
    host.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      const end = text.indexOf('\n')
      if (end >= 0) resolve(JSON.parse(text.slice(0, end)) as Ready)
    })
    host.once('exit', (code) => reject(new Error(`the host ended with ${code}`)))
  })
}

/** A host with nothing but what agents connect to, measured from outside. */
export interface AgentHost {
  host: ChildProcess
  /** The server of each dialect. */
  claude: { port: number; token: string }
  gemini: { port: number; token: string }
  end(): Promise<void>
}

/** Starts a host on an empty folder. */
export async function startAgentHost(): Promise<AgentHost> {
  const base = mkdtempSync(join(tmpdir(), 'greenlight-bench-'))
  mkdirSync(join(base, 'project'))
  const host = startHost(base, join(base, 'project'), join(base, 'data'))
  const { claudeIde, gemini } = await readReady<{
    claudeIde: { port: number; lockFiles: string[] }
    gemini: { port: number; discoveryFiles: string[] }
  }>(host)
  return {
    host,
    claude: { port: claudeIde.port, token: readToken(claudeIde.lockFiles[0]) },
    gemini: { port: gemini.port, token: readToken(gemini.discoveryFiles[0]) },
    async end() {
      await endHost(host)
      rmSync(base, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function readToken(path = ''): string {
  return (JSON.parse(readFileSync(path, 'utf8')) as { authToken: string }).authToken
}

/** The address in the ready line. */
export async function readUrl(host: ChildProcess): Promise<string> {
  return (await readReady<{ url: string }>(host)).url
}

/** Ends a host; resolves when it is gone and its output is read. */
export async function endHost(host: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => host.once('close', resolve))
  host.kill('SIGTERM')
  await ended
}
