import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Talk } from '../talk'
import { untilDesk } from '../plain-desk'
import { startTalkingApp, type TalkingApp } from './claude-talk'
import { type Reply, say, use } from './messages-api'

/** Files are put back to before a message of a conversation with the real Claude Code, by reviews. */
vi.setConfig({ testTimeout: 120_000 })
let app: TalkingApp | null = null
afterEach(async () => {
  await app?.dispose()
  app = null
})

interface Rig {
  app: TalkingApp
  at(name: string): string
  text(name: string): string | null
  /** What the model does next, then it says `done`. */
  next(...replies: readonly Reply[]): void
  read(name: string): Reply
  edit(name: string, old_string: string, new_string: string): Reply
}

async function start(): Promise<Rig | null> {
  app = await startTalkingApp()
  if (!app) return null
  const running = app
  const at = (name: string) => join(running.place.project, name)
  const script: Reply[] = []
  app.api.setScript((request) => (request.main ? (script.shift() ?? say('done')) : say('ok')))
  return {
    app,
    at,
    text: (name) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null),
    next: (...replies) => void script.push(...replies),
    read: (name) => use({ name: 'Read', input: { file_path: at(name) } }),
    edit: (name, old_string, new_string) =>
      use({ name: 'Edit', input: { file_path: at(name), old_string, new_string } }),
  }
}

const prompts = (talk: Talk) => talk.items.filter(({ kind }) => kind === 'prompt').map(({ id }) => id)
const rewind = (talk: Talk, at: number) =>
  talk.page.call('conversation.rewind', { id: talk.id, before: prompts(talk)[at] ?? 'none' })

/** Decides a review once it is open. */
async function decide({ app: { window } }: Rig, path: string, how: 'accept' | 'reject'): Promise<string> {
  const { desk } = window.parts
  const found = () => desk.summaries().find((one) => one.path === path && one.phase === 'open')
  const { id, revision } = await untilDesk(desk, found)
  expect(desk[how](id, revision).ok).toBe(true)
  await untilDesk(desk, () => desk.summary(id) === null)
  return id
}

test.each([true, false])('three messages, changes reviewed: %s', async (isReviewed) => {
  const rig = await start()
  if (!rig) return
  // What is written without a review would be asked about after the fact.
  rig.app.window.parts.options.settingsStore.set({ reviewUnasked: false })
  const { app: running, at, text, next } = rig
  writeFileSync(at('a.txt'), 'one\r\ntwo\r\nthree\r\n')
  writeFileSync(at('b.txt'), 'b\n')
  next(rig.read('a.txt'), rig.edit('a.txt', 'one', 'ONE'))
  const mode = isReviewed ? 'default' : 'acceptEdits'
  const talk = await Talk.begin(running.window, { permissionMode: mode })
  await talk.page.call('conversation.switch', { id: talk.id, switch: 'review', on: isReviewed })
  const accept = async (name: string) => isReviewed && (await decide(rig, at(name), 'accept'))
  await talk.send('first')
  await accept('a.txt')
  await talk.rests(1)
  next(
    rig.edit('a.txt', 'two', 'TWO'),
    use({ name: 'Write', input: { file_path: at('new.txt'), content: 'n' } }),
  )
  await talk.send('the second\nmessage')
  await accept('a.txt')
  await accept('new.txt')
  await talk.rests(2)
  next(rig.read('b.txt'), rig.edit('b.txt', 'b', 'B'), rig.edit('a.txt', 'three', 'THREE'))
  await talk.send('third')
  await accept('b.txt')
  await accept('a.txt')
  await talk.rests(3)
  expect([text('a.txt'), text('b.txt'), text('new.txt')]).toEqual(['ONE\r\nTWO\r\nTHREE\r\n', 'B\n', 'n'])
  writeFileSync(at('a.txt'), 'ONE\r\nTWO\r\nTHREE\r\nmine\r\n')

  expect(await rewind(talk, 1)).toEqual({ ok: true, value: { files: 3 } })
  const { desk } = running.window.parts
  expect(desk.summaries().map(({ title, name, isGone }) => [title, name, isGone === true])).toEqual([
    ['Rewind to before “the second message”', 'a.txt', false],
    ['Rewind to before “the second message”', 'b.txt', false],
    ['Rewind to before “the second message”', 'new.txt', true],
  ])
  expect(text('a.txt')).toContain('mine')
  const done = [await decide(rig, at('a.txt'), 'accept'), await decide(rig, at('new.txt'), 'accept')]
  await decide(rig, at('b.txt'), 'reject')
  expect([text('a.txt'), text('b.txt'), text('new.txt')]).toEqual(['ONE\r\ntwo\r\nthree\r\n', 'B\n', null])
  for (const id of done) expect(await desk.undo(id)).toMatchObject({ ok: true })
  expect(text('a.txt')).toBe('ONE\r\nTWO\r\nTHREE\r\nmine\r\n')
  expect(text('new.txt')).toBe('n')
  expect(running.faults).toEqual([])
})

test('what a shell command wrote, once it is found', async () => {
  const rig = await start()
  if (!rig) return
  const { app: running, at, text, next } = rig
  const { desk } = running.window.parts
  for (const name of ['a.txt', 'gone.txt']) writeFileSync(at(name), `${name}\n`)
  next(use({ name: 'Bash', input: { command: 'rm gone.txt; echo more >> a.txt; echo new > new.txt' } }))
  const talk = await Talk.begin(running.window, { permissionMode: 'bypassPermissions' }, 'go')
  await talk.rests(1)
  await untilDesk(desk, () => desk.summaries().length === 3)
  expect(desk.summaries().every(({ effect }) => effect === 'written')).toBe(true)
  expect(await rewind(talk, 0)).toEqual({ ok: true, value: { files: 3 } })
  for (const name of ['a.txt', 'gone.txt', 'new.txt']) {
    const own = () => desk.summaries().find((one) => one.path === at(name) && one.effect === 'host')
    const { id, revision } = await untilDesk(desk, own)
    expect(desk.accept(id, revision).ok).toBe(true)
  }
  // What was asked after the fact is answered by that.
  await untilDesk(desk, () => desk.summaries().length === 0)
  expect([text('a.txt'), text('gone.txt'), text('new.txt')]).toEqual(['a.txt\n', 'gone.txt\n', null])
})

test('not while it works, and with a sentence where there is nothing', async () => {
  const rig = await start()
  if (!rig) return
  const { app: running, at, next } = rig
  writeFileSync(at('a.txt'), 'one\n')
  next(say('nothing'), rig.read('a.txt'), rig.edit('a.txt', 'one', 'ONE'))
  const talk = await Talk.begin(running.window, { permissionMode: 'default' }, 'first')
  await talk.rests(1)
  expect(await rewind(talk, 0)).toMatchObject({ failure: { code: 'nothing' } })
  await talk.send('second')
  const { desk } = running.window.parts
  await untilDesk(desk, () => desk.summaries().some(({ phase }) => phase === 'open'))
  expect(await rewind(talk, 0)).toMatchObject({ failure: { code: 'busy' } })
  await decide(rig, at('a.txt'), 'accept')
  await talk.rests(2)
  expect(await rewind(talk, 5)).toMatchObject({ failure: { code: 'gone' } })
})

test('a session that is resumed or forked knows what was before', async () => {
  const rig = await start()
  if (!rig) return
  const { app: running, at, text, next } = rig
  writeFileSync(at('a.txt'), 'one\n')
  next(rig.read('a.txt'), rig.edit('a.txt', 'one', 'two'))
  const talk = await Talk.begin(running.window, { permissionMode: 'default' }, 'first')
  await decide(rig, at('a.txt'), 'accept')
  await talk.rests(1)
  const session = talk.state?.session ?? ''
  for (const isFork of [false, true]) {
    next(rig.read('a.txt'), rig.edit('a.txt', 'two', 'three'))
    const values = { permissionMode: 'default', resume: session, forkSession: isFork }
    const other = await Talk.begin(running.window, values, 'second')
    await decide(rig, at('a.txt'), 'accept')
    await other.rests(1)
    const now = other.state?.session ?? ''
    expect(now === session).toBe(!isFork)
    expect(text('a.txt')).toBe('three\n')
    // What was said before it began stands in it, and can be gone back to.
    const count = isFork ? 3 : 2
    await other.until('all messages', () => prompts(other).length === count)
    for (const [message, before] of [
      [count - 1, 'two\n'],
      [0, 'one\n'],
    ] as const) {
      expect(await rewind(other, message)).toEqual({ ok: true, value: { files: 1 } })
      await decide(rig, at('a.txt'), 'accept')
      expect(text('a.txt')).toBe(before)
    }
    writeFileSync(at('a.txt'), 'two\n')
  }
})
