import { expect, test } from 'vitest'
import { cutText } from './cut-text'
import { isPictureData } from './picture-data'
import { formatCost, formatTokens } from '../../../ui/wording/number-format'
import { describeTurn, formatSpan } from './turn-words'

test('what a turn took is said in few signs', () => {
  expect([840, 12_340, 99_960, 999_600, 4_100_000].map(formatTokens)).toEqual([
    '840',
    '12.3k',
    '100k',
    '1M',
    '4.1M',
  ])
  expect([0, 0.004, 0.4312, 12, 1234].map(formatCost)).toEqual([
    '$0',
    '<$0.01',
    '$0.43',
    '$12.00',
    '$1\u202f234',
  ])
  expect([400, 12_000, 59_700, 200_000, 7_500_000].map(formatSpan)).toEqual([
    '0.4 s',
    '12 s',
    '1 min',
    '3 min 20 s',
    '2 h 5 min',
  ])
  const usage = { input: 1000, output: 20, cacheRead: 500, cacheWrite: 0 }
  const turn = { id: 'a', startedAt: 0, endedAt: 5000, duration: null, usage, costUSD: 0.5, length: 2 }
  expect(describeTurn(turn)).toEqual(['5.0 s', '1.5k in, 20 out', '$0.50'])
  expect(describeTurn({ ...turn, usage: null, costUSD: null })).toEqual([])
})

test('a long text shows whole lines of its beginning or its end', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`).join('\n')
  expect(cutText('a\nb', 'start', false)).toEqual({ text: 'a\nb', hidden: 0 })
  const start = cutText(lines, 'start', false)
  expect([start.text.split('\n').length, start.hidden]).toEqual([200, 800])
  expect(cutText(lines, 'end', false).text.endsWith('line 999')).toBe(true)
  expect(cutText(lines, 'end', true).hidden).toBe(0)
  const one = 'x'.repeat(1_000_000)
  expect(cutText(one, 'start', false).text.length).toBe(20_000)
  expect(cutText(one, 'start', true).text.length).toBe(400_000)
})

test('only pictures of known types are drawn, and only from plain base64', () => {
  expect(isPictureData('image/png', 'AAAA')).toBe(true)
  expect(isPictureData('image/svg+xml', 'AAAA')).toBe(false)
  expect(isPictureData('image/png', 'AA"onerror=x')).toBe(false)
  expect(isPictureData('image/png', '')).toBe(false)
})
