import { appendFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { writeSession } from '../../../../test/session-files'
import { RawClient, startRig, talk, type SessionServerRig } from '../../../../test/session-server-rig'
import { succeed } from '../../../shared/result'
import { usualPatience } from './subscriber'

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

describe('several subscribers', () => {
  it('a slow one is dropped with a reason, and nobody else notices', async () => {
    rig = await startRig({ patience: { stalled: 200 } })
    await rig.make('big', [])
    await writeSession(rig.pathOf('big'), { messages: 8000 })
    const slow = connect(rig.wsUrl('big', 'last=100000'), { perMessageDeflate: false })
    await slow.opened
    slow.socket.pause()
    const dropped = new Promise<string | null>((resolve) => rig.onEnded.on(resolve))
    const quick = connect(rig.wsUrl('big'), { perMessageDeflate: false })
    expect(await dropped).toMatch(/does not read/)
    await appendFile(rig.pathOf('big'), `${JSON.stringify(talk(1, 'end')[0])}\n`)
    await quick.heard(({ uuid }) => uuid === 'end1')
    expect(rig.server.subscribers).toBe(1)
    slow.socket.resume()
    expect(await slow.closed).toMatchObject({ code: 1013 })
    expect(slow.got.at(-1)).toMatchObject({ type: 'error', code: 'dropped' })
    expect(slow.got.length).toBeLessThan(quick.got.length)
  })

  it('take their turns: a flood of one does not go before the message of another', async () => {
    rig = await startRig()
    await rig.make('one', talk(1))
    const plain = { perMessageDeflate: false }
    const [flooding, other] = [connect(rig.wsUrl('one'), plain), connect(rig.wsUrl('one'), plain)]
    await Promise.all([flooding.count(1), other.count(1)])
    const count = 5000
    for (let i = 0; i < count; i += 1) flooding.send('{}')
    other.send('mine')
    await other.heard(({ code }) => code === 'malformed')
    const taken = rig.frames.filter(({ direction }) => direction === 'in')
    expect(taken.findIndex(({ text }) => text === 'mine')).toBeLessThan(count / 10)
  })

  it('are asked whether they are still there; one that does not answer twice is let go', async () => {
    expect(usualPatience.ping).toBe(30_000)
    rig = await startRig({ patience: { ping: 400 } })
    await rig.make('one', talk(1))
    const mute = connect(rig.wsUrl('one'), { autoPong: false })
    const there = connect(rig.wsUrl('one'))
    await Promise.all([mute.count(1), there.count(1)])
    expect(await mute.closed).toMatchObject({ code: 1006 })
    await rig.append('one', ...talk(1, 'u', 2))
    await there.count(2)
    expect(rig.server.subscribers).toBe(1)
    expect(rig.ended).toEqual(['It did not answer.'])
  })

  it('hear that another one types, until it leaves, and that the agent works', async () => {
    rig = await startRig()
    await rig.make('one', talk(2))
    const [first, second] = [connect(rig.wsUrl('one')), connect(rig.wsUrl('one'))]
    await Promise.all([first.count(2), second.count(2)])
    first.send({ type: 'typing', isTyping: true })
    await second.heard(({ isTyping, from }) => isTyping === true && from === 'client')
    first.socket.close()
    await second.heard(({ isTyping, from }) => isTyping === false && from === 'client')
    await rig.append('one', ...talk(1, 'u', 3))
    await second.heard(({ isTyping, from }) => isTyping === true && from === 'agent')
    await rig.append('one', ...talk(1, 'u', 4))
    await second.heard(({ isTyping, from }) => isTyping === false && from === 'agent')
    expect(first.got.some(({ type }) => type === 'typing')).toBe(false)
  })
})

describe('a prompt', () => {
  it('is acknowledged with the uuid of its line, however the agent wraps it', async () => {
    rig = await startRig({ deliver: () => Promise.resolve(succeed({ resumed: false })) })
    await rig.make('one', talk(2))
    const client = connect(rig.wsUrl('one'))
    await client.count(2)
    client.send({ type: 'user_message', content: 'line 1\n line 2', clientId: 'mine' })
    client.send({ type: 'typing', isTyping: false })
    const prompt = (uuid: string, content: string) => ({
      type: 'user',
      uuid,
      message: { role: 'user', content },
    })
    await expect.poll(() => rig.frames.filter(({ direction }) => direction === 'in').length).toBe(2)
    await rig.append('one', prompt('other', 'typed by the person'))
    await rig.append('one', prompt('own', '\n<pasted_content id="1">\nline 1\nline 2\n</pasted_content>'))
    expect(await client.heard(({ type }) => type === 'ack')).toEqual({
      type: 'ack',
      uuid: 'own',
      clientId: 'mine',
    })
  })

  it('that is a command comes back, unless the person allows them; then nothing is to be tried again', async () => {
    const typed: string[] = []
    rig = await startRig({
      deliver: (_session, text) => {
        typed.push(text)
        return Promise.resolve(succeed({ resumed: false }))
      },
    })
    await rig.make('one', talk(1))
    const client = connect(rig.wsUrl('one'))
    await client.count(1)
    const commands = ['!ls', ' \n!ls', '\x01!ls', '\u200b！ls', '/clear', '/mcp:tool now', '\x7f/Help\n']
    for (const [clientId, content] of commands.entries()) {
      client.send({ type: 'user_message', content, clientId })
      const refused = await client.heard((message) => message['clientId'] === clientId)
      expect(refused).toMatchObject({ type: 'error', code: 'command', content })
    }
    expect(typed).toEqual([])
    const others = ['/home/me/a.ts is wrong', '/ is full', 'Wow!', '1/2', 'see\n!ls']
    for (const content of others) client.send({ type: 'user_message', content })
    await expect.poll(() => typed).toEqual(others)
    rig.allowsCommands = true
    client.send({ type: 'user_message', content: '!ls', clientId: 'allowed' })
    const done = await client.heard((message) => message['clientId'] === 'allowed')
    expect(done).toEqual({ type: 'ack', uuid: null, clientId: 'allowed' })
    expect(typed.at(-1)).toBe('!ls')
  })

  it('comes back with the reason where it cannot be delivered, and so does every wrong frame', async () => {
    rig = await startRig()
    await rig.make('one', talk(1))
    const client = connect(rig.wsUrl('one'))
    await client.count(1)
    client.send({ type: 'user_message', content: 'keep me', clientId: 7 })
    expect(await client.heard(({ code }) => code === 'elsewhere')).toEqual({
      ...{ type: 'error', code: 'elsewhere', error: 'It runs in another terminal.' },
      ...{ content: 'keep me', clientId: 7 },
    })
    client.send({ type: 'user_message', content: ' ' })
    await client.heard(({ code }) => code === 'empty')
    const wrong: [string, string][] = [
      ['{', 'malformed'],
      ['null', 'malformed'],
      ['{"type":"user_message"}', 'malformed'],
      ['{"type":"history","limit":0}', 'malformed'],
      ['{"type":"unheard-of"}', 'unknown-type'],
    ]
    for (const [frame, code] of wrong) {
      const before = client.got.length
      client.send(frame)
      await client.count(before + 1)
      expect([frame, client.got.at(-1)]).toMatchObject([frame, { type: 'error', code }])
    }
    client.send(JSON.stringify({ type: 'user_message', content: 'x'.repeat(1_000_001) }))
    const tooLong = await client.heard(({ content }) => typeof content === 'string' && content.length > 1000)
    expect(tooLong).toMatchObject({ type: 'error', code: 'malformed' })
  })
})

it('pages and places are those of a list, whatever stands between', async () => {
  rig = await startRig()
  const record = fc.constantFrom('user', 'assistant', 'mode', 'attachment', 'system', 'broken')
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 40 }),
      fc.nat(45),
      fc.nat(45),
      async (types, at, last) => {
        const lines = types.map((type, index) =>
          type === 'broken'
            ? 'no JSON'
            : JSON.stringify({ type, uuid: `m${index}`, pad: 'x'.repeat(index * 50) }),
        )
        await rig.make('one', `${lines.join('\n')}\n`)
        const isSent = (type: string) => ['user', 'assistant', 'system'].includes(type)
        const sent = types.flatMap((type, index) => (isSent(type) ? [index] : []))
        const names = (indexes: readonly number[]) => indexes.map((index) => `m${index}`)
        const newest = last === 0 ? [] : sent.slice(-last)
        const client = connect(rig.wsUrl('one', `last=${last}`))
        await client.opened
        client.send({ type: 'history', limit: 1000 })
        await client.heard(({ type }) => type === 'history')
        const earlier = sent.slice(0, sent.length - newest.length)
        expect(client.uuids()).toEqual(names([...newest, ...earlier]))
        client.socket.terminate()
        if (types[at] === undefined || types[at] === 'broken') return
        const behind = connect(rig.wsUrl('one', `fromUuid=m${at}`))
        await behind.opened
        await rig.append('one', { type: 'user', uuid: 'end' })
        await behind.heard(({ uuid }) => uuid === 'end')
        expect(behind.uuids()).toEqual([...names(sent.filter((index) => index > at)), 'end'])
        behind.socket.terminate()
      },
    ),
    { numRuns: 25 },
  )
})
