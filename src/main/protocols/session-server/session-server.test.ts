import { request } from 'node:http'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { encode, decode } from '@msgpack/msgpack'
import { afterEach, describe, expect, it } from 'vitest'
import { SessionServerClient } from '../../../../test/session-server-client'
import {
  RawClient,
  rigToken,
  startRig,
  talk,
  type SessionServerRig,
} from '../../../../test/session-server-rig'
import { succeed } from '../../../shared/result'

let rig: SessionServerRig
const sockets: { terminate(): void }[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await rig.dispose()
})

const connect = (url: string, options: ConstructorParameters<typeof RawClient>[1] = {}): RawClient => {
  const client = new RawClient(url, options)
  sockets.push(client.socket)
  return client
}
const get = (path: string, headers: Record<string, string> = { authorization: `Bearer ${rigToken}` }) =>
  fetch(rig.httpUrl(path), { headers })

/** The answer to a path exactly as it is given: other clients tidy paths up before they send them. */
function statusOf(path: string, more: Record<string, string> = {}): Promise<number | undefined> {
  const { port } = rig.server
  const headers = { authorization: `Bearer ${rigToken}`, host: `127.0.0.1:${port}`, ...more }
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: `/api/claude/sessions${path}`, headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
const upgrade = {
  ...{ connection: 'Upgrade', upgrade: 'websocket' },
  ...{ 'sec-websocket-version': '13', 'sec-websocket-key': Buffer.alloc(16).toString('base64') },
}

/** The first frames that a server sends after an upgrade, each under 64 KB. */
function firstFrames(
  url: string,
  headers: Record<string, string>,
  count: number,
): Promise<{ isCompressed: boolean }[]> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { headers })
    asking.on('error', reject).on('upgrade', (_response, socket, head) => {
      sockets.push({ terminate: () => void socket.destroy() })
      let bytes = head
      const read = (): void => {
        const frames: { isCompressed: boolean }[] = []
        for (let at = 0; at + 4 <= bytes.length && frames.length < count;) {
          const short = bytes.readUInt8(at + 1)
          frames.push({ isCompressed: (bytes.readUInt8(at) & 0x40) !== 0 })
          at += short < 126 ? 2 + short : 4 + bytes.readUInt16BE(at + 2)
        }
        if (frames.length === count) resolve(frames)
      }
      socket.on('data', (piece: Buffer) => {
        bytes = Buffer.concat([bytes, piece])
        read()
      })
      read()
    })
    asking.end()
  })
}

describe('a client written from the protocol’s public description', () => {
  it('gets all of the history, then what is written, and builds its thread', async () => {
    rig = await startRig()
    await rig.make('one', talk(5))
    const client = new SessionServerClient(rig.wsUrl('one'))
    await client.until(({ messages }) => messages.length === 5)
    expect(client.messages.map(({ content }) => content)).toEqual([
      ...['said 1', 'answer 2', 'said 3', 'answer 4', 'said 5'],
    ])
    expect(client.isWorking).toBe(true)
    await rig.append('one', ...talk(1, 'u', 6))
    await client.until(({ messages }) => messages.length === 6)
    expect(client.isWorking).toBe(false)
    const [root, ...others] = client.tree()
    expect(others).toEqual([])
    expect(root?.children[0]?.children[0]?.uuid).toBe('u3')

    // A queued prompt begins: by that description's own rule it rests now, and works again with the prompt itself.
    await rig.append('one', ...talk(1, 'u', 7))
    await client.until(({ isWorking }) => isWorking)
    const dequeue = { type: 'queue-operation', operation: 'dequeue', timestamp: '', sessionId: 'one' }
    await rig.append('one', dequeue)
    await client.until(({ isWorking }) => !isWorking)
    await rig.append('one', { ...talk(1, 'v', 7)[0], parentUuid: 'u7' })
    await client.until(({ isWorking }) => isWorking)
    client.close()
    await client.closed
  })

  it('sends a message, sees it recorded, and reads the error where that fails', async () => {
    let isAllowed = true
    rig = await startRig({
      deliver: async ({ id }, text) => {
        if (!isAllowed) return { ok: false, failure: { code: 'elsewhere', message: 'It runs elsewhere.' } }
        await rig.append(id, {
          type: 'user',
          uuid: 'new',
          parentUuid: 'u2',
          message: { role: 'user', content: text },
        })
        return succeed({ resumed: false })
      },
    })
    await rig.make('one', talk(2))
    const client = new SessionServerClient(rig.wsUrl('one'))
    await client.until(({ messages }) => messages.length === 2)
    client.sendMessage('What files are here?')
    await client.until(({ messages }) => messages.some(({ id }) => id === 'new'))
    isAllowed = false
    client.sendMessage('And now?')
    await client.until(({ errors }) => errors.length > 0)
    expect(client.errors).toEqual(['It runs elsewhere.'])
    client.close()
  })

  it('reads what a model writes piece by piece where the app has that', async () => {
    rig = await startRig()
    await rig.make('one', talk(1))
    const client = new SessionServerClient(rig.wsUrl('one'))
    await client.until(({ messages }) => messages.length === 1)
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Here is ' } }
    rig.stream.emit({ session: 'other', event: delta })
    rig.stream.emit({ session: 'one', event: delta })
    await client.until(({ streamingText }) => streamingText !== '')
    expect(client.streamingText).toBe('Here is ')
    client.close()
  })

  it('is told by whoever drives a session when its agent works, not by lines that come later', async () => {
    rig = await startRig()
    await rig.make('one', talk(1))
    const client = connect(rig.wsUrl('one'))
    await client.count(1)
    const typing = (isTyping: boolean, after: number) =>
      client.heard((one) => one['isTyping'] === isTyping && client.got.indexOf(one) >= after)
    for (const isWorking of [true, false]) {
      const before = client.got.length
      rig.working.set('one', isWorking)
      rig.work.emit('one')
      await typing(isWorking, before)
    }
    await rig.append('one', { ...talk(1, 'v', 3)[0], parentUuid: 'u1' })
    await client.heard(({ uuid }) => uuid === 'v3')
    expect(client.got.filter(({ type }) => type === 'typing')).toHaveLength(2)
  })

  it('follows a session that its first message begins', async () => {
    rig = await startRig({
      deliver: async ({ id }, text) => {
        const [first, second] = talk(2)
        await rig.append(id, { ...first, message: { role: 'user', content: text } }, second ?? {})
        return succeed({ resumed: false })
      },
    })
    const made = await rig.make('one', talk(1))
    const session = { ...made, id: 'new', path: rig.pathOf('new') }
    rig.toBegin.set('new', session)
    const client = new SessionServerClient(rig.wsUrl('new'))
    await client.until(({ isConnected }) => isConnected)
    client.sendMessage('Begin')
    await client.until(({ messages }) => messages.some(({ content }) => content === 'answer 2'))
    expect(client.errors).toEqual([])
    client.close()
  })
})

describe('over HTTP', () => {
  it('lists sessions and shows one', async () => {
    rig = await startRig()
    await rig.make('one', talk(2))
    const listed = (await (await get('')).json()) as { sessions: { id: string }[] }
    expect(listed.sessions).toMatchObject([
      {
        id: 'one',
        title: 'About one',
        workingDir: '/home/person/project',
        lastActivity: '2023-11-14T22:13:21.000Z',
      },
    ])
    expect(await (await get('/one')).json()).toEqual(listed.sessions[0])
    expect((await get('/')).status).toBe(200)
  })

  it('lets nobody in without the token, and takes it from the address too', async () => {
    rig = await startRig()
    await rig.make('one', talk(1))
    expect((await get('', {})).status).toBe(401)
    expect((await get('', { authorization: `Bearer ${rigToken}x` })).status).toBe(401)
    expect((await get('', { authorization: `Basic ${rigToken}` })).status).toBe(401)
    expect((await get(`?token=${rigToken}`, {})).status).toBe(200)
    const url = rig.wsUrl('one')
    const bare = connect(url.replace(/\?.*/, ''))
    await expect(bare.opened).rejects.toThrow('401')
    const bearer = connect(url.replace(/\?.*/, ''), { headers: { authorization: `Bearer ${rigToken}` } })
    await bearer.opened
    expect(rig.refused).toEqual([401, 401, 401, 401])
  })

  it('refuses pages of other origins until the person names them', async () => {
    rig = await startRig()
    await rig.make('one', talk(1))
    const origin = 'http://localhost:3000'
    const foreign = connect(rig.wsUrl('one'), { headers: { origin } })
    await expect(foreign.opened).rejects.toThrow('403')
    const own = connect(rig.wsUrl('one'), { headers: { origin: `http://127.0.0.1:${rig.server.port}` } })
    await own.opened
    rig.origins.push(origin)
    await connect(rig.wsUrl('one'), { headers: { origin } }).opened
    const answer = await get('', { origin, authorization: `Bearer ${rigToken}` })
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    const asked = await fetch(rig.httpUrl(''), { method: 'OPTIONS', headers: { origin } })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-headers')).toBe('authorization')
  })

  it('refuses in JSON, whatever is wrong and whichever way it is asked', async () => {
    rig = await startRig()
    const strange = { type: 'error', error: 'Requests from this origin are not allowed.' }
    const foreign = await get('', { origin: 'http://foreign.example' })
    expect([foreign.status, foreign.headers.get('content-type')]).toEqual([
      403,
      'application/json; charset=utf-8',
    ])
    expect(await foreign.json()).toEqual(strange)
    const headers = { ...upgrade, origin: 'http://foreign.example' }
    const body = await new Promise<string>((resolve, reject) => {
      request(rig.httpUrl('/one/subscribe'), { headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', () => resolve(text))
      })
        .on('error', reject)
        .end()
    })
    expect(JSON.parse(body)).toEqual(strange)
  })

  it('answers an unknown session with 404 and tricks in the id with 400, each with an error', async () => {
    rig = await startRig()
    const unknown = await get('/no-such-session')
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { type: 'error', error: 'Session not found' },
    ])
    await expect(connect(rig.wsUrl('no-such-session')).opened).rejects.toThrow('404')
    for (const trick of [
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e',
      'a%00b',
      'a%5cb',
      '%zz',
      'a.jsonl',
      '-rf',
      '../../../etc/passwd',
      'x'.repeat(200),
    ]) {
      expect([trick, await statusOf(`/${trick}`), await statusOf(`/${trick}/subscribe`, upgrade)]).toEqual([
        ...[trick, 400, 400],
      ])
    }
    expect((await get('/one/two')).status).toBe(404)
    for (const query of ['last=x', 'last=-1', 'format=xml', `fromUuid=${'x'.repeat(300)}`]) {
      await expect(connect(rig.wsUrl('one', query)).opened).rejects.toThrow('400')
    }
    const wrongMethod = await fetch(rig.httpUrl(''), {
      method: 'POST',
      headers: { authorization: `Bearer ${rigToken}` },
    })
    expect(wrongMethod.status).toBe(405)
    // Only a page of a browser has a use for it.
    const noPage = await fetch(rig.httpUrl(''), { method: 'OPTIONS' })
    expect([noPage.status, noPage.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    await rig.make('one', talk(1))
    expect((await get('/one/subscribe')).status).toBe(426)
  })
})

describe('where a subscription begins', () => {
  it('takes pages from the address', async () => {
    rig = await startRig()
    await rig.make('one', talk(10))
    const last = connect(rig.wsUrl('one', 'last=3'))
    await last.count(3)
    expect(last.uuids()).toEqual(['u8', 'u9', 'u10'])
    const from = connect(rig.wsUrl('one', 'fromUuid=u7'))
    await from.count(3)
    expect(from.uuids()).toEqual(['u8', 'u9', 'u10'])
    const both = connect(rig.wsUrl('one', 'fromUuid=u7&last=2'))
    await both.count(2)
    expect(both.uuids()).toEqual(['u9', 'u10'])
    const none = connect(rig.wsUrl('one', 'last=0'))
    await none.opened
    // What is asked for comes after the look at where the file ends.
    none.send({ type: 'history', beforeUuid: 'nobody' })
    await none.heard(({ code }) => code === 'unknown-uuid')
    const nothingNew = connect(rig.wsUrl('one', 'fromUuid=u10'))
    await nothingNew.opened
    await rig.append('one', ...talk(1, 'u', 11))
    for (const client of [last, from, both, none, nothingNew])
      await client.heard(({ uuid }) => uuid === 'u11')
    expect(none.uuids()).toEqual(['u11'])
    expect(nothingNew.uuids()).toEqual(['u11'])
  })

  it('takes it from a subscribe that is sent first', async () => {
    rig = await startRig({ patience: { subscribe: 60_000 } })
    await rig.make('one', talk(10))
    const client = connect(rig.wsUrl('one'))
    await client.opened
    client.send({ type: 'subscribe', fromUuid: 'u8' })
    await client.count(2)
    expect(client.uuids()).toEqual(['u9', 'u10'])
    // Sent later it begins anew.
    client.send({ type: 'subscribe', fromUuid: 'u9' })
    await client.count(3)
    expect(client.uuids()).toEqual(['u9', 'u10', 'u10'])
  })

  it('sends everything when the first message says nothing of it, and when the uuid is unknown', async () => {
    rig = await startRig({ patience: { subscribe: 60_000 } })
    await rig.make('one', talk(3))
    const client = connect(rig.wsUrl('one'))
    await client.opened
    client.send({ type: 'typing', isTyping: true })
    await client.count(3)
    expect(client.uuids()).toEqual(['u1', 'u2', 'u3'])
    const lost = connect(rig.wsUrl('one', 'fromUuid=nobody'))
    await lost.count(4)
    expect(lost.got[0]).toMatchObject({ type: 'error', code: 'unknown-uuid', fromUuid: 'nobody' })
    expect(lost.uuids()).toEqual(['u1', 'u2', 'u3'])
  })

  it('gives earlier pages, and says whether there is more', async () => {
    rig = await startRig()
    await rig.make('one', talk(10))
    const client = connect(rig.wsUrl('one', 'last=2'))
    await client.count(2)
    client.send({ type: 'history', beforeUuid: 'u9', limit: 3 })
    expect(await client.heard(({ type }) => type === 'history')).toEqual({
      ...{ type: 'history', beforeUuid: 'u9', count: 3, more: true },
    })
    expect(client.uuids()).toEqual(['u9', 'u10', 'u6', 'u7', 'u8'])
    // Without a uuid: before the first one that it has.
    client.send({ type: 'history', limit: 50 })
    const end = await client.heard((message) => message['type'] === 'history' && message['count'] === 5)
    expect(end).toMatchObject({ more: false })
    expect(client.uuids().slice(5)).toEqual(['u1', 'u2', 'u3', 'u4', 'u5'])
    client.send({ type: 'history', beforeUuid: 'u1' })
    expect(await client.heard((message) => message['count'] === 0)).toMatchObject({ more: false })
    client.send({ type: 'history', beforeUuid: 'nobody' })
    expect(await client.heard(({ code }) => code === 'unknown-uuid')).toMatchObject({ type: 'error' })
  })
})

describe('what is sent of a session', () => {
  const records = [
    { type: 'mode', mode: 'normal' },
    { type: 'user', uuid: 'u1', message: { role: 'user', content: 'a' }, unheardOf: { of: [1, 1e21] } },
    { type: 'attachment', uuid: 'x1' },
    { type: 'progress', uuid: 'p1', data: { type: 'hook_progress' } },
    { type: 'queue-operation', operation: 'enqueue' },
    { type: 'system', uuid: 's1', subtype: 'turn_duration' },
    { type: 'api-request', uuid: 'x2' },
  ]

  it('is the five types, with fields untouched; all with ?all=1', async () => {
    rig = await startRig()
    await rig.make('one', records)
    const usual = connect(rig.wsUrl('one'))
    await usual.count(4)
    expect(usual.got).toEqual([records[1], records[3], records[4], records[5]])
    const all = connect(rig.wsUrl('one', 'all=1'))
    await all.count(records.length)
    expect(all.got).toEqual(records)
  })

  it('is byte for byte what was recorded, whatever the spacing', async () => {
    rig = await startRig()
    const line = '{ "type":"user",  "uuid":"u1", "number": 12345678901234567890.10 }'
    await rig.make('one', `${line}\r\n`)
    const client = connect(rig.wsUrl('one'), { read: (data) => ({ text: data.toString('utf8') }) })
    await client.count(1)
    expect(client.got[0]?.['text']).toBe(line)
  })

  it('goes on over lines that cannot be read; ?all=1 says where they are', async () => {
    rig = await startRig()
    const [first, second] = talk(2).map((record) => JSON.stringify(record))
    const broken = Buffer.concat([
      Buffer.from(`${first}\nthis is no JSON\n{"type":"user","uuid":"bad\xff`, 'latin1'),
      Buffer.from(`"}\n${second}\n`),
    ])
    await rig.make('one', '')
    await writeFile(rig.pathOf('one'), broken)
    const usual = connect(rig.wsUrl('one'))
    await usual.count(3)
    expect(usual.uuids()).toEqual(['u1', 'bad\ufffd', 'u2'])
    const all = connect(rig.wsUrl('one', 'all=1'))
    await all.count(4)
    expect(all.got[1]).toEqual({ type: 'unreadable', offset: (first?.length ?? 0) + 1, bytes: 15 })
  })

  it('holds a line of many megabytes, in both formats', async () => {
    rig = await startRig()
    const long = {
      type: 'assistant',
      uuid: 'long',
      message: { content: [{ type: 'text', text: 'é'.repeat(3_000_000) }] },
    }
    await rig.make('one', [...talk(1), long, ...talk(1, 'v')])
    const client = connect(rig.wsUrl('one'))
    await client.count(3)
    expect(client.got[1]).toEqual(long)
    const packed = connect(rig.wsUrl('one', 'format=msgpack'), { read: (data) => decode(data) })
    await packed.count(3)
    expect(packed.got[1]).toEqual(long)
  })

  it('comes as MessagePack where that is asked for, both ways', async () => {
    rig = await startRig()
    await rig.make('one', records)
    const client = connect(rig.wsUrl('one', 'format=msgpack'), { read: (data) => decode(data) })
    await client.count(4)
    expect(client.got).toEqual([records[1], records[3], records[4], records[5]])
    client.socket.send(encode({ type: 'history', beforeUuid: 's1', limit: 1 }))
    expect(await client.heard(({ type }) => type === 'history')).toMatchObject({ count: 1, more: true })
    client.socket.send(Buffer.from([0xc1]))
    expect(await client.heard(({ type }) => type === 'error')).toMatchObject({ code: 'malformed' })
  })

  it('is compressed for who offers that, but not what is short', async () => {
    rig = await startRig()
    await rig.make('one', [...talk(1), { ...talk(1, 'long')[0], pad: 'x'.repeat(50_000) }])
    const client = connect(rig.wsUrl('one'), { perMessageDeflate: true })
    await client.count(2)
    expect(client.socket.extensions).toContain('permessage-deflate')
    const headers = { ...upgrade, 'sec-websocket-extensions': 'permessage-deflate' }
    const frames = await firstFrames(rig.wsUrl('one').replace('ws:', 'http:'), headers, 2)
    expect(frames.map(({ isCompressed }) => isCompressed)).toEqual([false, true])
  })

  it('goes on in another file in place of the first, behind what the client has', async () => {
    rig = await startRig()
    await rig.make('one', talk(4))
    const client = connect(rig.wsUrl('one'))
    await client.count(4)
    const other = `${rig.pathOf('one')}.new`
    await writeFile(
      other,
      [...talk(4).slice(2), ...talk(1, 'n')].map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    await rename(other, rig.pathOf('one'))
    await client.heard(({ uuid }) => uuid === 'n1')
    expect(client.uuids()).toEqual(['u1', 'u2', 'u3', 'u4', 'n1'])
    // Cut off, and nothing of what the client has is left: all of it.
    await writeFile(rig.pathOf('one'), `${JSON.stringify(talk(1, 'z')[0])}\n`)
    await client.heard(({ uuid }) => uuid === 'z1')
  })

  it('follows a session whose file is not there yet', async () => {
    rig = await startRig()
    const session = await rig.make('one', talk(1))
    rig.sessions.set('later', { ...session, id: 'later', path: rig.pathOf('later') })
    const client = connect(rig.wsUrl('later'))
    await client.opened
    await writeFile(rig.pathOf('later'), `${JSON.stringify(talk(1)[0])}\n`)
    await client.heard(({ uuid }) => uuid === 'u1')
    expect((await stat(rig.pathOf('later'))).isFile()).toBe(true)
  })

  it('is what the file says', async () => {
    rig = await startRig()
    await rig.make('one', talk(3000))
    const client = connect(rig.wsUrl('one'))
    await client.count(3000)
    const lines = (await readFile(rig.pathOf('one'), 'utf8')).trimEnd().split('\n')
    expect(client.got).toEqual(lines.map((line) => JSON.parse(line) as unknown))
  })
})
