import { describe, expect, test } from 'vitest'
import { createChannelPair } from '../../test/channel-pair'
import { PageDoor } from '../shared/rpc/hello'
import type { Channel } from '../shared/rpc/rpc'
import { type HostConnection, type ConnectionState, connectPage } from './connect'

/** A host with one window, which can go down, come back, and come back as another that knows nobody. */
class Host {
  token = 'right'
  down = false
  readonly served = new Set<Channel>()
  readonly channels: Channel[] = []
  door = this.#makeDoor()

  open(): Channel {
    const [page, host] = createChannelPair()
    this.channels.push(host)
    if (this.down) queueMicrotask(() => host.close())
    else this.door.admit(host)
    return page
  }

  #makeDoor(): PageDoor {
    return new PageDoor({
      accepts: (token) => token === this.token,
      connect: (channel) => {
        this.served.add(channel)
        return { dispose: () => this.served.delete(channel) }
      },
    })
  }
}

function page(host: Host, name: string) {
  const attached: Channel[] = []
  const states: ConnectionState[] = []
  const connection = connectPage(
    { page: name, open: () => host.open(), token: () => Promise.resolve('right') },
    (channel) => attached.push(channel),
    [0],
  )
  connection.onState((state) => states.push(state))
  return { connection, attached, states }
}

function until(connection: HostConnection, state: ConnectionState): Promise<void> {
  if (connection.state === state) return Promise.resolve()
  return new Promise((resolve) => {
    const listening = connection.onState((now) => {
      if (now !== state) return
      listening.dispose()
      resolve()
    })
  })
}

describe('a page', () => {
  test('is live once the host has welcomed it, and hears frames only then', async () => {
    const host = new Host()
    const { connection, attached } = page(host, 'a')
    expect(connection.state).toBe('connecting')
    await until(connection, 'live')
    expect(attached).toHaveLength(1)
    const heard: string[] = []
    attached[0]?.onMessage((frame) => heard.push(frame))
    for (const channel of host.served) channel.send('snapshot')
    expect(heard).toEqual(['snapshot'])
  })

  test('comes back by itself after a short loss, as the same page', async () => {
    const host = new Host()
    const { connection, attached, states } = page(host, 'a')
    await until(connection, 'live')
    for (const channel of [...host.served]) channel.close()
    expect(connection.state).toBe('connecting')
    await until(connection, 'live')
    expect(attached).toHaveLength(2)
    expect(states).toEqual(['live', 'connecting', 'live'])
  })

  test('says that the host is gone after some tries, goes on, and is live when it is back', async () => {
    const host = new Host()
    host.down = true
    const { connection } = page(host, 'a')
    await until(connection, 'lost')
    expect(connection.refused).toBe(false)
    host.down = false
    await until(connection, 'live')
  })

  test('stops when the host does not know it any more', async () => {
    const host = new Host()
    host.token = 'another run'
    const { connection } = page(host, 'a')
    await until(connection, 'lost')
    expect(connection.refused).toBe(true)
    expect(host.channels).toHaveLength(1)
  })

  test('stands back for another page, and takes the window back when asked to', async () => {
    const host = new Host()
    const first = page(host, 'a')
    await until(first.connection, 'live')
    const second = page(host, 'b')
    await until(second.connection, 'elsewhere')
    expect(first.connection.state).toBe('live')

    second.connection.useHere()
    await until(second.connection, 'live')
    expect(first.connection.state).toBe('elsewhere')
    expect(host.served.size).toBe(1)

    first.connection.useHere()
    await until(first.connection, 'live')
    expect(second.connection.state).toBe('elsewhere')
  })

  test('leaves when it is disposed', async () => {
    const host = new Host()
    const { connection } = page(host, 'a')
    await until(connection, 'live')
    connection.dispose()
    expect(host.served.size).toBe(0)
  })
})
