import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, test, vi } from 'vitest'
import {
  endProcessTree,
  familyOf,
  listProcesses,
  parseLinuxStat,
  parseUnixProcesses,
  parseWindowsProcesses,
} from './process-tree'

const started: ChildProcess[] = []
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** Runs a script as the first of its own session and gives the numbers that it prints. */
async function runScript(script: string, numbers: number): Promise<{ child: ChildProcess; pids: number[] }> {
  const child = spawn('/bin/bash', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  started.push(child)
  const pids: number[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    pids.push(Number(line))
    if (pids.length === numbers) break
  }
  return { child, pids }
}

async function alive(pids: readonly number[]): Promise<number[]> {
  const present = new Set((await listProcesses()).map((entry) => entry.pid))
  return pids.filter((pid) => present.has(pid))
}

test('a whole tree ends, grandchildren and orphans included', async () => {
  const { child, pids } = await runScript(
    'echo $$; sleep 1000 & echo $!; (sleep 1001 & echo $!); bash -c "echo \\$\\$; sleep 1002; true"',
    4,
  )
  const ended = once(child, 'exit')
  expect(await alive(pids)).toEqual(pids)
  await endProcessTree(child.pid ?? 0)
  await ended
  expect(await alive(pids)).toEqual([])
})

test('a program that ignores every polite signal is killed after the grace', async () => {
  const { child, pids } = await runScript('trap "" HUP TERM; echo $$; while :; do sleep 1000; done', 1)
  const ended = once(child, 'exit')
  await endProcessTree(child.pid ?? 0, 300)
  await ended
  expect(child.signalCode).toBe('SIGKILL')
  expect(await alive(pids)).toEqual([])
})

test('a clock that jumps takes no grace from a program', async () => {
  const { child } = await runScript('trap "" HUP; trap "exit 5" TERM; echo $$; sleep 1000', 1)
  const ended = once(child, 'exit')
  vi.useFakeTimers({ toFake: ['Date'] })
  const ending = endProcessTree(child.pid ?? 0, 5000)
  vi.setSystemTime(Date.now() + 3_600_000)
  await ending
  await ended
  expect([child.exitCode, child.signalCode]).toEqual([5, null])
})

test('what was killed is looked at again, even after the app was held', async () => {
  const { child, pids } = await runScript('trap "" HUP TERM; echo $$; while :; do sleep 1000; done', 1)
  const ended = once(child, 'exit')
  vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() - 60_000)
  const { kill } = process
  let isDeaf = true
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (signal === 'SIGCONT') isDeaf = false
    return isDeaf || kill.call(process, pid, signal)
  })
  await endProcessTree(child.pid ?? 0, 300)
  expect(await alive(pids)).toEqual([])
  await ended
})

test('a stopped program hears the hang-up', async () => {
  const { child } = await runScript('echo $$; kill -STOP $$', 1)
  const ended = once(child, 'exit')
  await endProcessTree(child.pid ?? 0, 30_000)
  await ended
  expect(child.signalCode).toBe('SIGHUP')
})

test('ending what has ended already does nothing', async () => {
  const { child } = await runScript('echo $$', 1)
  await once(child, 'close')
  await endProcessTree(child.pid ?? 0)
})

test('names with blanks and parentheses do not confuse the list, and zombies are dead', () => {
  const tail = 'S 10 12 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0'
  expect(parseLinuxStat(`12 (a) (b c) ${tail}`)).toEqual({ pid: 12, parent: 10, session: 7, started: '4711' })
  expect(parseLinuxStat(`12 (a) ${tail.replace('S', 'Z')}`)).toBeNull()
  expect(parseLinuxStat('')).toBeNull()
  expect(parseUnixProcesses('  12  10 S+ Sat Nov 21 10:00:00 2026\n 13 10 Z x\n\n')).toEqual([
    { pid: 12, parent: 10, session: null, started: 'Sat Nov 21 10:00:00 2026' },
  ])
  expect(parseWindowsProcesses('4 0 \r\n12 4 638000\r\nx\r\n')).toEqual([
    { pid: 4, parent: 0, session: null, started: '' },
    { pid: 12, parent: 4, session: null, started: '638000' },
  ])
})

test('a family holds descendants and the session, each once', () => {
  const entry = (pid: number, parent: number, session: number) => ({ pid, parent, session, started: '' })
  const processes = [
    entry(1, 0, 1),
    entry(5, 1, 5),
    entry(6, 5, 5),
    entry(7, 6, 7),
    entry(8, 1, 5),
    entry(9, 1, 9),
  ]
  expect(familyOf(5, processes).map(({ pid }) => pid)).toEqual([5, 6, 7, 8])
})
