import { notices } from '../e2e/open-app'
import { expect } from './cli-in-app'
import { editOf, readOf, tasks, test } from './claude-in-app'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const from = 'two\nthree\nfour\nfive\nsix'
const to = 'TWO\nthree\nfour\nfive\nSIX'
const proposed = before.replace(from, to)

test('answered in the terminal: No and Yes both close the review', async ({ claude }) => {
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(
    tasks({
      'task-no': [readOf(path), editOf(path, from, to)],
      'task-yes': [readOf(path), editOf(path, from, to)],
    }),
  )
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-no')
  const review = await claude.review('app.ts')
  await claude.answer(terminal, 'Escape', '1. Yes')
  await expect(review).toHaveCount(0)
  expect(claude.read('app.ts')).toBe(before)

  await claude.prompt(terminal, 'do task-yes')
  await claude.review('app.ts')
  await claude.answer(terminal, '1', '1. Yes')
  await expect(notices(claude.page)).toContainText('app.ts was answered in the terminal.')
  const told = await claude.told('task-yes')
  expect(told.results.at(-1)?.isError).toBe(false)
  expect(told.latest).not.toContain('modified')
  await expect(review).toHaveCount(0)
  expect(claude.read('app.ts')).toBe(proposed)
  // Once, though both the link and the hooks have told it.
  const [session] = claude.sessions
  await expect
    .poll(() => claude.record('app.ts'))
    .toMatchObject([
      {
        ...{ how: 'answered-there', by: { kind: 'person' }, dialect: 'claude-ide', session },
        turn: expect.any(String) as unknown,
      },
    ])
})

test('answered Yes in the terminal against decisions: a review of what is written holds them', async ({
  claude,
}) => {
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-against': [readOf(path), editOf(path, from, to)] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-against')
  const review = await claude.review('app.ts')
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await expect(review.getByRole('button', { name: 'Undo change 2' })).toBeVisible()
  await claude.answer(terminal, '1', '1. Yes')
  await claude.told('task-against')
  expect(claude.read('app.ts')).toBe(proposed)
  const again = await claude.review('app.ts')
  await expect(again.getByText('Already written')).toBeVisible()
  await expect(again.getByRole('button', { name: 'Undo change 2' })).toBeVisible()
  await claude.picture('already-written')
  await again.getByRole('button', { name: 'Keep file' }).click()
  await expect(again).toHaveCount(0)
  expect(claude.read('app.ts')).toBe(proposed.replace('SIX', 'six'))
})

test(
  'without hooks, Claude started in a mode that writes without asking: the app says so plainly',
  { tag: '@long' },
  async ({ claude }) => {
    claude.setSettings({ claudePermissionMode: 'acceptEdits', claudeHooks: false })
    claude.write('app.ts', before)
    const path = claude.path('app.ts')
    claude.api.setScript(tasks({ 'task-unasked': [readOf(path), editOf(path, from, to)] }))
    await claude.start()
    const terminal = await claude.openClaude()
    await expect(
      claude.page.getByRole('button', { name: 'Claude: 1 connected, writes without asking' }),
    ).toBeVisible()
    await claude.prompt(terminal, 'do task-unasked')
    await claude.told('task-unasked')
    expect(claude.read('app.ts')).toBe(proposed)
    // What was written unasked is shown afterwards.
    await expect(claude.page.getByRole('region', { name: /^Review: / })).toContainText(/already written/i)
    await claude.page.getByRole('button', { name: 'Claude: 1 connected, writes without asking' }).click()
    await expect(claude.page.getByRole('region', { name: 'Connections' })).toContainText('without review')
    await claude.picture('writes-without-asking')
  },
)
