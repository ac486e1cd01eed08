import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const built = join(root, 'out', 'main', 'headless.js')

/** What the app prints when all of it listens. */
export interface Ready {
  ready: true
  url: string
  pid: number
  workspace: string[]
  claudeIde?: { port: number; lockFiles: string[] }
  hooks?: { port: number; plugin: string }
}

/** A program's end. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** Folders of a test's own: a home, a data directory, a project. Everything in them goes with `dispose`. */
export class Place {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-e2e-')))
  readonly home = join(this.base, 'home')
  readonly data = join(this.base, 'data')
  readonly project = join(this.base, 'project')
  /** Further variables of whatever is started. */
  readonly variables: Record<string, string> = {}
  readonly #running = new Set<RunningHost>()
  readonly #built: string

  /** `host`: the built script that is started. */
  constructor(host: string = built) {
    this.#built = host
    mkdirSync(this.home)
    mkdirSync(this.project)
    writeFileSync(join(this.project, 'hello.txt'), 'hello\n')
  }

  /** The environment of a machine where nothing is set up: no agent's folder, no display. */
  env(more: Record<string, string> = {}): Record<string, string> {
    const kept = ['PATH', 'LANG', 'TERM', 'SystemRoot'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value] as const]
    })
    return { ...Object.fromEntries(kept), HOME: this.home, SHELL: '/bin/sh', ...this.variables, ...more }
  }

  /** Starts the built host with these words, by another program if need be; what it answers first is its ready line. */
  async start(
    words: readonly string[] = [this.project, '--headless', '--data-dir', this.data],
    by: readonly string[] = [],
  ): Promise<RunningHost> {
    const [program = '', ...args] = [...by, process.execPath, this.#built, ...words]
    const host = new RunningHost(spawn(program, args, { cwd: this.base, env: this.env() }))
    this.#running.add(host)
    await host.ready()
    return host
  }

  /** Runs the built host to its end. */
  run(words: readonly string[], cwd: string = this.base): Promise<Ended> {
    return new RunningHost(spawn(process.execPath, [this.#built, ...words], { cwd, env: this.env() })).ended
  }

  async dispose(): Promise<void> {
    for (const host of this.#running) {
      host.process.kill('SIGKILL')
      await host.ended
    }
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A running host as a script sees it. */
export class RunningHost {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  stdout = ''
  stderr = ''

  constructor(child: ChildProcess) {
    this.process = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) =>
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }),
      )
    })
  }

  /** The first line on stdout. Rejects where the program ends without one. */
  ready(): Promise<Ready> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const end = this.stdout.indexOf('\n')
        if (end < 0) return
        this.process.stdout?.off('data', look)
        resolve(JSON.parse(this.stdout.slice(0, end)) as Ready)
      }
      this.process.stdout?.on('data', look)
      look()
      void this.ended.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)))
    })
  }

  /** Ends it as a terminal or a service manager does, and gives its end and how long that took in milliseconds. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended & { took: number }> {
    const begun = Date.now()
    this.process.kill(signal)
    return { ...(await this.ended), took: Date.now() - begun }
  }
}
