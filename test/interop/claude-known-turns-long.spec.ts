import { answer, bash } from './claude-conversing'
import { expect, screenOf } from './cli-in-app'
import { editOf, readOf, tasks, test } from './claude-in-app'
import { say } from './messages-api'

/** What is written while the real command line is in a turn: its own only while a tool of it runs. */

test('what a command writes is shown by its name; what is saved while Claude thinks is the person’s', async ({
  claude,
}) => {
  claude.write('mine.txt', 'old\n')
  claude.write('theirs.txt', 'old\n')
  let think = (): void => undefined
  const thought = new Promise<void>((resolve) => (think = resolve))
  const steps = tasks({ 'task-think': [bash('sed -i s/old/new/ theirs.txt')] })
  claude.api.setScript(async (request, before) => {
    const reply = await steps(request, before)
    if (!request.main || !request.everything.includes('task-think') || request.results.length === 0)
      return reply
    // Between the command and the answer Claude thinks for as long as the test likes.
    await thought
    return say('done thinking')
  })
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-think')
  await answer(claude, 'sed -i', 'Allow once')
  await claude.told('task-think', 1)
  const review = await claude.review('theirs.txt')
  await expect(review).toContainText('During Claude’s turn, while it ran: sed -i s/old/new/ theirs.txt')
  await claude.picture('written-by-a-command')
  // Its tail is over; its terminal still says that it works.
  await claude.page.waitForTimeout(4000)
  claude.write('mine.txt', 'mine\n')
  await claude.page.waitForTimeout(3000)
  think()
  await expect(screenOf(terminal)).toContainText('done thinking')
  await expect((await claude.pending()).getByRole('listitem')).toHaveCount(1)
})

test('what a command writes at once is one group that names it', async ({ claude }) => {
  const command = 'for n in $(seq 60); do echo $n > made-$n.txt; done'
  claude.api.setScript(tasks({ 'task-many': [bash(command)] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-many')
  await answer(claude, 'seq 60', 'Allow once')
  await claude.told('task-many', 1)
  await claude.pending()
  const group = claude.page.getByRole('listitem', { name: /changed at once/ })
  await expect(group).toContainText('60 files changed at once')
  await expect(group).toContainText(`Written during Claude’s turn, while it ran: ${command}`)
  await claude.picture('group-by-a-command')
})

test('what a tool writes as its mode has it is reviewed, from what was there before', async ({ claude }) => {
  claude.setSettings({ claudePermissionMode: 'acceptEdits', reviewWhich: 'mode' })
  claude.write('app.ts', 'one\ntwo\n')
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-mode': [readOf(path), editOf(path, 'two', 'TWO')] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-mode')
  await claude.told('task-mode')
  expect(claude.read('app.ts')).toBe('one\nTWO\n')
  const review = await claude.review('app.ts')
  await expect(review).toContainText('Already written')
  // It is known who wrote it, and not only in whose turn.
  await expect(review).not.toContainText('Claude’s turn')
  await review.getByRole('button', { name: 'Put back' }).click()
  await expect.poll(() => claude.read('app.ts')).toBe('one\ntwo\n')
})
