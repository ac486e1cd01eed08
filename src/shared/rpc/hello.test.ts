import { describe, expect, test } from 'vitest'
import { createChannelPair } from '../../../test/channel-pair'
import { PageDoor, elsewhere, readHello, refused, welcome, writeHello } from './hello'
import type { Channel } from './rpc'

/** A page as the door sees it: what it heard, and whether it was shown out. */
function enter(
  door: PageDoor,
  hello: { page: string; token?: string; takeOver?: boolean },
  replaces = false,
) {
  const [page, host] = createChannelPair()
  const heard: string[] = []
  let closed = false
  page.onMessage((frame) => heard.push(frame))
  page.onClose(() => {
    closed = true
  })
  door.admit(host, replaces)
  page.send(writeHello({ token: 'right', takeOver: false, ...hello }))
  return { page, heard, isClosed: () => closed }
}

function windowWithDoor() {
  const served = new Set<Channel>()
  const door = new PageDoor({
    accepts: (token) => token === 'right',
    connect(channel) {
      served.add(channel)
      channel.onMessage((frame) => channel.send(`echo ${frame}`))
      return { dispose: () => served.delete(channel) }
    },
  })
  return { door, served }
}

describe('the door of a window', () => {
  test('welcomes a page and serves it from its second frame on', () => {
    const { door, served } = windowWithDoor()
    const { page, heard } = enter(door, { page: 'a' })
    page.send('call')
    expect(heard).toEqual([welcome, 'echo call'])
    expect(served.size).toBe(1)
  })

  test('refuses a wrong token, and a first frame that is no hello', () => {
    const { door, served } = windowWithDoor()
    const wrong = enter(door, { page: 'a', token: 'wrong' })
    expect(wrong.heard).toEqual([refused])
    expect(wrong.isClosed()).toBe(true)
    const [page, host] = createChannelPair()
    const heard: string[] = []
    page.onMessage((frame) => heard.push(frame))
    door.admit(host)
    page.send('{"t":"call","id":1,"name":"settings.set"}')
    expect(heard).toEqual([refused])
    expect(served.size).toBe(0)
  })

  test('tells a second page that another one is live, and leaves that one alone', () => {
    const { door, served } = windowWithDoor()
    const first = enter(door, { page: 'a' })
    const second = enter(door, { page: 'b' })
    expect(second.heard).toEqual([elsewhere])
    expect(second.isClosed()).toBe(true)
    expect(first.isClosed()).toBe(false)
    expect(served.size).toBe(1)
  })

  test('gives the whole window to a page that takes over, and tells the other', () => {
    const { door, served } = windowWithDoor()
    const first = enter(door, { page: 'a' })
    const second = enter(door, { page: 'b', takeOver: true })
    expect(first.heard).toEqual([welcome, elsewhere])
    expect(first.isClosed()).toBe(true)
    expect(second.heard).toEqual([welcome])
    expect(served.size).toBe(1)
  })

  test.each([
    ['the same page again', 'a', false],
    ['a channel that replaces it for certain', 'b', true],
  ])('lets %s replace the live one without asking', (_name, page, replaces) => {
    const { door, served } = windowWithDoor()
    enter(door, { page: 'a' })
    const second = enter(door, { page }, replaces)
    expect(second.heard).toEqual([welcome])
    expect(served.size).toBe(1)
  })

  test('is free again when the page has gone', () => {
    const { door, served } = windowWithDoor()
    const first = enter(door, { page: 'a' })
    first.page.close()
    expect(door.occupied).toBe(false)
    expect(served.size).toBe(0)
    expect(enter(door, { page: 'b' }).heard).toEqual([welcome])
  })

  test('shows everybody out when the window ends', () => {
    const { door, served } = windowWithDoor()
    const first = enter(door, { page: 'a' })
    door.dispose()
    expect(first.isClosed()).toBe(true)
    expect(served.size).toBe(0)
  })
})

test.each([
  '',
  'x',
  '[]',
  'null',
  '{"t":"hello"}',
  '{"t":"hello","page":1,"token":""}',
  `{"t":"hello","page":"${'x'.repeat(3000)}","token":""}`,
])('is no hello: %.40s', (frame) => expect(readHello(frame)).toBeUndefined())
