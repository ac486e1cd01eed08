import { ChangeSet, Text } from '@codemirror/state'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { DraftStepJson } from '../../src/shared/contract/review'
import { Talk } from '../talk'
import { pageOf } from '../plain-app'
import { untilDesk } from '../plain-desk'
import { notebook } from './a-notebook'
import { firstUnlessLong, startTalkingApp, type TalkingApp } from './claude-talk'
import { type Reply, type Script, say, use } from './messages-api'

/** Every change of a file in a conversation without a terminal is reviewed, whatever the permission mode. */
vi.setConfig({ testTimeout: 90_000 })
let app: TalkingApp | null = null
afterEach(async () => {
  await app?.dispose()
  app = null
})

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const proposed = before.replace('two', 'TWO').replace('six', 'SIX')

/** Reads and edits app.txt, then says that it is done. */
function editing(path: string): readonly Reply[] {
  const body = (text: string) => text.slice(text.indexOf('two'), text.indexOf('six') + 3)
  return [
    use({ name: 'Read', input: { file_path: path } }),
    use({
      name: 'Edit',
      input: {
        file_path: path,
        old_string: body(before),
        new_string: body(before).replace('two', 'TWO').replace('six', 'SIX'),
      },
    }),
    say('done'),
  ]
}

async function begin(mode: string, script?: (path: string) => Script) {
  app = await startTalkingApp()
  if (!app) return null
  const path = join(app.place.project, 'app.txt')
  writeFileSync(path, before)
  const replies = editing(path)
  app.api.setScript(
    script?.(path) ?? ((request) => (request.main ? (replies[request.turn] ?? say('ok')) : say('ok'))),
  )
  const talk = await Talk.begin(app.window, { permissionMode: mode }, 'change it')
  const { desk } = app.window.parts
  const review = await untilDesk(desk, () =>
    desk.summaries().find((one) => one.path === path && one.phase === 'open'),
  )
  const decide = (...steps: DraftStepJson[]) =>
    desk.step(review.id, { client: 'p', version: 0, after: 0, steps })
  const accept = () => desk.accept(review.id, desk.summary(review.id)?.revision ?? -1)
  const reject = (note?: string) => desk.reject(review.id, desk.summary(review.id)?.revision ?? -1, note)
  return { app, talk, desk, review, path, decide, accept, reject }
}

/** The record of writes as it is exported. */
async function recorded({ window }: TalkingApp): Promise<unknown[]> {
  const lines: unknown[] = []
  for await (const { line } of window.parts.desk.writes.lines({ texts: false })) lines.push(JSON.parse(line))
  return lines
}

const ended = (talk: Talk) => talk.until('the last word', ({ said }) => said.includes('reply: done'))

const modes = ['acceptEdits', 'bypassPermissions', 'default']

test.each(firstUnlessLong(modes))('accepted whole, in mode %s', async (mode) => {
  const rig = await begin(mode)
  if (!rig) return
  const { talk, path, accept, review, app: running } = rig
  expect(review).toMatchObject({ agent: 'Claude' })
  accept()
  await ended(talk)
  expect(readFileSync(path, 'utf8')).toBe(proposed)
  expect(talk.calls.map(({ name, state }) => `${name} ${state}`)).toEqual(['Read done', 'Edit done'])
  expect(running.api.requests.at(-1)?.everything).not.toContain('The person changed this')
  expect(running.faults).toEqual([])
})

test.each(firstUnlessLong(modes))('in part, and the model is told, in mode %s', async (mode) => {
  const rig = await begin(mode)
  if (!rig) return
  const { talk, path, decide, accept, app: running } = rig
  decide({ kind: 'reject', hunk: 2 })
  accept()
  await ended(talk)
  expect(readFileSync(path, 'utf8')).toBe(before.replace('two', 'TWO'))
  const told = running.api.requests.at(-1)?.latest ?? ''
  expect(told).toContain('- SIX')
  expect(told).toContain('+ six')
})

test('with what the person typed', async () => {
  const rig = await begin('acceptEdits')
  if (!rig) return
  const { talk, path, decide, accept } = rig
  const at = proposed.indexOf('SIX') + 3
  const changes = ChangeSet.of({ from: at, insert: Text.of([' and a half']) }, proposed.length)
  decide({ kind: 'edit', changes: changes.toJSON() as unknown[] })
  accept()
  await ended(talk)
  expect(readFileSync(path, 'utf8')).toBe(proposed.replace('SIX', 'SIX and a half'))
})

test('rejected with a reason that the model reads', async () => {
  const rig = await begin('bypassPermissions')
  if (!rig) return
  const { talk, path, reject, app: running } = rig
  reject('keep it small')
  await ended(talk)
  expect(readFileSync(path, 'utf8')).toBe(before)
  const [result] = running.api.requests.at(-1)?.results ?? []
  expect(result).toMatchObject({ isError: true })
  expect(result?.text).toContain('They say: keep it small')
  expect(talk.calls.at(-1)).toMatchObject({ name: 'Edit', state: 'refused' })
  expect(await recorded(running)).toMatchObject([
    {
      ...{ path, how: 'rejected', by: { kind: 'person' }, session: talk.state?.session, written: null },
      turn: expect.any(String) as string,
    },
  ])
})

test('a new cell of a notebook is reviewed, written as it was changed with an id of Claude’s own, and undone', async () => {
  app = await startTalkingApp()
  if (!app) return
  const path = join(app.place.project, 'a.ipynb')
  const old = notebook('x = 1')
  writeFileSync(path, old)
  const cell = { notebook_path: path, cell_id: 'c1', cell_type: 'code', edit_mode: 'insert' }
  const replies = [
    use({ name: 'Read', input: { file_path: path } }),
    use({ name: 'NotebookEdit', input: { ...cell, new_source: 'y = 2' } }),
    say('done'),
  ]
  app.api.setScript((request) => (request.main ? (replies[request.turn] ?? say('ok')) : say('ok')))
  const talk = await Talk.begin(app.window, { permissionMode: 'acceptEdits' }, 'add a cell')
  const { desk } = app.window.parts
  const { id } = await untilDesk(desk, () => desk.summaries().find(({ phase }) => phase === 'open'))
  const content = desk.content(id)?.content
  const draft = content?.kind === 'text' ? content.draft.b : Text.empty
  const at = draft.toString().indexOf('y = 2')
  const changes = ChangeSet.of({ from: at, to: at + 5, insert: Text.of(['y = 3']) }, draft.length)
  const steps: DraftStepJson[] = [{ kind: 'edit', changes: changes.toJSON() as unknown[] }]
  desk.step(id, { client: 'p', version: 0, after: 0, steps })
  desk.accept(id, desk.summary(id)?.revision ?? -1)
  await ended(talk)
  const { cells } = JSON.parse(readFileSync(path, 'utf8')) as { cells: unknown[] }
  expect(cells).toMatchObject([
    { id: 'c1' },
    { id: expect.stringMatching(/^[\da-f]{8}$/) as unknown, source: 'y = 3' },
  ])
  await untilDesk(desk, () => desk.summaries().length === 0)
  expect(desk.decided()).toMatchObject([{ path, how: 'accepted', canUndo: true }])
  expect(await desk.undo(id)).toMatchObject({ ok: true })
  expect(readFileSync(path, 'utf8')).toBe(old)
  expect(app.faults).toEqual([])
})

test('refused where the file was changed by somebody else as it was decided', async () => {
  const rig = await begin('acceptEdits')
  if (!rig) return
  const { talk, path, accept, app: running } = rig
  accept()
  // Before the decision is on disk and told.
  writeFileSync(path, 'mine\n')
  await ended(talk)
  expect(readFileSync(path, 'utf8')).toBe('mine\n')
  expect(running.api.requests.at(-1)?.results[0]?.text).toContain('changed by somebody else')
})

test('accepted with words, and then not to be written: the model reads them beside why, the person that it isn’t there', async (context) => {
  context.skip(process.platform !== 'linux', 'a place where nothing can be made')
  app = await startTalkingApp()
  if (!app) return
  const replies = [use({ name: 'Write', input: { file_path: '/proc/made', content: 'TWO\n' } }), say('done')]
  app.api.setScript((request) => (request.main ? (replies[request.turn] ?? say('ok')) : say('ok')))
  const talk = await Talk.begin(app.window, { permissionMode: 'acceptEdits' }, 'make it')
  const { desk } = app.window.parts
  const { id } = await untilDesk(desk, () => desk.summaries().find(({ phase }) => phase === 'open'))
  desk.comment(id, [{ id: 'c', lines: { from: 1, to: 1 }, quote: 'TWO', text: 'why capitals?' }])
  desk.accept(id, desk.summary(id)?.revision ?? -1)
  await ended(talk)
  const told = app.api.requests.at(-1)
  expect(told?.results[0]).toMatchObject({ isError: true })
  expect(told?.latest).toContain('why capitals?')
  expect(talk.calls.at(-1)).toMatchObject({ name: 'Write', state: 'failed' })
  await untilDesk(desk, () => desk.summary(id)?.phase === 'overdue')
  desk.discard(id, desk.summary(id)?.revision ?? -1)
  expect(await recorded(app)).toMatchObject([{ path: '/proc/made', written: null }])
})

test('a rule for files lets a change through, which is on record with its turn; another refuses by name', async () => {
  app = await startTalkingApp()
  if (!app) return
  const { place, api, window } = app
  const path = join(place.project, 'app.txt')
  writeFileSync(path, before)
  const migration = join(place.project, 'migrations', '1.sql')
  const replies = [
    ...editing(path).slice(0, 2),
    use({ name: 'Write', input: { file_path: migration, content: 'drop' } }),
    say('done'),
  ]
  api.setScript((request) => (request.main ? (replies[request.turn] ?? say('ok')) : say('ok')))
  await pageOf(window).call('settings.set', {
    reviewPathRules: [
      { pattern: '*.txt', answer: 'write' },
      { pattern: 'migrations/**', answer: 'never' },
    ],
  })
  const talk = await Talk.begin(window, { permissionMode: 'default' }, 'change it')
  await ended(talk)
  const { desk } = window.parts
  expect(readFileSync(path, 'utf8')).toBe(proposed)
  expect(existsSync(migration)).toBe(false)
  expect(api.requests.at(-1)?.latest).toContain('“migrations/**”')
  expect(await recorded(app)).toMatchObject([
    {
      ...{ path, how: 'let-through', by: { kind: 'rule', pattern: '*.txt' } },
      ...{ session: talk.state?.session, turn: expect.any(String) as string },
    },
  ])
  expect(await desk.undo(desk.decided()[0]?.id ?? '')).toMatchObject({ ok: true })
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(app.faults).toEqual([])
})
