import { expect, it } from 'vitest'
import { askedReviews, reviewsAskedIn } from './asked-reviews'

const review = (id: string, more: Partial<Parameters<typeof askedReviews>[1][number]> = {}) => ({
  ...{ id, path: `/p/${id}.ts`, name: `${id}.ts`, phase: 'open' as const, effect: 'agent' as const },
  ...{ connection: 'mine', askedAt: 1, ...more },
})

it('are those that the agent of the session’s own terminal waits for, the oldest first', () => {
  const connections = [
    { id: 'mine', terminal: 't1' },
    { id: 'other', terminal: 't2' },
    { id: 'far', terminal: null },
  ]
  const reviews = [
    review('late', { askedAt: 3 }),
    review('first', { phase: 'queued' }),
    review('written', { effect: 'written' }),
    review('accepted', { phase: 'awaiting' }),
    review('gone', { phase: 'orphaned' }),
    review('other', { connection: 'other' }),
    review('far', { connection: 'far' }),
  ]
  const asked = (terminal: string | null) => askedReviews({ terminal }, reviews, connections)
  expect(asked('t1')).toEqual([
    { id: 'first', path: '/p/first.ts', name: 'first.ts' },
    { id: 'late', path: '/p/late.ts', name: 'late.ts' },
  ])
  expect(asked(null)).toEqual([])
  expect(askedReviews(undefined, reviews, connections)).toEqual([])
})

it('are in a driven conversation those asked in it, but not what the person had the app propose', () => {
  const reviews = [
    review('late', { conversation: 'c', askedAt: 3 }),
    review('rewound', { conversation: 'c', effect: 'host' }),
    review('first', { conversation: 'c', phase: 'queued' }),
    review('accepted', { conversation: 'c', phase: 'awaiting' }),
    review('other', { conversation: 'd' }),
    review('none'),
  ]
  expect(reviewsAskedIn('c', reviews).map(({ id }) => id)).toEqual(['first', 'late'])
})
