import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WindowState } from '../../../shared/contract/window'
import { RpcError } from '../../../shared/rpc/rpc'
import { client } from '../host/client'
import { link } from '../host/link'
import { defineLayoutValue, saveLayoutNow } from './kept-layout'
import { windowMirror } from './window-mirror'

const facts = (folder: string, layout: WindowState['layout']): WindowState => ({
  version: '0',
  host: 'browser',
  platform: 'linux',
  homeDirectory: '/home/x',
  folders: [{ path: folder, name: folder }],
  untrusted: [],
  recentFolders: [],
  branch: null,
  layout,
})
const size = defineLayoutValue('size', (stored) => (typeof stored === 'number' ? stored : 20))
const words = defineLayoutValue(
  'words',
  (stored) => (typeof stored === 'string' ? stored : ''),
  (mine, theirs) => `${theirs} and ${mine}`,
)

let saved: unknown[]
let answer: () => Promise<never>

beforeEach(() => {
  answer = () => new Promise(() => undefined)
  vi.spyOn(client, 'call').mockImplementation((_name, params) => {
    saved.push(params)
    return answer()
  })
  // What another test left to be saved.
  saveLayoutNow()
  saved = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('is read once for each set of folders, saved late, and makes sense of anything stored', () => {
  windowMirror.store.setState({ kind: 'here', data: facts('/a', { size: 30, other: 'kept' }) })
  expect(size.get()).toBe(30)

  size.set(31)
  size.set(32)
  expect(saved).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(saved).toEqual([{ layout: { size: 32, other: 'kept' } }])

  // The host's echo of an older layout does not undo what the page has.
  windowMirror.store.setState({ kind: 'here', data: facts('/a', { size: 30 }) })
  expect(size.get()).toBe(32)

  windowMirror.store.setState({ kind: 'here', data: facts('/b', { size: 'nonsense' }) })
  expect(size.get()).toBe(20)

  size.set(25)
  saveLayoutNow()
  expect(saved).toHaveLength(2)
  vi.advanceTimersByTime(1000)
  expect(saved).toHaveLength(2)
})

it('is saved again once the link is back, if it was lost on the way', async () => {
  windowMirror.store.setState({ kind: 'here', data: facts('/lost', null) })
  answer = () => Promise.reject(new RpcError('disconnected', 'lost'))
  size.set(41)
  await vi.advanceTimersByTimeAsync(1000)
  expect(saved).toHaveLength(1)

  answer = () => new Promise(() => undefined)
  windowMirror.store.setState({ kind: 'here', data: facts('/lost', { size: 40 }) })
  await vi.advanceTimersByTimeAsync(1000)
  expect(saved).toEqual([{ layout: { size: 41 } }, { layout: { size: 41 } }])
  windowMirror.store.setState({ kind: 'here', data: facts('/lost', { size: 41 }) })
  await vi.advanceTimersByTimeAsync(1000)
  expect(saved).toHaveLength(2)
})

it('is what another page has left, once the window is here again', () => {
  windowMirror.store.setState({ kind: 'here', data: facts('/taken', { size: 51 }) })
  link.setState({ state: 'elsewhere' })
  link.setState({ state: 'live' })
  windowMirror.store.setState({ kind: 'here', data: facts('/taken', { size: 52 }) })
  expect(size.get()).toBe(52)
  windowMirror.store.setState({ kind: 'here', data: facts('/taken', { size: 53 }) })
  expect(size.get()).toBe(52)
})

it('has what a person wrote without a link, beside what another page has left', async () => {
  windowMirror.store.setState({ kind: 'here', data: facts('/both', { size: 61, words: 'a' }) })
  answer = () => Promise.reject(new RpcError('disconnected', 'lost'))
  words.set('ab')
  size.set(62)
  await vi.advanceTimersByTimeAsync(1000)
  link.setState({ state: 'elsewhere' })
  link.setState({ state: 'live' })
  answer = () => new Promise(() => undefined)
  windowMirror.store.setState({ kind: 'here', data: facts('/both', { size: 63, words: 'c' }) })
  expect([size.get(), words.get()]).toEqual([63, 'c and ab'])
  saveLayoutNow()
  expect(saved.at(-1)).toEqual({ layout: { size: 63, words: 'c and ab' } })
})
