import { cp, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Backups } from '../src/main/core/editing/backups'
import { FileWatcher } from '../src/main/core/files/watcher'
import { printRecord } from '../src/main/app/wiring/print-record'
import { ReviewJournal } from '../src/main/core/review/journal'
import { FolderSettings } from '../src/main/core/settings/folder-settings'
import { openSettings } from '../src/main/headless/headless-settings'
import { draftText, silent, startPlainDesk } from './plain-desk'

/**
 * What an earlier version has left in a data directory is found by this one. The files were written by that version's own
 * code, for files in a folder that is not there.
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
