import { expect, screenOf } from './cli-in-app'
import { tasks, test, writeOf } from './claude-in-app'

test('rules by path: one file is written without a question and put back, another is refused by name', async ({
  claude,
}) => {
  claude.setSettings({
    reviewPathRules: [
      { pattern: 'docs/**', answer: 'write' },
      { pattern: 'migrations/**', answer: 'never' },
    ],
  })
  const [doc, migration] = [claude.path('docs/a.md'), claude.path('migrations/1.sql')]
  claude.api.setScript(
    tasks({ 'task-docs': [writeOf(doc, 'Written.\n')], 'task-sql': [writeOf(migration, 'drop\n')] }),
  )
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-docs')
  await expect(screenOf(terminal)).toContainText('task-docs is done.')
  expect(claude.read('docs/a.md')).toBe('Written.\n')
  await claude.page.getByRole('button', { name: 'No reviews' }).click()
  const receipt = claude.page.getByRole('listitem').filter({ hasText: 'Written by rule docs' })
  await expect(receipt).toContainText('a.md')
  await claude.picture('let-through')
  await receipt.getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(() => claude.exists('docs/a.md')).toBe(false)

  await claude.prompt(terminal, 'do task-sql')
  const told = await claude.told('task-sql', 1)
  expect(told.latest).toContain('migrations/**')
  expect(claude.exists('migrations/1.sql')).toBe(false)
})
