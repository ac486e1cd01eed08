import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from './cli-in-app'
import { type ClaudeInApp, editOf, readOf, tasks, test, writeOf } from './claude-in-app'
import { use } from './messages-api'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const from = 'two\nthree\nfour\nfive\nsix'
const to = 'TWO\nthree\nfour\nfive\nSIX'

/** In a mode that asks about nothing; its own question about that is answered already. */
function inMode(claude: ClaudeInApp, mode: string): void {
  claude.place.env['GREENLIGHT_TRY_HOOKS'] = '1'
  // Claude Code refuses the mode to root elsewhere.
  claude.place.env['IS_SANDBOX'] = '1'
  claude.setSettings({ claudePermissionMode: mode })
  const settings = { skipDangerousModePermissionPrompt: true }
  writeFileSync(join(claude.place.config, 'settings.json'), JSON.stringify(settings))
  const state = join(claude.place.config, '.claude.json')
  const known = JSON.parse(readFileSync(state, 'utf8')) as object
  writeFileSync(state, JSON.stringify({ ...known, bypassPermissionsModeAccepted: true }))
}

test('in accept edits an Edit is reviewed before it is written, and accepted in part', async ({ claude }) => {
  inMode(claude, 'acceptEdits')
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-part': [readOf(path), editOf(path, from, to)] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-part')
  const review = await claude.review('app.ts')
  await expect(review.getByText('Already written')).toHaveCount(0)
  expect(claude.read('app.ts')).toBe(before)
  await claude.picture('asked-in-accept-edits')
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await expect(review.getByRole('button', { name: 'Undo change 2' })).toBeVisible()
  await review.getByRole('button', { name: 'Accept file' }).click()
  const told = await claude.told('task-part')
  expect(claude.read('app.ts')).toBe(before.replace('two', 'TWO'))
  expect(told.latest).toMatch(/user (has )?modified|TWO/i)
})

test('without permission checks a Write is reviewed, and rejected: nothing is written', async ({
  claude,
}) => {
  inMode(claude, 'bypassPermissions')
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(
    tasks({ 'task-write': [readOf(path), writeOf(path, 'REJECTED\n'), writeOf(path, 'REJECTED\n')] }),
  )
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-write')
  const review = await claude.review('app.ts')
  await claude.picture('asked-without-permission-checks')
  await review.getByRole('button', { name: 'Reject file' }).click()
  await expect(review).toHaveCount(0)
  expect(claude.read('app.ts')).toBe(before)
})

test('a notebook is reviewed on the hook’s own request, and written as it was accepted', async ({
  claude,
}) => {
  inMode(claude, 'acceptEdits')
  const cell = (source: string) => ({
    ...{ cell_type: 'code', id: 'c1', execution_count: null, metadata: {}, outputs: [] },
    source: [source],
  })
  const notebook = { cells: [cell('x = 1')], metadata: {}, nbformat: 4, nbformat_minor: 5 }
  claude.write('n.ipynb', JSON.stringify(notebook))
  const path = claude.path('n.ipynb')
  const change = { notebook_path: path, cell_id: 'c1', new_source: 'x = 2' }
  claude.api.setScript(tasks({ 'task-cell': [readOf(path), use({ name: 'NotebookEdit', input: change })] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-cell')
  await claude.review('n.ipynb')
  expect(claude.read('n.ipynb')).toBe(JSON.stringify(notebook))
  await claude.accept('n.ipynb')
  await claude.told('task-cell')
  const written = JSON.parse(claude.read('n.ipynb')) as typeof notebook
  expect([written.cells[0]?.source].flat().join('')).toBe('x = 2')
})
