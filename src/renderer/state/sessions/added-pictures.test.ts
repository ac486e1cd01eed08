import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RpcError } from '../../../shared/rpc/rpc'
import { client } from '../host/client'
import { link } from '../host/link'
import { windowMirror } from '../window/window-mirror'
import { picturesOf } from './added-pictures'

const picture = { name: 'a.png', mediaType: 'image/png' as const, data: 'AA==' }
let saved: unknown[]
let answer: () => Promise<never>

beforeEach(() => {
  saved = []
  answer = () => new Promise(() => undefined)
  vi.spyOn(client, 'call').mockImplementation((_name, params) => {
    saved.push(params)
    return answer()
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  link.setState({ state: 'connecting' })
})

/** What follows on a rejected call has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
const lose = async (conversation: string) => {
  answer = () => Promise.reject(new RpcError('disconnected', 'lost'))
  picturesOf(conversation).set([picture])
  await settled()
  answer = () => new Promise(() => undefined)
}
const comeBack = () => windowMirror.store.setState({ kind: 'here', data: { folders: [] } as never })

it('are saved again once the link is back, if it was lost on the way', async () => {
  await lose('a')
  comeBack()
  const kept = { draft: 'a', pictures: [picture] }
  expect(saved).toEqual([kept, kept])
  comeBack()
  expect(saved).toHaveLength(2)
})

it('are not those from before another page had the window, and don’t replace what that page left', async () => {
  answer = () => Promise.reject(new RpcError('disconnected', 'lost'))
  picturesOf('b').set([picture])
  link.setState({ state: 'elsewhere' })
  await settled()
  expect(picturesOf('b').get()).toEqual([])
  comeBack()
  expect(saved).toHaveLength(1)
})
