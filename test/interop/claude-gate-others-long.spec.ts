import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processExists } from '../../src/main/core/platform/process-tree'
import { notebook, textOfCell } from './a-notebook'
import { expect, screenOf } from './cli-in-app'
import { editOf, readOf, tasks, test, writeOf } from './claude-in-app'
import { use } from './messages-api'
import { useOwnHooks } from './own-hooks'

const changeOf = (path: string, source: string) => ({
  name: 'NotebookEdit',
  input: { notebook_path: path, cell_id: 'c1', new_source: source },
})

test('where another hook answers last, the person is told that the file isn’t what they accepted', async ({
  claude,
}) => {
  claude.gateIn('acceptEdits')
  const go = join(claude.place.root, 'go')
  useOwnHooks(claude, {
    before: `const look = setInterval(() => {
      if (!require('node:fs').existsSync(${JSON.stringify(go)})) return
      clearInterval(look)
      answer({ ...input, new_source: 'x = 666' })
    }, 20)`,
  })
  claude.write('n.ipynb', notebook('x = 1'))
  const path = claude.path('n.ipynb')
  claude.api.setScript(tasks({ 'task-two': [readOf(path), use(changeOf(path, 'x = 2'))] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-two')
  await claude.accept('n.ipynb')
  // Ours has answered long since: it is theirs that everything waits for.
  await expect(claude.page.getByText('Accepted, but Claude hasn’t written it.')).toBeVisible()
  writeFileSync(go, '')
  await claude.told('task-two')
  expect(textOfCell(claude.read('n.ipynb'))).toBe('x = 666')
  await expect(
    claude.page.getByText('n.ipynb no longer matches what you accepted. Check the file.'),
  ).toBeVisible()
  await claude.picture('two-hooks')
})

test('where another hook answers first, what was accepted is written', async ({ claude }) => {
  claude.gateIn('acceptEdits')
  useOwnHooks(claude, { before: `answer({ ...input, new_source: 'x = 666' })` })
  claude.write('n.ipynb', notebook('x = 1'))
  const path = claude.path('n.ipynb')
  claude.api.setScript(tasks({ 'task-first': [readOf(path), use(changeOf(path, 'x = 2'))] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-first')
  await claude.accept('n.ipynb')
  await claude.told('task-first')
  expect(textOfCell(claude.read('n.ipynb'))).toBe('x = 2')
})

test('what the person’s own hook makes of a file afterwards is shown', async ({ claude }) => {
  claude.gateIn('acceptEdits')
  useOwnHooks(claude, { after: `require('node:fs').appendFileSync(path, 'formatted\\n')` })
  claude.write('app.ts', 'one\n')
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-format': [readOf(path), editOf(path, 'one', 'ONE')] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-format')
  await claude.accept('app.ts')
  await claude.told('task-format')
  expect(claude.read('app.ts')).toBe('ONE\nformatted\n')
  const written = await claude.review('app.ts')
  await expect(written).toContainText('Already written')
  await claude.picture('formatted-afterwards')
  await written.getByRole('button', { name: 'Put back' }).click()
  await expect.poll(() => claude.read('app.ts')).toBe('ONE\n')
})

test('an answer that is held for more than five minutes counts, by the hook and by the diff', async ({
  claude,
}) => {
  test.setTimeout(700_000)
  claude.gateIn('bypassPermissions')
  claude.write('n.ipynb', notebook('x = 1'))
  const [cell, text] = [claude.path('n.ipynb'), claude.path('late.txt')]
  claude.api.setScript(
    tasks({
      'task-cell': [readOf(cell), use(changeOf(cell, 'x = 2'))],
      'task-text': [writeOf(text, 'late\n')],
    }),
  )
  await claude.start()
  await claude.prompt(await claude.openClaude(), 'do task-cell')
  await claude.review('n.ipynb')
  await claude.prompt(await claude.openClaude(2), 'do task-text')
  await expect(claude.page.getByRole('tab', { name: 'late.txt', exact: true })).toBeVisible()
  await claude.page.waitForTimeout(312_000)
  await claude.page.getByRole('tab', { name: 'n.ipynb', exact: true }).click()
  await claude.accept('n.ipynb')
  await claude.told('task-cell')
  expect(textOfCell(claude.read('n.ipynb'))).toBe('x = 2')
  await claude.page.getByRole('tab', { name: 'late.txt', exact: true }).click()
  await claude.accept('late.txt')
  await claude.told('task-text', 1)
  expect(claude.read('late.txt')).toBe('late\n')
})

test('an app that is killed while it asks in its own terminal: nothing is written, and the session goes on after its start', async ({
  claude,
}) => {
  claude.gateIn('bypassPermissions')
  claude.write('n.ipynb', notebook('x = 1'))
  const [path, next] = [claude.path('n.ipynb'), claude.path('next.txt')]
  claude.api.setScript(
    tasks({
      'task-killed': [readOf(path), use(changeOf(path, 'KILLED'))],
      'task-next': [writeOf(next, 'next\n')],
    }),
  )
  await claude.start()
  await claude.prompt(await claude.openClaude(), 'do task-killed')
  await claude.review('n.ipynb')
  const [pid = 0] = claude.pids
  await claude.stop('SIGKILL')
  await expect.poll(() => processExists(pid)).toBe(false)
  expect(claude.read('n.ipynb')).toBe(notebook('x = 1'))

  await claude.start()
  await (await claude.pending()).getByRole('button', { name: 'n.ipynb, Claude' }).click()
  await expect(claude.page.getByText('Greenlight can no longer answer Claude.')).toBeVisible()
  await claude.picture('killed-while-asked')
  const terminal = await claude.openShell()
  await claude.type(terminal, 'claude --continue --permission-mode bypassPermissions')
  await claude.connected(1)
  await expect(screenOf(terminal)).toContainText('❯')
  await claude.prompt(terminal, 'do task-next')
  await claude.review('next.txt')
  expect(existsSync(next)).toBe(false)
  await claude.accept('next.txt')
  const told = await claude.told('task-next', 1)
  expect(told.everything).toContain('do task-killed')
  expect(claude.read('next.txt')).toBe('next\n')
  expect(claude.read('n.ipynb')).toBe(notebook('x = 1'))
})
