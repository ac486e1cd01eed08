import { afterEach, expect, test, vi } from 'vitest'
import type { Tab } from '../../../shared/contract/tabs'
import { fail, succeed } from '../../../shared/result'
import { RpcError } from '../../../shared/rpc/rpc'
import { client } from '../host/client'
import { pageNotices } from '../window/notices-mirror'
import { closeTabs, tabsToClose } from './tab-actions'
import { tabsMirror } from './tabs-mirror'

afterEach(() => {
  vi.restoreAllMocks()
  pageNotices.setState({ notices: [] })
})

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

test('what is told of tabs that stay open is why: unsaved text, or that the host can’t be asked', async () => {
  const data = { tabs, active: 'b', shown: { left: 'b', right: null } }
  tabsMirror.store.setState({ kind: 'here', data })
  const told = () => pageNotices.getState().notices.map(({ text }) => text)
  const call = vi.spyOn(client, 'call')
  call.mockResolvedValueOnce(fail('unsaved', 'c has unsaved changes.') as never)
  call.mockResolvedValueOnce(succeed({}) as never)
  await closeTabs(b, 'others')
  expect(told()).toEqual(['One file has unsaved text and stays open. Save first, then close.'])

  pageNotices.setState({ notices: [] })
  call.mockRejectedValue(new RpcError('disconnected', 'gone'))
  await closeTabs(b, 'others')
  expect(told()).toEqual(['Greenlight isn’t connected. Try again in a few seconds.'])
})
