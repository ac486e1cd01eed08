import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Result, fail, succeed } from '../../shared/result'
import { handOver } from '../core/platform/hand-over-client'
import { listenForHandOver } from '../core/platform/hand-over-server'
import { startOrHandOver } from './second-start'

const inUse = fail('in-use', 'It is in use.')

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'greenlight-second-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function startFrom(results: Result<string>[], patience = 20_000) {
  const tries: string[] = []
  const outcome = startOrHandOver({
    start: () => {
      tries.push('start')
      return Promise.resolve(results.shift() ?? inUse)
    },
    handOver: () => {
      tries.push('ask')
      return handOver(directory, { folders: ['/asked'] })
    },
    patience,
    glance: 1,
  })
  return { tries, outcome }
}

test('an owner that ends is waited for, and its directory taken', async () => {
  const { tries, outcome } = startFrom([inUse, inUse, succeed('running')])
  expect(await outcome).toEqual({ kind: 'started', value: 'running' })
  expect(tries).toEqual(['start', 'ask', 'start', 'ask', 'start'])
})

test('an owner that begins is asked as soon as it listens', async () => {
  const opened: string[] = []
  const { tries, outcome } = startFrom([])
  await expect.poll(() => tries.length).toBeGreaterThan(4)
  const listening = await listenForHandOver(directory, {
    open: ({ folders }) => {
      opened.push(...folders)
      return Promise.resolve(succeed({ pid: 7, ready: null }))
    },
    edit: () => Promise.resolve(fail('none', 'None.')),
    compare: () => Promise.resolve(fail('none', 'None.')),
    outside: () => Promise.resolve(fail('none', 'None.')),
    run: () => Promise.resolve(0),
  })
  expect(await outcome).toEqual({ kind: 'handed', answer: { pid: 7, ready: null } })
  expect(opened).toEqual(['/asked'])
  listening.dispose()
})

test('what fails for another reason, or is never answered, is told', async () => {
  const broken = fail('no-lock', 'The directory cannot be written.')
  expect(await startFrom([broken]).outcome).toEqual({ kind: 'failed', failure: broken.failure })
  const { tries, outcome } = startFrom([], 0)
  expect(await outcome).toEqual({ kind: 'failed', failure: inUse.failure })
  expect(tries).toEqual(['start', 'ask'])
})
