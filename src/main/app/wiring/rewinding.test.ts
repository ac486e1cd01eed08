import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startPlainDesk, untilDesk } from '../../../../test/plain-desk'
import { Checkpoints } from '../../core/changes/checkpoints'
import { FileWatcher } from '../../core/files/watcher'
import type { ReviewDesk } from '../../core/review/desk'
import { Rewinding } from './rewinding'

let folder: string
let desk: ReviewDesk
let watcher: FileWatcher
let rewinding: Rewinding
let files: ReturnType<Rewinding['of']>
let shown: string[]
let warned: string[]
let dirty: string[]

const at = (name: string) => join(folder, name)
const text = (name: string) => readFile(at(name), 'utf8').catch(() => null)

/** The agent writes a file in the present turn. */
async function change(name: string, to: string | null | Buffer): Promise<void> {
  await files.beforeChange(at(name))
  if (to === null) await rm(at(name))
  else await writeFile(at(name), to)
}

const reviews = () =>
  desk.summaries().map(({ id, name, title, isGone, isNew, effect }) => ({
    ...{ id, name, title, effect, isNew, isGone: isGone === true },
  }))
const idOf = (name: string) => reviews().find((review) => review.name === name)?.id ?? 'none'

async function accept(name: string): Promise<string> {
  const id = idOf(name)
  expect(desk.accept(id, desk.summary(id)?.revision ?? 0).ok).toBe(true)
  await untilDesk(desk, () => desk.summary(id) === null)
  return id
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-rewinding-')))
  watcher = new FileWatcher({ interval: 100 })
  desk = startPlainDesk(folder, watcher)
  shown = []
  warned = []
  dirty = []
  rewinding = new Rewinding({
    checkpoints: new Checkpoints(join(folder, 'data'), () => undefined),
    documents: {
      settle: () => Promise.resolve(),
      get: (path) =>
        ({ kind: 'text', meta: { dirty: dirty.includes(path) } }) as ReturnType<
          ConstructorParameters<typeof Rewinding>[0]['documents']['get']
        >,
    },
    desk,
    tabs: {
      openReview: (_, path) => (shown.push(path), 'tab'),
      openOther: (what) => (shown.push(what), 'tab'),
    },
    notices: { warn: (sentence) => void warned.push(sentence) },
  })
  files = rewinding.of('c')
})

afterEach(async () => {
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

it('proposes every file as it was before a message, and writes only what is accepted', async () => {
  await writeFile(at('a'), 'a0\r\n')
  await writeFile(at('gone'), 'x\n')
  await files.begin('s', 'one')
  await change('a', 'a1\n')
  await files.begin('s', 'two')
  await change('a', 'a2\n')
  await change('new', 'n\n')
  await change('gone', null)
  await writeFile(at('a'), 'a2\nmine\n')
  expect(await files.rewind('s', 'two', 'Do  the\nsecond thing')).toEqual({
    ok: true,
    value: { files: 3 },
  })
  const common = { title: 'Rewind to before “Do the second thing”', effect: 'host' }
  expect(reviews()).toMatchObject([
    { name: 'a', isNew: false, isGone: false, ...common },
    { name: 'gone', isNew: true, isGone: false, ...common },
    { name: 'new', isNew: false, isGone: true, ...common },
  ])
  expect(shown).toEqual(['reviews'])
  expect(desk.patch(idOf('a'))?.text).toContain('-mine')
  expect([await text('a'), await text('new'), await text('gone')]).toEqual(['a2\nmine\n', 'n\n', null])
  const done = [await accept('a'), await accept('new'), await accept('gone')]
  expect([await text('a'), await text('new'), await text('gone')]).toEqual(['a1\n', null, 'x\n'])
  for (const id of done) expect(await desk.undo(id)).toMatchObject({ ok: true })
  expect([await text('a'), await text('new'), await text('gone')]).toEqual(['a2\nmine\n', 'n\n', null])
  expect(warned).toEqual([])
})

it('knows what was found after the fact, of the agent’s own connection', async () => {
  await files.begin('s', 'one')
  await writeFile(at('a'), 'a1')
  await writeFile(at('b'), 'b1')
  await rewinding.found('c', at('a'), Buffer.from('a0'))
  await rewinding.found('other', at('b'), null)
  expect(await files.rewind('s', 'one', 'one')).toMatchObject({ value: { files: 1 } })
  await accept('a')
  expect(await text('a')).toBe('a0')
})

it('another rewind of the session takes the place of the one before', async () => {
  await writeFile(at('a'), 'a0')
  await files.begin('s', 'one')
  await change('a', 'a1')
  await files.begin('s', 'two')
  await change('a', 'a2')
  await change('b', 'b')
  await files.rewind('s', 'two', 'two')
  await files.rewind('s', 'two', 'two')
  expect(reviews()).toMatchObject([{ name: 'a' }, { name: 'b' }])
  await rm(at('b'))
  expect(await files.rewind('s', 'one', 'one')).toMatchObject({ value: { files: 1 } })
  await untilDesk(desk, () => reviews().length === 1)
  expect(reviews()).toMatchObject([{ name: 'a', title: 'Rewind to before “one”' }])
  expect(shown.at(-1)).toBe(at('a'))
  await accept('a')
  expect(await text('a')).toBe('a0')
})

it('says what it leaves out, and why there is nothing', async () => {
  await files.begin('s', 'one')
  expect(await files.rewind('s', 'one', 'one')).toMatchObject({ failure: { code: 'nothing' } })
  expect(await files.rewind('s', 'two', 'two')).toMatchObject({ failure: { code: 'unknown' } })
  await change('a', 'a')
  await change('picture', Buffer.from([0, 1]))
  await writeFile(at('large'), Buffer.alloc(9 * 1024 * 1024))
  await change('large', 'small')
  dirty = [at('a')]
  const left = [
    'a was left out because of unsaved text. Save it, then rewind again.',
    'large was changed, but the old content isn’t kept. Put it back by hand.',
    'picture was left out: not readable as text. Put it back by hand.',
  ]
  expect(await files.rewind('s', 'one', 'one')).toMatchObject({ failure: { message: left.join(' ') } })
  dirty = []
  expect(await files.rewind('s', 'one', 'one')).toMatchObject({ value: { files: 1 } })
  expect(warned).toEqual(left.slice(1))
})
