import { expect, screenOf } from './cli-in-app'
import { editOf, readOf, tasks, test, writeOf } from './claude-in-app'
import { use } from './messages-api'

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

test(
  'what is said with a rejection is the result of its tool, and the turn goes on',
  { tag: '@long' },
  async ({ claude }) => {
    claude.gateIn('acceptEdits')
    claude.write('app.ts', before)
    const path = claude.path('app.ts')
    claude.api.setScript(tasks({ 'task-refused': [readOf(path), editOf(path, 'two', 'TWO')] }))
    await claude.start()
    const terminal = await claude.openClaude()
    await claude.prompt(terminal, 'do task-refused')
    const review = await claude.review('app.ts')
    await review.getByRole('button', { name: 'Comment on change 1' }).click()
    await review.getByRole('textbox', { name: 'Comment on line 2' }).fill('Not in capitals.')
    await review.getByRole('button', { name: 'Reject file' }).click()
    const told = await claude.told('task-refused')
    expect(told.results).toEqual([
      expect.objectContaining({
        isError: true,
        text: expect.stringContaining('Line 2, “TWO”: Not in capitals.'),
      }),
    ])
    await expect(screenOf(terminal)).toContainText('task-refused is done.')
    expect(claude.read('app.ts')).toBe(before)
  },
)

test(
  'the review of a sub-agent in the background comes at once, and what is said with its rejection is typed',
  { tag: '@long' },
  async ({ claude }) => {
    claude.gateIn('acceptEdits')
    const path = claude.path('new.txt')
    const input = {
      ...{ description: 'Make a file', prompt: 'do task-sub', subagent_type: 'general-purpose' },
      run_in_background: true,
    }
    claude.api.setScript(
      tasks({ 'task-parent': [use({ name: 'Agent', input })], 'task-sub': [writeOf(path, 'new\n')] }),
    )
    await claude.start()
    const terminal = await claude.openClaude()
    await claude.prompt(terminal, 'do task-parent')
    const review = await claude.review('new.txt')
    await review.getByRole('button', { name: 'Comment on change 1' }).click()
    await review.getByRole('textbox', { name: 'Comment on line 1' }).fill('Call it old.')
    await review.getByRole('button', { name: 'Reject file' }).click()
    await expect(screenOf(terminal)).toContainText('Call it old.')
    expect(claude.exists('new.txt')).toBe(false)
  },
)
