import { beforeEach, expect, it } from 'vitest'
import { WorkSigns, echoTime } from './work-signs'

let now: number
let work: WorkSigns

beforeEach(() => {
  now = 1_000_000
  work = new WorkSigns(() => now)
  work.start()
})

it('is silent from its start to its first output', () => {
  expect(work.signs).toEqual({ workedAt: null, typedAt: undefined, silentSince: 'start' })
  work.putOut()
  expect(work.signs).toEqual({ workedAt: now, typedAt: undefined, silentSince: undefined })
  now += 1
  work.start()
  expect(work.signs.silentSince).toBe('start')
})

it('takes what comes right after typing for its echo', () => {
  work.putOut()
  now += 5000
  work.type('a')
  const typedAt = now
  now += echoTime
  work.putOut()
  expect(work.signs).toEqual({ workedAt: typedAt - 5000, typedAt, silentSince: undefined })
  now += 1
  work.putOut()
  expect(work.signs).toEqual({ workedAt: now, typedAt, silentSince: undefined })
})

it('is silent from a line that it was given to the next output of its own', () => {
  work.putOut()
  work.type('go\r')
  work.putOut()
  expect(work.signs.silentSince).toBe('line')
  now += echoTime + 1
  work.putOut()
  expect(work.signs.silentSince).toBeUndefined()
})

it('is given no line by what is pasted and not sent', () => {
  work.putOut()
  work.type('\x1b[200~one\rtwo\x1b[201~')
  expect(work.signs.silentSince).toBeUndefined()
  work.type('\x1b[200~one\rtwo\x1b[201~\r')
  expect(work.signs.silentSince).toBe('line')
})

it('does not work by drawing itself anew in another size', () => {
  work.resize()
  work.putOut()
  expect(work.signs).toMatchObject({ workedAt: now, silentSince: undefined })
  const workedAt = now
  now += 5000
  work.resize()
  now += echoTime
  work.putOut()
  expect(work.signs.workedAt).toBe(workedAt)
})
