import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { workOfProcess } from './process-work'

let folder: string
let end: (() => Promise<void>)[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-work-'))
  end = []
})
afterEach(async () => {
  for (const each of end) await each()
  await rm(folder, { recursive: true, force: true })
})

function run(program: string, ...args: string[]): number {
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore', detached: true })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const { pid } = child
  if (pid === undefined) throw new Error('not started')
  end.push(async () => {
    if (child.exitCode === null) process.kill(-pid, 'SIGKILL')
    await gone
  })
  return pid
}

describe('what a process does', () => {
  beforeEach((context) => context.skip(process.platform !== 'linux', 'Linux only'))

  it('is its processor time', async () => {
    const pid = run(process.execPath, '-e', 'for (;;);')
    await expect
      .poll(async () => (await workOfProcess(pid))?.processor, { timeout: 10_000 })
      .toBeGreaterThan(100)
  })

  it('is also what those have written that came from it, also when they have ended', async () => {
    const pid = run('/bin/sh', '-c', "sh -c 'printf 12345 > a; exec sleep 60' & sh -c 'printf 123 > b'; wait")
    await expect
      .poll(async () => (await workOfProcess(pid))?.written, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(8)
  })

  it('is nothing of one that is gone', async () => {
    const pid = run('/bin/true')
    await end.pop()?.()
    expect(await workOfProcess(pid)).toBeNull()
  })
})
