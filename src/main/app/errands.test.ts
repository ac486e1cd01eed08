import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChangeSet } from '@codemirror/state'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noAbilities, openWindowOn, pageOf, startPlainApp } from '../../../test/plain-app'
import type { App } from './app'
import type { WindowHost } from './window-host'

let home: string
let app: App
let window: WindowHost
let notified: string[]

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-errands-')))
  mkdirSync(join(home, 'project'))
  notified = []
  const notify = (_window: string, title: string, body: string) => {
    notified.push(title, body)
    return true
  }
  app = await startPlainApp(home, { abilities: { ...noAbilities, notify } })
  window = await openWindowOn(app, join(home, 'project'))
})
afterEach(async () => {
  await app.shutdown()
  rmSync(home, { recursive: true })
})

const edit = (path: string) =>
  app.commands.edit({ files: [{ path, line: null, column: null }], window: null })

async function opened(path: string) {
  const files = await edit(path)
  if (!files.ok) throw new Error(files.failure.message)
  const state = window.parts.documents.get(path)
  if (state?.kind !== 'text') throw new Error(`it is ${state?.kind}`)
  return { files: files.value, state }
}

const close = (path: string, unsaved: 'ask' | 'save' | 'discard') =>
  pageOf(window).call('tabs.close', { id: window.tabs.findFile(path)?.id ?? '', unsaved })

const type = (path: string, insert: string) => {
  const state = window.parts.documents.get(path)
  const length = state?.kind === 'text' ? state.text.length : 0
  expect(window.parts.documents.edit(path, ChangeSet.of({ from: 0, insert }, length))).toBe(true)
}

test('a file that is not there yet is begun as an empty text, and closed unsaved it leaves nothing', async () => {
  const path = join(home, 'project', 'deeper', 'new.txt')
  const { files, state } = await opened(path)
  expect(state.meta).toMatchObject({ disk: 'new', dirty: false, readOnly: false })
  type(path, 'typed')
  expect(await close(path, 'ask')).toMatchObject({ ok: false, failure: { code: 'unsaved' } })
  expect(await close(path, 'discard')).toMatchObject({ ok: true })
  expect(await files.ended).toEqual({ ok: true, value: {} })
  expect(existsSync(join(home, 'project', 'deeper'))).toBe(false)
  // Nothing of it is kept, and it can be begun again.
  expect((await opened(path)).state.text.toString()).toBe('')
})

test('the first save makes it, with its folders and as the project wants it', async () => {
  writeFileSync(join(home, 'project', '.editorconfig'), '[*]\nend_of_line = crlf\n')
  const path = join(home, 'project', 'deeper', 'new.txt')
  const { files } = await opened(path)
  type(path, 'one\ntwo\n')
  expect(window.parts.documents.get(path)).toMatchObject({ meta: { disk: 'new', dirty: true, eol: 'crlf' } })
  expect(await pageOf(window).call('documents.save', { path })).toMatchObject({ ok: true })
  expect(readFileSync(path, 'utf8')).toBe('one\r\ntwo\r\n')
  expect(window.parts.documents.get(path)).toMatchObject({ meta: { disk: 'same', dirty: false } })
  await close(path, 'ask')
  expect(await files.ended).toMatchObject({ ok: true })
})

test('a file that comes to be meanwhile is followed, or not written over', async () => {
  const path = join(home, 'project', 'new.txt')
  await opened(path)
  writeFileSync(path, 'from elsewhere')
  await window.parts.documents.refresh(path)
  const state = window.parts.documents.get(path)
  expect(state).toMatchObject({ meta: { disk: 'same' } })
  expect(state?.kind === 'text' && state.text.toString()).toBe('from elsewhere')
  const other = join(home, 'project', 'other.txt')
  await opened(other)
  type(other, 'mine')
  writeFileSync(other, 'theirs')
  expect(await pageOf(window).call('documents.save', { path: other })).toMatchObject({
    ok: false,
    failure: { code: 'changed' },
  })
  expect(readFileSync(other, 'utf8')).toBe('theirs')
})

test('a folder, and a path through a file, are refused with a sentence', async () => {
  writeFileSync(join(home, 'file'), '')
  expect(await edit(home)).toMatchObject({ failure: { message: expect.stringContaining('is a folder') } })
  expect(await edit(join(home, 'file', 'below'))).toMatchObject({
    failure: { message: expect.stringContaining(`${join(home, 'file')} is a file`) },
  })
})

test('names in the system notifications are one line of plain letters', async () => {
  const name = `a\nb\u202etxt${'x'.repeat(210)}`
  const path = join(home, 'project', name)
  writeFileSync(path, '')
  await opened(path)
  await expect.poll(() => notified.length).toBe(2)
  expect(notified[1]).toBe(`a btxt${'x'.repeat(193)}…`)
})
