import { expect } from './cli-in-app'
import { editOf, readOf, tasks, test } from './claude-in-app'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const from = 'two\nthree\nfour\nfive\nsix'
const to = 'TWO\nthree\nfour\nfive\nSIX'

test('without hooks, what Claude writes without asking is reviewed after the fact: one change is put back', async ({
  claude,
}) => {
  claude.setSettings({ claudePermissionMode: 'acceptEdits', claudeHooks: false })
  // Not in a repository, and not committed: the text is the person's own.
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-unasked': [readOf(path), editOf(path, from, to)] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-unasked')
  await claude.told('task-unasked')
  expect(claude.read('app.ts')).toBe(before.replace(from, to))

  const review = await claude.review('app.ts')
  await expect(review.getByText('Already written')).toBeVisible()
  await expect(review.getByText('During Claude’s turn')).toBeVisible()
  await claude.picture('already-written-by-claude')
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await expect(review.getByRole('button', { name: 'Undo change 2' })).toBeVisible()
  expect(claude.read('app.ts')).toBe(before.replace(from, to))
  await review.getByRole('button', { name: 'Keep file' }).click()
  await expect(review).toHaveCount(0)
  await expect.poll(() => claude.read('app.ts')).toBe(before.replace('two', 'TWO'))
})

test(
  'what Claude asks for is not asked about again when it is written',
  { tag: '@long' },
  async ({ claude }) => {
    claude.write('app.ts', before)
    claude.write('other.ts', before)
    const [path, other] = [claude.path('app.ts'), claude.path('other.ts')]
    claude.api.setScript(
      tasks({
        'task-asked': [readOf(path), editOf(path, from, to)],
        'task-again': [readOf(other), editOf(other, from, to)],
      }),
    )
    await claude.start()
    const terminal = await claude.openClaude()
    await claude.prompt(terminal, 'do task-asked')
    await claude.accept('app.ts')
    await claude.told('task-asked')
    await expect.poll(() => claude.read('app.ts')).toBe(before.replace(from, to))
    // What comes next is the next question, and nothing before it.
    await claude.prompt(terminal, 'do task-again')
    const review = await claude.review('other.ts')
    const pending = (await claude.pending()).getByRole('listitem')
    await expect(pending).toHaveCount(1)
    await review.getByRole('button', { name: 'Reject file' }).click()
    await expect(review).toHaveCount(0)
  },
)
