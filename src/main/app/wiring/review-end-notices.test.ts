import { beforeEach, expect, test } from 'vitest'
import { Notices } from '../../core/notices/notices'
import type { ReviewEnded } from '../../core/review/desk-events'
import { ReviewEndNotices } from './review-end-notices'

const ended = (id: string, more: Partial<ReviewEnded> = {}): ReviewEnded => ({
  kind: 'ended',
  id,
  end: 'confirmed',
  effect: 'agent',
  path: `/folder/${id}.txt`,
  left: [],
  bytes: undefined,
  agent: 'Claude',
  place: { window: 'w', isOutside: false } as ReviewEnded['place'],
  canUndo: true,
  canReopen: false,
  ...more,
})

let notices: Notices
let told: ReviewEndNotices
beforeEach(() => {
  notices = new Notices()
  told = new ReviewEndNotices(notices)
})
const texts = () => notices.list().map(({ text }) => text)

test('of files that are accepted one after the other the last is told, with its undo', () => {
  told.tell(ended('a'))
  told.tell(ended('b'))
  expect(notices.list()).toMatchObject([
    { text: 'b.txt accepted and written.', action: { kind: 'undo-review', review: 'b' } },
  ])
})

test('what was decided in one go is one notice, which undoes all of it', () => {
  told.begin(['a', 'b', 'c'])
  for (const id of ['b', 'a', 'c']) told.tell(ended(id))
  expect(notices.list()).toMatchObject([
    {
      text: '3 files accepted and written.',
      action: { kind: 'undo-reviews', label: 'Undo all', reviews: ['b', 'a', 'c'] },
    },
  ])
})

test('it says how many of them can be undone, and what became of each kind', () => {
  told.begin(['a', 'b', 'c'])
  told.tell(ended('a', { effect: 'written' }))
  told.tell(ended('b', { canUndo: false }))
  told.tell(ended('c'))
  expect(notices.list()).toMatchObject([
    { text: '1 file kept, 2 files accepted and written.', action: { label: 'Undo 2 of 3' } },
  ])
})

test('what went another way is told by itself', () => {
  told.begin(['a', 'b'])
  told.tell(ended('a'))
  told.tell(ended('b', { end: 'diverged' }))
  expect(texts()).toEqual([
    '1 file accepted and written.',
    'b.txt no longer matches what you accepted. Check the file.',
  ])
})

test('a batch that was dismissed is told anew when more of it ends', () => {
  told.begin(['a', 'b'])
  told.tell(ended('a'))
  for (const { id } of notices.list()) notices.dismiss(id)
  told.tell(ended('b'))
  expect(texts()).toEqual(['2 files accepted and written.'])
})

test('a tab that was closed says that this rejected its change, and takes it back', () => {
  told.tell(ended('a', { end: 'rejected', canUndo: false, canReopen: true }), true)
  told.tell(ended('b', { end: 'rejected', canUndo: false, canReopen: true }))
  expect(notices.list()).toMatchObject([
    {
      text: 'You closed the tab for a.txt, so its change was rejected.',
      action: { kind: 'reopen-review', review: 'a' },
    },
  ])
})
