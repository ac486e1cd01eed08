import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keptPage } from '../src/main/app/wiring/kept-tabs'
import { printRecord } from '../src/main/app/wiring/print-record'
import { ApprovalRecord } from '../src/main/core/approvals/approval-record'
import { ApprovalRules } from '../src/main/core/approvals/approval-rules'
import { Changes } from '../src/main/core/changes/changes'
import { Backups } from '../src/main/core/editing/backups'
import { Tabs } from '../src/main/core/editing/tabs'
import { FileSwapper } from '../src/main/core/files/compare-and-swap'
import { Ledger } from '../src/main/core/files/ledger'
import { FileWatcher } from '../src/main/core/files/watcher'
import { SessionNames } from '../src/main/core/history/session-names'
import { ReviewJournal } from '../src/main/core/review/journal'
import { FolderSettings } from '../src/main/core/settings/folder-settings'
import { type FolderState, FolderStates } from '../src/main/core/settings/folder-state'
import { FolderTrust } from '../src/main/core/trust/folder-trust'
import { openSettings } from '../src/main/headless/headless-settings'
import { expandedFolders } from '../src/renderer/features/explorer/tree-state'
import { conversationLayout } from '../src/renderer/state/sessions/conversation-layout'
import { frameLayout } from '../src/renderer/state/window/frame-layout'
import { windowMirror } from '../src/renderer/state/window/window-mirror'
import { draftText, silent, startPlainDesk } from './plain-desk'

/**
 * What an earlier version has left in a data directory is found by this one. Drafts, decided reviews, unsaved text and
 * settings were written by that version's own code, the rest by hand after its schemas; all for folders that are not there.
 */
let folder: string
let data: string

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-recorded-')))
  data = join(folder, 'data')
  await cp(join(import.meta.dirname, 'recorded', '0.1.0'), data, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

test('a draft of version 0.1.0 is there with its decisions and what was typed', async () => {
  const watcher = new FileWatcher({ interval: 50 })
  const desk = startPlainDesk(folder, watcher)
  await desk.restore()
  expect(desk.takeDamage()).toEqual([])
  const [draft, ...others] = desk.summaries()
  expect(others).toEqual([])
  expect(draft).toMatchObject({
    path: '/recorded/a.txt',
    agent: 'Claude',
    title: 'a change',
    phase: 'orphaned',
    effect: 'agent',
    changes: 2,
    isTouched: true,
  })
  expect(draftText(desk, draft?.id ?? '')).toBe('one\ntwo\nthird\n')
  const content = desk.content(draft?.id ?? '')?.content
  const decisions = content?.kind === 'text' ? content.draft.hunks.map(({ decision }) => decision.kind) : []
  expect(decisions).toEqual(['rejected', 'undecided'])
  desk.dispose()
  watcher.dispose()
})

test('an accepted change of version 0.1.0 can be undone', async () => {
  const journal = new ReviewJournal(data, silent)
  const [kept] = await journal.loadKept()
  expect(kept).toMatchObject({ path: '/recorded/c.txt', agent: 'Claude', how: 'accepted' })
  expect(kept?.accepted).toMatch(/^[0-9a-f]{64}$/)
  expect(kept && (await journal.keptText(kept, 'base'))).toBe('one\n')
  journal.dispose()
})

test('unsaved text of version 0.1.0 is there', async () => {
  const backups = await Backups.open(join(data, 'unsaved'))
  expect(backups.paths).toEqual(['/recorded/b.txt'])
  const unsaved = await backups.read('/recorded/b.txt')
  expect([unsaved?.base.toString(), unsaved?.text.toString()]).toEqual(['saved\n', 'saved\ntyped\n'])
  expect(unsaved?.facts).toMatchObject({ eol: 'crlf', encoding: 'utf-8' })
  expect(backups.takeDamage()).toEqual([])
  backups.dispose()
})

test('settings of version 0.1.0 hold', () => {
  expect(openSettings(data).get()).toMatchObject({
    theme: 'dark',
    editorFontSize: 17,
    claudePermissionMode: 'acceptEdits',
    reviewWrap: false,
  })
  expect(new FolderSettings(data).of('/recorded')).toEqual({ reviewWrap: true })
})

test('what version 0.1.0 decided is in the record of writes, as far as it was kept', async () => {
  const lines: string[] = []
  for await (const line of printRecord(data, null, { kind: 'json', texts: true })) lines.push(line)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      format: 1,
      id: expect.any(String),
      at: expect.any(String),
      path: '/recorded/c.txt',
      agent: 'Claude',
      how: 'accepted',
      before: { text: 'one\n' },
      proposed: { text: expect.any(String) },
    },
  ])
})

/** A stored file as it is, without a schema. */
const storedIn = (name: string) => JSON.parse(readFileSync(join(data, name), 'utf8')) as object

/** What is kept for folders, as the page takes it. */
function layOut({ folders, layout }: FolderState) {
  windowMirror.store.setState({
    kind: 'here',
    data: {
      ...{
        version: '0',
        host: 'browser',
        platform: 'linux',
        homeDirectory: '/',
        untrusted: [],
        branch: null,
      },
      ...{ folders: folders.map((path) => ({ path, name: path })), recentFolders: [], layout },
    },
  })
  return Object.fromEntries(Object.entries(frameLayout).map(([name, value]) => [name, value.get()]))
}

/** Opens stored tabs in a new window. */
function openTabs({ tabs: stored }: FolderState) {
  const tabs = new Tabs({ keptPage: (name) => keptPage(name, { get: () => undefined }) })
  if (stored) tabs.restore(stored)
  return tabs.store()
}

test('tabs, layout and the server of folders are there, as written before the middle had two sides', () => {
  const kept = new FolderStates(data).read(['/recorded'])
  expect(kept).toEqual({
    ...storedIn('folders/c6d1c7c65d13396c6e47942b2aa32faf.json'),
    ...{ context: null, beginnings: {}, open: false, recentFiles: [] },
  })
  expect(openTabs(kept)).toEqual({
    tabs: kept.tabs?.tabs.map((tab) => ({ ...tab, side: 'left' })),
    active: '/recorded/b.txt',
    shown: { left: '/recorded/b.txt', right: null },
    activeSide: 'left',
  })
  expect(layOut(kept)).toEqual({
    ...{ sideOpen: false, sideView: 'reviews', sideSize: 31 },
    ...{ terminalOpen: false, terminalSizeBottom: 40, terminalSizeRight: 50 },
    ...{ panelOpen: true, panelView: 'connections', panelSize: 25, narrowView: 'terminal' },
  })
  expect(expandedFolders.get()).toEqual(['/recorded', '/recorded/src'])
})

test('tabs of both sides and of a session are there, as written before conversations came back', () => {
  const states = new FolderStates(data)
  const kept = states.read(['/recorded', '/recorded-too'])
  expect(kept).toEqual({
    ...storedIn('folders/4a8089c1e011bb23a23fc4c07c102ee5.json'),
    ...{ beginnings: {} },
  })
  expect(openTabs(kept)).toEqual(kept.tabs)
  // The panel had the settings then.
  expect(layOut(kept)).toMatchObject({ sideView: 'sessions', panelView: 'context' })
  expect(conversationLayout.density.get()).toBe('verbose')
  expect(conversationLayout.drafts.get()).toEqual({ '11111111-2222-4333-8444-555555555555': 'not sent' })
  expect(states.openFolders()).toEqual([['/recorded-too', '/recorded']])
  expect(states.recentFolders(10)).toEqual(['/recorded-too', '/recorded'])
})

test('groups of changes are kept and put back, as written before they had revisions', async () => {
  const path = join(data, 'changes', 'groups.json')
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('/recorded', folder))
  await writeFile(join(folder, 'c.txt'), 'ONE\n')
  await writeFile(join(folder, 'd.txt'), 'ONE\n')
  const changes = new Changes({
    directory: data,
    git: {
      look: () => Promise.resolve(null),
      ignored: () => Promise.resolve(null),
      committed: () => Promise.resolve(new Map()),
      unchanged: () => Promise.resolve(new Set()),
    },
    reviews: {
      isExpected: () => false,
      isUnderReview: () => false,
      open: () => Promise.resolve(null),
    },
    swapper: new FileSwapper(),
    ledger: new Ledger(),
    report(error) {
      throw error
    },
  })
  expect(changes.groups.problem).toBeNull()
  const stored = storedIn('changes/groups.json') as { files: object[] }[]
  expect(changes.groups.list()).toEqual(
    stored.map((group) => ({
      ...group,
      revision: 0,
      files: group.files.map((file) => ({ ...file, revision: 0 })),
    })),
  )
  await changes.prune()
  const [former, latter] = changes.groups.list()
  expect(await changes.keepAll(former?.id ?? '', 0)).toMatchObject({ ok: true })
  expect(changes.groups.list()).toEqual([latter])
  expect(await changes.putBackAll(latter?.id ?? '', 0)).toMatchObject({ value: { done: 2, left: 2 } })
  expect(await readFile(join(folder, 'c.txt'), 'utf8')).toBe('one\n')
  await changes.groups.flush()
  changes.dispose()
})

test('the names of sessions and which are hidden are there', () => {
  const names = new SessionNames(data)
  expect(names.problem).toBeNull()
  const { sessions } = storedIn('sessions.json') as { sessions: Record<string, object> }
  expect(Object.keys(sessions).length).toBe(3)
  for (const [id, words] of Object.entries(sessions)) expect(names.of(id)).toEqual(words)
})

test('the person’s answers about trust hold', () => {
  const trust = new FolderTrust(data)
  expect(trust.problem).toBeNull()
  const stateOf = ['/recorded', '/recorded/src', '/recorded-too', '/elsewhere'].map((path) =>
    trust.stateOf(path),
  )
  expect(stateOf).toEqual(['trusted', 'trusted', 'declined', 'unasked'])
  trust.dispose()
})

test('rules of approvals answer as they did, and what was answered is on record', () => {
  const rules = new ApprovalRules(data)
  const record = new ApprovalRecord(data)
  expect([rules.problem, record.problem]).toEqual([null, null])
  expect({ version: 1, rules: rules.rules }).toEqual(storedIn('approval-rules.json'))
  expect({ version: 1, entries: record.entries }).toEqual(storedIn('approval-record.json'))
  const asked = {
    requester: { dialect: 'claude-sdk', connection: 'c', agent: 'Claude', call: '1' },
    ...{ title: 'Run a command', tool: 'Bash', folder: '/recorded/src', path: null, why: null },
    ...{ fields: [], options: [], needsPerson: false },
  }
  const answers = [
    rules.ruleFor({ ...asked, kind: 'run', subject: 'npm test src' }),
    rules.ruleFor({ ...asked, kind: 'run', subject: 'npm test; rm -rf .' }),
    rules.ruleFor({ ...asked, kind: 'fetch', subject: 'https://docs.example.com/a' }),
    rules.ruleFor({ ...asked, kind: 'other', tool: 'mcp__files__read', subject: String.raw`C:\notes*` }),
  ]
  expect(answers.map((rule) => rule?.answer)).toEqual(['allow', undefined, 'deny', 'allow'])
  rules.dispose()
  record.dispose()
})
