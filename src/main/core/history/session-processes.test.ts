import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startOfProcess } from '../platform/process-tree'
import { SessionProcesses } from './session-processes'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'session-processes-'))
  mkdirSync(join(root, 'sessions'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (pid: number, note: object) =>
  writeFileSync(join(root, 'sessions', `${pid}.json`), JSON.stringify({ pid, ...note }))

test('finds the processes of a session that are alive, and follows their notes', async () => {
  const processes = new SessionProcesses([root, join(root, 'none')])
  expect(await processes.in('s')).toEqual([])
  const procStart = (await startOfProcess(process.pid)) ?? ''
  write(process.pid, { sessionId: 's', procStart })
  write(process.ppid, { sessionId: 's' })
  expect(new Set(await processes.in('s'))).toEqual(new Set([process.pid, process.ppid]))
  // After /clear the same process is in another session.
  write(process.ppid, { sessionId: 'another' })
  expect(await processes.in('s')).toEqual([process.pid])
  expect(await processes.in('another')).toEqual([process.ppid])
  rmSync(join(root, 'sessions', `${process.pid}.json`))
  expect(await processes.in('s')).toEqual([])
})

test.runIf(process.platform === 'linux')('a killed process’s note does not count', async () => {
  const processes = new SessionProcesses([root])
  write(process.pid, { sessionId: 's', procStart: '1' })
  write(4_194_300, { sessionId: 's' })
  writeFileSync(join(root, 'sessions', '7.json'), '{"pid":')
  expect(await processes.in('s')).toEqual([])
})
