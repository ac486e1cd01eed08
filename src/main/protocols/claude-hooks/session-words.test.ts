import { expect, test } from 'vitest'
import type { WatchedSession } from './session-watch'
import { sessionWords } from './session-words'

const session: WatchedSession = {
  ...{ session: 's', terminal: 't', mode: null, turn: null, agents: new Map(), toolRuns: new Map() },
  ...{ background: 0, isDoubted: false },
}

test.each<[Partial<WatchedSession>, string | null]>([
  [{}, 'Waits for a prompt'],
  [{ turn: 'p', mode: 'acceptEdits' }, 'At work · Accept edits'],
  [{ turn: '', mode: 'newer', agents: new Map([['a', 'x']]) }, 'At work · newer · 1 sub-agent'],
  [
    { agents: new Map(['a', 'b'].map((id) => [id, 'x'])), background: 2 },
    'Waits for a prompt · 2 sub-agents · 2 commands in the background',
  ],
  [{ turn: 'p', isDoubted: true }, null],
])('%j is said as %s', (more, expected) => {
  expect(sessionWords({ ...session, ...more })).toBe(expected)
})
