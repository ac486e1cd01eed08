import { notebook } from './a-notebook'
import { expect, screenOf } from './cli-in-app'
import { editOf, readOf, tasks, test, writeOf } from './claude-in-app'
import { use } from './messages-api'

test('in auto mode a new file is written as it was edited in its review', async ({ claude }) => {
  claude.gateIn('auto')
  const path = claude.path('new.txt')
  claude.api.setScript(tasks({ 'task-new': [writeOf(path, 'one\ntwo\n')] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-new')
  const review = await claude.review('new.txt')
  expect(claude.exists('new.txt')).toBe(false)
  await review
    .getByRole('textbox', { name: /^Proposed text of / })
    .getByText('two', { exact: true })
    .click()
  await claude.page.keyboard.press('End')
  await claude.page.keyboard.type(' by hand')
  await review.getByRole('button', { name: 'Accept file' }).click()
  await claude.told('task-new', 1)
  expect(claude.read('new.txt')).toBe('one\ntwo by hand\n')
  await expect(screenOf(terminal)).toContainText('auto mode on')
})

test('a notebook that is written whole is reviewed too, though Claude Code opens no diff of one', async ({
  claude,
}) => {
  claude.gateIn('acceptEdits')
  const path = claude.path('new.ipynb')
  claude.api.setScript(tasks({ 'task-made': [writeOf(path, notebook('x = 1'))] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-made')
  const review = await claude.review('new.ipynb')
  await review.getByRole('button', { name: 'Reject file' }).click()
  await claude.told('task-made', 1)
  expect(claude.exists('new.ipynb')).toBe(false)
})

test('where Claude Code is set to show changes in its terminal they are reviewed all the same', async ({
  claude,
}) => {
  claude.gateIn('acceptEdits')
  claude.setState({ diffTool: 'terminal' })
  const path = claude.path('new.txt')
  claude.api.setScript(tasks({ 'task-new': [writeOf(path, 'one\n')] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-new')
  await claude.accept('new.txt')
  await claude.told('task-new', 1)
  expect(claude.read('new.txt')).toBe('one\n')
  await expect(screenOf(terminal)).toContainText('task-new is done.')
})

test('a new empty file is accepted, which no diff could say', async ({ claude }) => {
  claude.gateIn('acceptEdits')
  const path = claude.path('lib/__init__.py')
  claude.api.setScript(tasks({ 'task-empty': [writeOf(path, '')] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-empty')
  await claude.review('lib/__init__.py')
  expect(claude.exists('lib/__init__.py')).toBe(false)
  await claude.accept('lib/__init__.py')
  await claude.told('task-empty', 1)
  expect(claude.read('lib/__init__.py')).toBe('')
  await expect(screenOf(terminal)).toContainText('task-empty is done.')
})

test('Esc in the terminal takes back what a hook asks: its review goes away, and nothing is written', async ({
  claude,
}) => {
  claude.gateIn('bypassPermissions')
  claude.write('n.ipynb', notebook('x = 1'))
  const path = claude.path('n.ipynb')
  const change = { notebook_path: path, cell_id: 'c1', new_source: 'x = 2' }
  claude.api.setScript(tasks({ 'task-esc': [readOf(path), use({ name: 'NotebookEdit', input: change })] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-esc')
  const review = await claude.review('n.ipynb')
  await terminal.locator('.xterm-helper-textarea').focus()
  await claude.page.keyboard.press('Escape')
  await expect(review).toHaveCount(0)
  await expect(screenOf(terminal)).toContainText('Rejected replace cell')
  expect(claude.read('n.ipynb')).toBe(notebook('x = 1'))
})

test('what a mode writes to a file too large to be kept is on record by its size, and the entry says so', async ({
  claude,
}) => {
  claude.gateIn('acceptEdits', { reviewWhich: 'mode', reviewUnasked: false })
  const text = `first\n${'one of many lines\n'.repeat(500_000)}`
  claude.write('large.txt', text)
  const path = claude.path('large.txt')
  const head = use({ name: 'Read', input: { file_path: path, limit: 1 } })
  claude.api.setScript(tasks({ 'task-large': [head, editOf(path, 'first', 'second')] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-large')
  await claude.told('task-large')
  expect(claude.read('large.txt').length).toBe(text.length + 1)
  const bytes = { before: { bytes: text.length }, written: { bytes: text.length + 1 } }
  await expect.poll(() => claude.record()).toMatchObject([{ path, how: 'unasked', ...bytes }])
  await claude.pending()
  await claude.page.getByRole('button', { name: 'Record of writes' }).click()
  const entry = claude.page
    .getByRole('region', { name: 'Record of writes' })
    .getByRole('listitem', { name: 'large.txt' })
  await entry.getByRole('button').first().click()
  await expect(entry).toContainText(
    '9.0 MB before, 9.0 MB after. Its content isn’t kept, so it can’t be put back.',
  )
  await claude.picture('too-large-to-be-kept')
})
