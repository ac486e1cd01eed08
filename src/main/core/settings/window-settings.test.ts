import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderSettings } from './folder-settings'
import { createMemorySettingsStore } from '../../../../test/memory-settings'
import { WindowSettings } from './window-settings'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'greenlight-folder-settings-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function makeWindow(first: string | undefined = '/green') {
  const store = createMemorySettingsStore({ reviewWrap: true })
  const folders = new FolderSettings(directory)
  let folder: string | undefined = first
  const window = new WindowSettings(store, folders, () => folder)
  const heard: unknown[] = []
  window.onChange((change) => heard.push(change))
  const move = (to: string | undefined) => {
    folder = to
    window.update()
  }
  return { store, folders, window, heard, move }
}

test('the folder’s own value goes before the person’s, and what is told is what changes', () => {
  const { window, store, heard } = makeWindow()
  expect(window.change('folder', { reviewLayout: 'side-by-side' }, []).ok).toBe(true)
  expect(window.get()).toMatchObject({ reviewLayout: 'side-by-side', reviewWrap: true })
  store.set({ reviewLayout: 'side-by-side' })
  expect(store.set({ reviewLayout: 'unified' }).ok).toBe(true)
  expect(heard).toEqual([{ reviewLayout: 'side-by-side' }])
  window.change('folder', {}, ['reviewLayout'])
  expect(heard.at(-1)).toEqual({ reviewLayout: 'unified' })
})

test('a switch in a view changes the value that holds', () => {
  const { window, store } = makeWindow()
  window.change('folder', { reviewLayout: 'side-by-side' }, [])
  window.set({ reviewLayout: 'unified', reviewWrap: false })
  expect(window.stored().inFolder).toEqual({ reviewLayout: 'unified' })
  expect(store.stored()).toEqual({ reviewWrap: false })
})

test('rules for files are the person’s and the folder’s', () => {
  const { window, store } = makeWindow()
  const [mine, here] = [
    { pattern: 'secrets/**', answer: 'never' as const },
    { pattern: 'docs/**', answer: 'write' as const },
  ]
  store.set({ reviewPathRules: [mine] })
  window.change('folder', { reviewPathRules: [here] }, [])
  expect(window.get().reviewPathRules).toEqual([mine, here])
  window.change('folder', {}, ['reviewPathRules'])
  expect(window.get().reviewPathRules).toEqual([mine])
})

test('other folders and no folder have none of it', () => {
  const { window, heard, move } = makeWindow()
  window.change('folder', { reviewLayout: 'side-by-side' }, [])
  move('/other')
  expect(window.get().reviewLayout).toBe('unified')
  move(undefined)
  expect(window.change('folder', { reviewWrap: true }, [])).toMatchObject({ ok: false })
  expect(heard).toHaveLength(2)
})

test('what has one value for all folders is refused', () => {
  const { window, folders } = makeWindow()
  expect(window.change('folder', { theme: 'dark' }, [])).toMatchObject({
    ok: false,
    failure: { code: 'not-for-folders' },
  })
  expect(folders.of('/green')).toEqual({})
})

test('a file that was edited by hand, with a comment, holds and is not lost with the next change', () => {
  writeFileSync(
    join(directory, 'folder-settings.json'),
    '{\n  // mine\n  "/red": { "reviewWrap": false },\n}\n',
  )
  const { folders, window } = makeWindow()
  expect(folders.problem).toBeNull()
  expect(folders.of('/red')).toEqual({ reviewWrap: false })
  window.change('folder', { reviewWrap: true }, [])
  expect(new FolderSettings(directory).of('/red')).toEqual({ reviewWrap: false })
})

test('a disk that refuses changes nothing, and says so', () => {
  writeFileSync(join(directory, 'file'), '')
  const folders = new FolderSettings(join(directory, 'file'))
  const window = new WindowSettings(createMemorySettingsStore(), folders, () => '/green')
  expect(window.change('folder', { reviewWrap: false }, [])).toMatchObject({
    ok: false,
    failure: { code: 'unwritable' },
  })
  expect(folders.of('/green')).toEqual({})
})

test('is there after a restart; a broken file is set aside and told', () => {
  makeWindow().window.change('folder', { reviewWrap: false }, [])
  expect(makeWindow().window.get().reviewWrap).toBe(false)
  const path = join(directory, 'folder-settings.json')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ '/green': { reviewWrap: false } })
  writeFileSync(path, '{"/green":')
  const { folders } = makeWindow()
  expect(folders.problem).toContain('moved to')
  expect(folders.of('/green')).toEqual({})
  expect(readdirSync(directory)).toHaveLength(1)
})
