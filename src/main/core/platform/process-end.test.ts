import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import hangingProcess from '../../../../test/hanging-process?modulePath'
import { endProcess } from './process-end'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'end-'))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

/** How a process ends that runs these words. */
async function endOf(...words: string[]): Promise<[number | null, NodeJS.Signals | null]> {
  const child = spawn(process.execPath, [hangingProcess, ...words])
  // Only a test that fails comes to this.
  const givenUp = setTimeout(() => child.kill('SIGQUIT'), 10_000)
  try {
    return (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  } finally {
    clearTimeout(givenUp)
  }
}

test.skipIf(process.platform === 'win32')('a file that never answers does not keep the process', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  expect(await endOf(pipe)).toEqual([null, 'SIGKILL'])
})

test('what is being written is written first', async () => {
  const written = join(folder, 'written')
  expect(await endOf('', written)).toEqual([7, null])
  expect(readFileSync(written).length).toBe(64 * 1024)
})

test('a file has what is left of the time for the end', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  vi.spyOn(process, 'getActiveResourcesInfo').mockReturnValue(['FSReqCallback'])
  const begun = performance.now()
  vi.advanceTimersByTime(1000)
  endProcess(() => expect.unreachable(), begun)
  vi.advanceTimersByTime(1700)
  expect(kill).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGKILL')
})
