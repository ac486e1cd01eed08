import { expect, test } from 'vitest'
import type { WriteEntry } from '../../../../shared/contract/write-record'
import { byDay, contentWords, outcomeWords } from './record-days'

const hour = 3_600_000
const noon = new Date(2026, 10, 25, 12).getTime()
const entry = (hoursAgo: number) => ({ id: String(hoursAgo), at: noon - hoursAgo * hour }) as WriteEntry

test('entries stand under their day, in the order they come in', () => {
  const days = byDay([entry(1), entry(11), entry(13), entry(60)], noon)
  expect(days.map(({ label, entries }) => [label, entries.map(({ id }) => id)])).toEqual([
    ['Today', ['1', '11']],
    ['Yesterday', ['13']],
    ['Monday, November 23', ['60']],
  ])
})

test('what is ahead of this clock is of today', () => {
  expect(byDay([entry(-30)], noon)[0]?.label).toBe('Today')
})

test('a file that was put back is said to be as before, not unwritten', () => {
  expect(outcomeWords({ written: 'nothing', how: 'put-back' })).toBe('The file is as it was before.')
  expect(outcomeWords({ written: 'nothing', how: 'rejected' })).toBe('Nothing was written.')
})

test('of content that isn’t kept it says how much it was, and whether it can be put back', () => {
  const known = { written: 'as-proposed', bytesBefore: 9_000_000, bytesAfter: 9_100_000 } as const
  expect(contentWords({ ...known, canUndo: false })).toBe(
    '9.0 MB before, 9.1 MB after. Its content isn’t kept, so it can’t be put back.',
  )
  const plain = 'Its content isn’t kept.'
  expect(contentWords({ written: 'as-proposed', canUndo: true })).toBe(plain)
  expect(contentWords({ written: 'as-proposed', canUndo: false, takenBack: noon })).toBe(plain)
  expect(contentWords({ written: 'nothing', canUndo: false })).toBe(plain)
})
