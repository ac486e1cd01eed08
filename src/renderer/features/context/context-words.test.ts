import { expect, test } from 'vitest'
import type { SentItem } from '../../../shared/contract/context'
import { shorten } from '../../ui/wording/home-path'
import { describeItem, describeWithheld } from './context-words'

const place = (line: number, character = 0) => ({ line, character })

test('what was sent reads as a person would say it', () => {
  const items: SentItem[] = [
    { kind: 'selection', path: '/p/a.ts', start: place(0), end: place(1, 2), text: 'ab', length: 12 },
    { kind: 'files', paths: ['/p/a.ts', 'C:\\p\\b.ts'] },
    { kind: 'mention', path: '/p/a.ts', lines: { first: 2, last: 6 } },
    { kind: 'diagnostics', paths: ['/p/a.ts'], count: 1 },
    { kind: 'nothing' },
  ]
  expect(items.map(describeItem)).toEqual([
    'a.ts, lines 1–2, 12 characters',
    '2 open files: a.ts, b.ts',
    'mention of a.ts, lines 3–7',
    '1 problem in a.ts',
    'nothing is selected any more',
  ])
})

test('a reason names the rule and the file it stands in; signs that turn the reading are shown', () => {
  const rule = 'Read(./secrets/**)'
  expect(describeWithheld({ kind: 'excluded', rule: '.env*', file: null }, '/home/ada')).toBe(
    'Never shared: .env*',
  )
  expect(
    describeWithheld({ kind: 'excluded', rule, file: '/home/ada/.claude/settings.json' }, '/home/ada'),
  ).toBe('Never shared: Read(./secrets/**) in ~/.claude/settings.json')
  expect(shorten('/home/adam/x', '/home/ada')).toBe('/home/adam/x')
  expect(describeItem({ kind: 'mention', path: '/p/\u202egnp.exe', lines: null })).toBe(
    'mention of \\u202egnp.exe',
  )
})
