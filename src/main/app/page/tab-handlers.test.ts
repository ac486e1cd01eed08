import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChangeSet } from '@codemirror/state'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openWindowOn, pageOf, startPlainApp } from '../../../../test/plain-app'
import type { Calls, Topics } from '../../../shared/contract/contract'
import type { RpcClient } from '../../../shared/rpc/rpc'
import type { App } from '../app'
import type { WindowHost } from '../window-host'

let home: string
let path: string
let app: App
let window: WindowHost
let page: RpcClient<Calls, Topics>

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-tabs-')))
  const project = join(home, 'project')
  mkdirSync(project)
  path = join(project, 'a.txt')
  writeFileSync(path, 'one\n')
  app = await startPlainApp(home)
  window = await openWindowOn(app, project)
  page = pageOf(window)
  await page.call('tabs.openFile', { path, preview: false })
  await vi.waitFor(() => expect(document()?.kind).toBe('text'))
})
afterEach(async () => {
  await app.shutdown()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

const document = () => window.parts.documents.get(path)
function type(text: string): void {
  const state = document()
  if (state?.kind !== 'text') throw new Error('no text')
  const changes = ChangeSet.of({ from: 0, insert: text }, state.text.length)
  expect(window.parts.documents.edit(path, changes)).toBe(true)
}

it('a tab that is saved and closed stays open where the person has typed on during the save', async () => {
  type('mine ')
  const id = window.tabs.findFile(path)?.id ?? ''
  // The text is on disk now, and the tab still open.
  const typing = window.parts.documents.on((event) => {
    if (event.kind !== 'meta' || readFileSync(path, 'utf8') === 'one\n') return
    typing.dispose()
    type('more ')
  })
  expect(await page.call('tabs.close', { id, unsaved: 'save' })).toMatchObject({
    ok: false,
    failure: { code: 'unsaved' },
  })
  expect(window.tabs.findFile(path)?.id).toBe(id)
  expect(readFileSync(path, 'utf8')).toBe('mine one\n')
  expect(await page.call('tabs.close', { id, unsaved: 'save' })).toMatchObject({ ok: true })
  expect(window.tabs.findFile(path)).toBeUndefined()
  expect(readFileSync(path, 'utf8')).toBe('more mine one\n')
})
