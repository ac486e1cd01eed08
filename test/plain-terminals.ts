import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Launch } from '../src/main/core/terminal/launch'
import { Terminals } from '../src/main/core/terminal/terminals'
import type { Terminal as TerminalRecord } from '../src/shared/contract/terminals'
import { fail, succeed } from '../src/shared/result'

/** Terminals in a folder of their own whose profiles are scripts of bash. */
export class PlainTerminals {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'terminals-')))
  /** What each profile runs; one without a script is not installed. */
  readonly scripts: Record<string, string> = {}
  /** What is handed to the programs beside the plain environment. */
  variables: Record<string, string | undefined> = {}
  readonly faults: unknown[] = []
  readonly terminals = new Terminals({
    launch: async (profile) => {
      const script = this.scripts[profile]
      if (script === undefined) return fail('missing', 'It is not installed.')
      const launch: Launch = {
        title: profile,
        program: '/bin/bash',
        args: ['--norc', '--noprofile', '-c', script],
      }
      return succeed(launch)
    },
    environment: async () => ({
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LC_ALL: 'C.UTF-8',
      HOME: this.folder,
    }),
    variables: () => this.variables,
    programs: () => null,
    front: () => null,
    integrate: ({ args }, env) => ({ args, env }),
    folders: () => [this.folder],
    home: tmpdir(),
    version: '1.0.0',
    report: (error) => this.faults.push(error),
  })

  /** Opens a terminal with a script as its profile's. */
  async create(script: string, profile = 'Shell', splitOf?: string): Promise<string> {
    this.scripts[profile] = script
    const created = await this.terminals.create({ profile, columns: 80, rows: 24, splitOf })
    if (!created.ok) throw new Error(created.failure.message)
    return created.value.id
  }

  recordOf(id: string): TerminalRecord | undefined {
    return this.terminals.snapshot().find((record) => record.id === id)
  }

  /** Resolves when the list is as wanted. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve()
    return new Promise((resolve) => {
      const listening = this.terminals.onChange(() => {
        if (!condition()) return
        listening.dispose()
        resolve()
      })
    })
  }

  async dispose(): Promise<void> {
    await this.terminals.closeAll(300)
    this.terminals.dispose()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
