import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { logTo, openWindowOn, pageOf, startPlainApp, noAbilities } from '../../../../test/plain-app'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Connection } from '../../../shared/contract/connections'
import type { Calls, Topics } from '../../../shared/contract/contract'
import type { RpcClient } from '../../../shared/rpc/rpc'
import type { Proposal } from '../../../shared/review/proposal'
import { hashContent } from '../../core/files/content-hash'
import { createMemorySettingsStore } from '../../../../test/memory-settings'
import type { App } from '../app'
import type { WindowHost } from '../window-host'

const reports: unknown[] = []

let home: string
let project: string
let app: App
let window: WindowHost
let page: RpcClient<Calls, Topics>
let refusal: string | null
const shown: string[] = []

const at = (...names: string[]) => join(project, ...names)
const write = (name: string, text: string) => {
  mkdirSync(join(at(name), '..'), { recursive: true })
  writeFileSync(at(name), text)
}
const read = (name: string) => readFileSync(at(name), 'utf8')
let settings: ReturnType<typeof createMemorySettingsStore>

async function startApp(): Promise<void> {
  app = await startPlainApp(home, {
    log: logTo(reports),
    settingsStore: settings,
    abilities: {
      ...noAbilities,
      trash: (path) => {
        if (refusal === null) renameSync(path, join(home, 'trash', basename(path)))
        return Promise.resolve(refusal)
      },
      showInFileManager: (path) => Promise.resolve(shown.push(path) > 0),
    },
  })
  window = await openWindowOn(app, project)
  page = pageOf(window)
}

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-operations-')))
  project = join(home, 'project')
  mkdirSync(join(home, 'trash'))
  execFileSync('git', ['init', '-q', '-b', 'trunk', project])
  write('a.txt', 'one\n')
  write('lib/b.txt', 'two\n')
  refusal = null
  shown.length = 0
  reports.length = 0
  settings = createMemorySettingsStore()
  await startApp()
})
afterEach(async () => {
  await app.shutdown()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  expect(reports).toEqual([])
})

/** Opens a file and types at its start, without saving. */
async function type(path: string, text: string): Promise<void> {
  await page.call('tabs.openFile', { path, preview: false })
  await vi.waitFor(() => expect(window.parts.documents.get(path)?.kind).toBe('text'))
  const state = window.parts.documents.get(path)
  if (state?.kind !== 'text') throw new Error('no text')
  const updates = [{ clientID: 'p', changes: [[0, text], state.text.length] }]
  const pushed = await page.call('documents.push', { path, version: state.version, updates })
  expect(pushed).toEqual({ status: 'accepted' })
}
const textOf = (path: string) => {
  const state = window.parts.documents.get(path)
  return state?.kind === 'text' ? { text: state.text.toString(), ...state.meta } : state
}
const tabs = () => window.tabs.state.tabs.map((tab) => ('path' in tab ? tab.path : tab.kind))

/** An agent's question about a file, open until it is withdrawn. */
function ask(path: string): () => void {
  const asking = new AbortController()
  const origin = { dialect: 'claude-ide', connection: 'c', session: null, call: '1', agent: 'Claude' }
  const proposal = { origin, path, proposed: 'proposed\n', title: '', effect: 'agent' } as unknown as Proposal
  void window.parts.desk.open(proposal, asking.signal)
  return () => asking.abort()
}

describe('a file with unsaved text', () => {
  it('is renamed with its text, its versions and its tab; a save goes to the new name', async () => {
    await type(at('a.txt'), 'mine ')
    const before = textOf(at('a.txt'))
    expect(await page.call('files.rename', { path: at('a.txt'), name: 'z.txt' })).toEqual({
      ok: true,
      value: { path: at('z.txt') },
    })
    expect(readdirSync(project).sort()).toEqual(['.git', 'lib', 'z.txt'])
    expect(tabs()).toEqual([at('z.txt')])
    expect(textOf(at('z.txt'))).toMatchObject({ text: 'mine one\n', dirty: true, disk: 'same' })
    // What a page still sends under the old name is not lost either.
    const { documents } = window.parts
    const state = documents.get(at('z.txt'))
    if (state?.kind !== 'text') throw new Error('no text')
    const updates = [{ clientID: 'p', changes: [[0, 'late '], state.text.length] }]
    const pushed = await page.call('documents.push', { path: at('a.txt'), version: state.version, updates })
    expect(pushed).toEqual({ status: 'accepted' })
    expect(before).toMatchObject({ text: 'mine one\n' })
    expect(await page.call('documents.save', { path: at('z.txt') })).toMatchObject({ ok: true })
    expect(read('z.txt')).toBe('late mine one\n')
    expect(existsSync(at('a.txt'))).toBe(false)
  })

  it('goes with its folder, and is there after a crash under the new name only', async () => {
    await type(at('lib', 'b.txt'), 'mine ')
    // Unsaved text of a file that no tab shows any more moves too.
    await type(at('a.txt'), 'closed ')
    await window.parts.backups.flush()
    window.tabs.close(window.tabs.findFile(at('a.txt'))?.id ?? '')
    expect(await page.call('files.move', { paths: [at('a.txt')], folder: at('lib') })).toEqual({
      done: [at('lib', 'a.txt')],
      problems: [],
    })
    await page.call('files.rename', { path: at('lib'), name: 'library' })
    await app.shutdown()
    await startApp()
    const paths = [at('library', 'a.txt'), at('library', 'b.txt')]
    await vi.waitFor(() => expect(tabs().toSorted()).toEqual(paths))
    await vi.waitFor(() => expect(textOf(paths[0] ?? '')).toMatchObject({ text: 'closed one\n' }))
    await vi.waitFor(() => expect(textOf(paths[1] ?? '')).toMatchObject({ text: 'mine two\n', dirty: true }))
  })

  it('stays open with what was typed, and not sent, while it went to the trash', async () => {
    await page.call('tabs.openFile', { path: at('a.txt'), preview: false })
    await vi.waitFor(() => expect(window.parts.documents.get(at('a.txt'))?.kind).toBe('text'))
    let isTyped = false
    const watching = page.subscribe(
      'tabs',
      {},
      {
        snapshot: () => undefined,
        delta: (delta) => {
          if (delta.kind !== 'flush') return
          // The person types after the first question, which comes before the file goes.
          const done = isTyped ? type(at('a.txt'), 'late ') : Promise.resolve()
          isTyped = true
          void done.then(() => page.call('tabs.flushed', { token: delta.token }))
        },
      },
    )
    const outcome = await page.call('files.trash', { paths: [at('a.txt')] })
    expect(outcome).toMatchObject({ done: [at('a.txt')] })
    expect(tabs()).toEqual([at('a.txt')])
    expect(textOf(at('a.txt'))).toMatchObject({ text: 'late one\n', dirty: true })
    watching.dispose()
  })

  it('stays open when it goes to the trash; a clean one closes', async () => {
    await page.call('tabs.openFile', { path: at('a.txt'), preview: false })
    await type(at('lib', 'b.txt'), 'mine ')
    const outcome = await page.call('files.trash', { paths: [at('a.txt'), at('lib'), at('lib', 'b.txt')] })
    expect(outcome).toEqual({ done: [at('a.txt'), at('lib')], problems: [], refused: [] })
    expect(readdirSync(join(home, 'trash')).sort()).toEqual(['a.txt', 'lib'])
    expect(tabs()).toEqual([at('lib', 'b.txt')])
    expect(textOf(at('lib', 'b.txt'))).toMatchObject({ text: 'mine two\n', dirty: true })
    // Nothing takes the place of text that is still open there.
    write('other/x', '')
    const taken = await page.call('files.rename', { path: at('other'), name: 'lib' })
    expect(taken).toMatchObject({ ok: false, failure: { code: 'taken' } })
  })
})

describe('what is refused', () => {
  it('is to move or remove a file whose review waits, alone or with its folder', async () => {
    const withdraw = ask(at('lib', 'b.txt'))
    await vi.waitFor(() => expect(window.parts.desk.pathsUnderReview()).toHaveLength(1))
    for (const path of [at('lib', 'b.txt'), at('lib')]) {
      const renamed = await page.call('files.rename', { path, name: 'new' })
      expect(renamed).toMatchObject({ ok: false, failure: { code: 'under-review' } })
      expect((await page.call('files.trash', { paths: [path] })).problems).toEqual([
        'b.txt has a pending review. Decide it first, then try again.',
      ])
    }
    expect(read('lib/b.txt')).toBe('two\n')
    withdraw()
  })

  it('is to move a folder that another window has open, or one above it', async () => {
    write('lib/inner/c.txt', 'c\n')
    const opened = await app.openWindow([at('lib', 'inner')])
    symlinkSync('lib', at('link'))
    for (const path of [at('lib'), at('lib', 'inner'), at('link', 'inner')]) {
      const renamed = await page.call('files.rename', { path, name: 'new' })
      expect(renamed).toMatchObject({ ok: false, failure: { code: 'refused' } })
    }
    expect(opened.ok && opened.value.folders.paths).toEqual([at('lib', 'inner')])
    expect(read('lib/inner/c.txt')).toBe('c\n')
  })

  it('is to look outside of the folders by a path that leads there', async () => {
    const states: Topics['directory']['snapshot'][] = []
    const watching = page.subscribe(
      'directory',
      { path: `${project}/../trash` },
      { snapshot: (state) => states.push(state), delta: () => undefined },
    )
    await vi.waitFor(() => expect(states[0]).toMatchObject({ kind: 'failed', failure: { code: 'outside' } }))
    watching.dispose()
  })

  it('is to write over anything, to leave the folder, or to touch the folder itself', async () => {
    const rename = (path: string, name: string) => page.call('files.rename', { path, name })
    expect(await rename(at('a.txt'), 'lib')).toMatchObject({ failure: { code: 'taken' } })
    expect(await rename(at('a.txt'), '../b')).toMatchObject({ failure: { code: 'bad-name' } })
    expect(await rename(join(home, 'trash'), 'x')).toMatchObject({ failure: { code: 'outside' } })
    expect(await rename(`${at('lib')}/../a.txt`, 'x')).toMatchObject({ failure: { code: 'outside' } })
    expect(await rename(project, 'x')).toMatchObject({ failure: { code: 'refused' } })
    expect((await page.call('files.delete', { paths: [home] })).problems).toHaveLength(1)
    write('lib/a.txt', 'theirs\n')
    const moved = await page.call('files.move', { paths: [at('a.txt'), at('lib')], folder: at('lib') })
    expect(moved.done).toEqual([])
    expect(moved.problems).toHaveLength(2)
    expect([read('a.txt'), read('lib/a.txt')]).toEqual(['one\n', 'theirs\n'])
  })

  it('is a name that is taken, in words that say whether by a file or by the open text of a deleted one', async () => {
    write('b.txt', 'theirs\n')
    await type(at('b.txt'), 'mine ')
    const rename = () => page.call('files.rename', { path: at('a.txt'), name: 'b.txt' })
    const sentence = 'b.txt already exists in project. Choose another name.'
    expect(await rename()).toMatchObject({ failure: { code: 'taken', message: sentence } })
    rmSync(at('b.txt'))
    const open = 'b.txt is deleted but still open. Close its tab first.'
    expect(await rename()).toMatchObject({ failure: { code: 'taken', message: open } })
    expect(read('a.txt')).toBe('one\n')
  })

  it('by the trash is told, and then deleted only when asked for', async () => {
    refusal = 'there is no trash on its file system'
    expect(await page.call('files.trash', { paths: [at('a.txt')] })).toEqual({
      done: [],
      problems: [],
      refused: [{ path: at('a.txt'), why: refusal }],
    })
    expect(read('a.txt')).toBe('one\n')
    expect(await page.call('files.delete', { paths: [at('a.txt')] })).toMatchObject({ done: [at('a.txt')] })
    expect(existsSync(at('a.txt'))).toBe(false)
  })
})

describe('files', () => {
  it('that were closed reopen where they are now', async () => {
    await page.call('tabs.openFile', { path: at('lib', 'b.txt'), preview: false })
    window.tabs.close(window.tabs.findFile(at('lib', 'b.txt'))?.id ?? '')
    await page.call('files.rename', { path: at('lib'), name: 'library' })
    expect(await page.call('tabs.reopen', {})).toMatchObject({ ok: true })
    expect(tabs()).toEqual([at('library', 'b.txt')])
  })

  it('are made, with the folders between, and copied beside themselves', async () => {
    const made = await page.call('files.create', { folder: project, name: 'x/y/z.txt', kind: 'file' })
    expect(made).toEqual({ ok: true, value: { path: at('x', 'y', 'z.txt') } })
    const again = await page.call('files.create', { folder: project, name: 'x/y/z.txt', kind: 'file' })
    expect(again).toMatchObject({ ok: false, failure: { code: 'taken' } })
    expect(await page.call('files.copy', { paths: [at('a.txt'), at('lib')], folder: project })).toEqual({
      done: [at('a copy.txt'), at('lib copy')],
      problems: [],
    })
    expect(read('lib copy/b.txt')).toBe('two\n')
    expect(await page.call('files.reveal', { path: at('a.txt') })).toMatchObject({ ok: true })
    expect(shown).toEqual([at('a.txt')])
  })

  it('are announced as the person’s own, but for what would take long to read', async () => {
    window.connections.put({ id: 'c' } as Connection)
    truncateSync(at('a.txt'), 129 * 1024 * 1024)
    await page.call('files.rename', { path: at('lib', 'b.txt'), name: 'c.txt' })
    await page.call('files.rename', { path: at('a.txt'), name: 'z.txt' })
    const { ledger } = window.parts
    expect(ledger.expects(at('lib', 'c.txt'), hashContent(Buffer.from('two\n')))).toBe(true)
    expect([ledger.expects(at('lib', 'b.txt'), null), ledger.expects(at('a.txt'), null)]).toEqual([
      true,
      false,
    ])
    window.connections.remove('c')
  })

  it('are reached through links, and a link itself is moved as a link', async () => {
    symlinkSync('lib', at('link'))
    const made = await page.call('files.create', { folder: at('link'), name: 'c.txt', kind: 'file' })
    expect(made).toMatchObject({ ok: true })
    expect(existsSync(at('lib', 'c.txt'))).toBe(true)
    expect(await page.call('files.trash', { paths: [at('link')] })).toMatchObject({ done: [at('link')] })
    expect(existsSync(at('lib', 'c.txt'))).toBe(true)
  })

  it('that are excluded are not listed, and are again when the setting changes', async () => {
    write('.DS_Store', '')
    // As the page has it, in however many steps it comes.
    const names = new Set<string>()
    const show = (state: Topics['directory']['snapshot']) => {
      names.clear()
      if (state.kind === 'entries') for (const { name } of state.entries) names.add(name)
    }
    const watching = page.subscribe(
      'directory',
      { path: project },
      {
        snapshot: show,
        delta: (delta) => {
          if (delta.kind === 'state') show(delta.state)
          if (delta.kind !== 'change') return
          for (const name of delta.gone) names.delete(name)
          for (const { entry } of delta.come) names.add(entry.name)
        },
      },
    )
    await vi.waitFor(() => expect(names).toEqual(new Set(['lib', 'a.txt'])))
    settings.set({ filesExclude: ['.git', '*.txt'] })
    await vi.waitFor(() => expect(names).toEqual(new Set(['lib', '.DS_Store'])))
    watching.dispose()
  })
})

describe('what git says', () => {
  it('reaches the page, and what changes of it afterwards', async () => {
    // As the page has it: a repository whole, again whole where it had to be taken up anew, and what changed of it.
    let marks: Record<string, string> | null = null
    let head: unknown = null
    const changes: Topics['git']['delta'][] = []
    const watching = page.subscribe(
      'git',
      {},
      {
        snapshot: () => undefined,
        delta: (delta) => {
          if (delta.kind === 'put') {
            marks = Object.fromEntries(delta.repository.marks)
            head = delta.repository.head
          } else if (delta.kind === 'remove') marks = null
          else {
            changes.push(delta)
            for (const path of delta.gone) if (marks) delete marks[path]
            marks = { ...marks, ...Object.fromEntries(delta.put) }
          }
        },
      },
    )
    const isMarked = (expected: Record<string, string>) =>
      vi.waitFor(() => expect(marks).toEqual(expected), { timeout: 25_000 })
    await isMarked({ [at('a.txt')]: 'untracked', [at('lib')]: 'untracked' })
    expect(head).toMatchObject({ branch: 'trunk', commit: null })
    await page.call('files.rename', { path: at('a.txt'), name: 'z.txt' })
    await isMarked({ [at('lib')]: 'untracked', [at('z.txt')]: 'untracked' })
    expect(changes.every((change) => change.kind === 'change')).toBe(true)
    watching.dispose()
  })
})
