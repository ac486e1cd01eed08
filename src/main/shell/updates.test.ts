import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Updates, type UpdatesParts } from './updates'

let done: string[]
let newest: string | null
let answers: boolean[]
let wanted: boolean
let updates: Updates

function begin(changes: Partial<UpdatesParts['updater']> = {}) {
  updates = new Updates({
    updater: {
      look: () => (done.push('look'), Promise.resolve(newest)),
      fetch: () => (done.push('fetch'), Promise.resolve()),
      install: () => void done.push('install'),
      ...changes,
    },
    isWanted: () => wanted,
    ask: ({ message }) => (done.push(message), Promise.resolve(answers.shift() ?? false)),
    tell: ({ message }) => void done.push(message),
    report: (error) => void done.push(String(error)),
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  done = []
  newest = '9.0.0'
  answers = []
  wanted = true
})
afterEach(() => {
  updates.dispose()
  vi.useRealTimers()
})

const fetchIt = 'Greenlight 9.0.0 is there. Fetch it?'
const installIt = 'Greenlight 9.0.0 is fetched. Install it now?'

test('asks before it fetches, and again before it installs', async () => {
  begin()
  answers = [true, true]
  await updates.look()
  expect(done).toEqual(['look', fetchIt, 'fetch', installIt, 'install'])
})

test('without a yes nothing is fetched, and the same version is not asked about again', async () => {
  begin()
  await updates.look()
  await updates.look()
  expect(done).toEqual(['look', fetchIt, 'look'])
  newest = '9.0.1'
  answers = [true, false]
  await updates.look()
  expect(done.slice(3)).toEqual([
    'look',
    'Greenlight 9.0.1 is there. Fetch it?',
    'fetch',
    'Greenlight 9.0.1 is fetched. Install it now?',
  ])
})

test('what the person has said yes to and cannot be is told, a failed look is not', async () => {
  begin({ look: () => Promise.reject(new Error('no network')) })
  await updates.look()
  expect(done).toEqual(['Error: no network'])
  updates.dispose()
  done = []
  answers = [true]
  begin({ fetch: () => Promise.reject(new Error('cut')) })
  await updates.look()
  expect(done.slice(2)).toEqual(['Error: cut', 'Greenlight 9.0.0 couldn’t be downloaded.'])
  updates.dispose()
  done = []
  answers = [true, true, true, true]
  const install = () => {
    throw new Error('read-only')
  }
  begin({ install })
  await updates.look()
  expect(done.slice(4)).toEqual(['Error: read-only', 'Greenlight 9.0.0 couldn’t be installed.'])
})

test('looks a minute after the start and then once a day, and never where it is switched off', async () => {
  begin()
  newest = null
  await vi.advanceTimersByTimeAsync(59_000)
  expect(done).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(done).toEqual(['look'])
  await vi.advanceTimersByTimeAsync(24 * 60 * 60_000)
  expect(done).toEqual(['look', 'look'])
  wanted = false
  await vi.advanceTimersByTimeAsync(3 * 24 * 60 * 60_000)
  expect(done).toHaveLength(2)
  wanted = true
  updates.dispose()
  await vi.advanceTimersByTimeAsync(3 * 24 * 60 * 60_000)
  expect(done).toHaveLength(2)
})

test('what goes wrong is for the log', async () => {
  begin({ look: () => Promise.reject(new Error('no such server')) })
  await updates.look()
  expect(done).toEqual(['Error: no such server'])
})
