import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LiveConversation } from './live-conversation'
import { UnsentMessages } from './unsent-messages'

let folder: string
let unsent: UnsentMessages
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-unsent-'))
  unsent = new UnsentMessages(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const done = () => Promise.resolve({ ok: true as const, value: {} })
const picture = { mediaType: 'image/png' as const, data: 'iVBO' }
const message = (text: string) => ({ text, pictures: [picture], withContext: false })

function conversation(session: string | null, from: string | null = null) {
  const live = new LiveConversation(
    { title: 'T', agent: 'Claude', folder },
    { send: done, stop: done, restart: done, end: done, choose: done },
    { from },
  )
  live.update({ session, activity: 'working', process: { phase: 'running', startedAt: 0 } })
  return live
}

/** What a page is given. */
async function messages(from: UnsentMessages, name: string) {
  return (await from.take(name)).flatMap((kept) => kept.messages)
}

/** As an app that starts after this one was killed. */
async function afterwards(): Promise<UnsentMessages> {
  await unsent.flush()
  return new UnsentMessages(folder)
}

test('what waits in a conversation outlives the app, and stays until a page says that it has it', async () => {
  const live = conversation('s1')
  unsent.follow('live:1', live, 'next')
  await live.send(message('One'))
  await live.send(message('Two'))
  const later = await afterwards()
  expect(await later.take('s2')).toEqual([])
  const kept = (text: string) => ({ text, pictures: [{ ...picture, name: '' }] })
  const taken = await later.take('s1')
  expect(taken.map(({ messages }) => messages)).toEqual([[kept('One'), kept('Two')]])
  // The answer may not have arrived.
  expect(await later.take('s1')).toEqual(taken)
  const had = taken.map(({ id }) => id)
  expect(await later.take('s2', had)).toEqual([])
  expect(await later.take('s1')).toEqual(taken)
  expect(await later.take('s1', had)).toEqual([])
  const [file] = await readdir(join(folder, 'unsent-messages'))
  expect(file).toBeUndefined()
})

test('what was sent or taken back meanwhile isn’t there any more', async () => {
  const live = conversation('s1')
  unsent.follow('live:1', live, 'next')
  await live.send(message('One'))
  await live.send(message('Two'))
  live.update({ activity: 'idle' })
  await live.withdraw('m2')
  expect(await (await afterwards()).take('s1')).toEqual([])
})

test('nothing is taken out of a conversation that goes on; what waits when it is over can be', async () => {
  const live = conversation(null)
  const following = unsent.follow('live:1', live, 'next')
  await live.send(message('One'))
  expect(await unsent.take('next')).toEqual([])
  live.update({ session: 's1' })
  expect(await unsent.take('s1')).toEqual([])
  expect(live.state.queue).toHaveLength(1)
  await unsent.flush()
  const [file = ''] = await readdir(join(folder, 'unsent-messages'))
  expect(await unsent.take('s1', [file.slice(-'0123456789abcdef.json'.length, -'.json'.length)])).toEqual([])
  following.dispose()
  expect(await unsent.take('next')).toEqual([])
  expect(await messages(unsent, 's1')).toMatchObject([{ text: 'One' }])
})

test('what waits where there is no session yet is for the next conversation', async () => {
  const live = conversation(null)
  unsent.follow('live:1', live, 'next')
  await live.send(message('One'))
  expect(await messages(await afterwards(), 'next')).toMatchObject([{ text: 'One' }])
})

test('what waits where a session goes on, or a copy of it, is for that one until its program tells its own', async () => {
  const live = conversation(null, 's1')
  const following = unsent.follow('live:1', live, 'next')
  await live.send(message('One'))
  expect(await messages(await afterwards(), 'next')).toEqual([])
  expect(await messages(await afterwards(), 's1')).toMatchObject([{ text: 'One' }])
  live.update({ session: 's2' })
  following.dispose()
  expect(await messages(unsent, 's1')).toEqual([])
  expect(await messages(unsent, 's2')).toMatchObject([{ text: 'One' }])
})

test('how much is left by a conversation is what is kept of it, which is nothing where it can’t be', async () => {
  const [left, lost] = [conversation('s1'), conversation('s1')]
  unsent.follow('live:1', left, 'next')
  await left.send(message('One'))
  await left.send(message('Two'))
  expect(await unsent.leftBy('live:1')).toBe(2)
  await rm(folder, { recursive: true })
  await writeFile(folder, 'no folder any more')
  const problems: string[] = []
  unsent.onProblem((problem) => problems.push(problem))
  unsent.follow('live:2', lost, 'next')
  await lost.send(message('Three'))
  expect(await unsent.leftBy('live:2')).toBe(0)
  expect(problems).toEqual([expect.stringContaining('may be lost')])
})

test('pictures of a draft are there again, only for their owner to read, until there are none', async () => {
  const named = { ...picture, name: 'plan.png' }
  unsent.keepDraft('s1', [named])
  await unsent.flush()
  const [file = ''] = await readdir(join(folder, 'unsent-messages'))
  if (process.platform !== 'win32')
    expect((await stat(join(folder, 'unsent-messages', file))).mode & 0o777).toBe(0o600)
  const later = await afterwards()
  const [kept] = await later.take('s1')
  expect(kept?.messages).toEqual([{ text: '', pictures: [named] }])
  expect(await later.take('s1', [kept?.id ?? ''])).toEqual([])
  expect(await later.take('s1')).toEqual([kept])
  unsent.keepDraft('s1', [named])
  unsent.keepDraft('s1', [])
  expect(await (await afterwards()).take('s1')).toEqual([])
})

test('the oldest are dropped beyond a hundred', async () => {
  for (let count = 0; count < 103; count++) {
    unsent.keepDraft(`s${count}`, [{ ...picture, name: '' }])
    await unsent.flush()
  }
  expect(await readdir(join(folder, 'unsent-messages'))).toHaveLength(100)
  expect(await unsent.take('s102')).toHaveLength(1)
})
