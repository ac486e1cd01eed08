import { expect, test } from 'vitest'
import type { Tab } from '../../../shared/contract/tabs'
import { tabsToClose } from './tab-actions'

const file = (id: string, more: Partial<Extract<Tab, { kind: 'file' }>> = {}): Tab => ({
  id,
  kind: 'file',
  path: `/${id}`,
  name: id,
  side: 'left',
  pinned: false,
  preview: false,
  dirty: false,
  waited: false,
  outside: false,
  ...more,
})
const review: Tab = {
  id: 'r',
  kind: 'review',
  review: 'p',
  path: '/r',
  name: 'r',
  side: 'left',
  pinned: false,
}
const b = file('b')
const tabs = [
  file('a', { pinned: true }),
  b,
  file('c', { dirty: true }),
  review,
  file('d'),
  file('e', { side: 'right' }),
]

test('several are closed on one side, never what is pinned or a review', () => {
  const ids = (manner: Parameters<typeof tabsToClose>[2]) => tabsToClose(tabs, b, manner).map(({ id }) => id)
  expect(ids('others')).toEqual(['c', 'd'])
  expect(ids('right')).toEqual(['c', 'd'])
  expect(ids('saved')).toEqual(['b', 'd'])
})
