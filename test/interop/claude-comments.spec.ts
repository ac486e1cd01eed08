import { expect, screenOf } from './cli-in-app'
import { editOf, readOf, tasks, test } from './claude-in-app'

const before = 'one\ntwo\nthree\n'

test('what is said of a line goes to the model with the result of its tool', async ({ claude }) => {
  claude.setSettings({ claudePermissionMode: 'acceptEdits' })
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-comment': [readOf(path), editOf(path, 'two', 'TWO')] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-comment')
  const review = await claude.review('app.ts')
  await review.getByRole('button', { name: 'Comment on change 1' }).click()
  await review.getByRole('textbox', { name: 'Comment on line 2' }).fill('Why capitals?')
  await review.getByRole('button', { name: 'Accept file' }).click()
  const told = await claude.told('task-comment')
  expect(claude.read('app.ts')).toBe(before.replace('two', 'TWO'))
  expect(told.latest).toContain('Line 2, “TWO”: Why capitals?')
  await expect(screenOf(terminal)).toContainText('task-comment is done.')
  await expect(screenOf(terminal)).not.toContainText('Why capitals?')
})
