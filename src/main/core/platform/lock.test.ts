import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive, lockDataDirectory, startOf } from './lock'

let directory: string
let children: ChildProcess[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'greenlight-lock-'))
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(directory, { recursive: true })
})

async function otherProcess(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  children.push(child)
  await once(child, 'spawn')
  return child as ChildProcess & { pid: number }
}

const claim = (owner: unknown) => writeFileSync(join(directory, 'lock'), JSON.stringify(owner))

test('the first one gets the directory, a second one is told who has it', () => {
  const first = lockDataDirectory(directory)
  expect(first.ok).toBe(true)
  const second = lockDataDirectory(directory)
  expect(second).toMatchObject({ ok: false, failure: { code: 'in-use', pid: process.pid } })
})

test('after its release the directory is free and nothing of the lock is left', () => {
  const first = lockDataDirectory(directory)
  if (first.ok) first.value.dispose()
  expect(readdirSync(directory)).toEqual([])
  expect(lockDataDirectory(directory).ok).toBe(true)
})

test('a live other process keeps it', async () => {
  const other = await otherProcess()
  claim({ pid: other.pid, started: startOf(other.pid) })
  expect(lockDataDirectory(directory)).toMatchObject({ ok: false, failure: { pid: other.pid } })
})

test('a dead process loses it', async () => {
  const other = await otherProcess()
  claim({ pid: other.pid, started: startOf(other.pid) })
  other.kill('SIGKILL')
  await once(other, 'exit')
  expect(lockDataDirectory(directory).ok).toBe(true)
  expect(JSON.parse(readFileSync(join(directory, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid })
})

test('a later process with the number of a dead one does not keep it', async (context) => {
  context.skip(process.platform === 'win32', 'not on Windows')
  const other = await otherProcess()
  claim({ pid: other.pid, started: 'another time' })
  expect(lockDataDirectory(directory).ok).toBe(true)
})

test('a lock that nobody can read is taken over', () => {
  writeFileSync(join(directory, 'lock'), '{"pid":')
  expect(lockDataDirectory(directory).ok).toBe(true)
})

test('a takeover whose process died does not block the next one', () => {
  claim({ pid: 2 ** 22 + 1, started: '' })
  writeFileSync(join(directory, 'lock.takeover'), JSON.stringify({ pid: 2 ** 22 + 1, started: '' }))
  expect(lockDataDirectory(directory).ok).toBe(true)
  expect(readdirSync(directory)).toEqual(['lock'])
})

test('a directory that is not there is a failure with a next step', () => {
  const failed = lockDataDirectory(join(directory, 'missing'))
  expect(failed).toMatchObject({ ok: false, failure: { code: 'no-lock' } })
})

test('this process is alive', () => {
  expect(isAlive({ pid: process.pid, started: startOf(process.pid) ?? '' })).toBe(true)
})

test('a folder in the place of the lock is named, with what to do', () => {
  mkdirSync(join(directory, 'lock'))
  expect(lockDataDirectory(directory)).toMatchObject({
    ok: false,
    failure: {
      code: 'no-lock',
      message: expect.stringContaining(`${join(directory, 'lock')} isn’t a file`) as string,
    },
  })
})
