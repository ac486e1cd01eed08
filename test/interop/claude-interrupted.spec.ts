import { join } from 'node:path'
import { holds } from '../e2e/held-text'
import { expect } from './cli-in-app'
import { type ClaudeInApp, editOf, readOf, tasks, test } from './claude-in-app'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const from = 'two\nthree\nfour\nfive\nsix'
const to = 'TWO\nthree\nfour\nfive\nSIX'
/** What the person makes of it: the first change corrected, the second rejected. */
const made = 'one\nTWO by hand\nthree\nfour\nfive\nsix\nseven\n'

/** A review under way, with a decision and a typed correction. */
async function begin(claude: ClaudeInApp) {
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-begin': [readOf(path), editOf(path, from, to)] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-begin')
  const review = await claude.review('app.ts')
  await review
    .getByRole('textbox', { name: /^Proposed text of / })
    .getByText('TWO', { exact: true })
    .click()
  await claude.page.keyboard.press('End')
  await claude.page.keyboard.type(' by hand')
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await expect(review.getByRole('button', { name: 'Undo change 2' })).toBeVisible()
  return { terminal, review }
}

test('the command line is killed during the review: the draft stays and can be kept', async ({ claude }) => {
  const { review } = await begin(claude)
  const [pid] = claude.pids
  expect(pid).toBeDefined()
  process.kill(pid ?? 0, 'SIGKILL')
  await expect(review.getByText('Claude is disconnected.')).toBeVisible()
  expect(claude.read('app.ts')).toBe(before)
  await claude.picture('agent-gone')
  await review.getByRole('button', { name: 'Keep as my change' }).click()
  await expect(review).toHaveCount(0)
  expect(claude.read('app.ts')).toBe(made)
})

test('the app is killed during the review: it comes back with the draft, and the file is untouched', async ({
  claude,
}) => {
  const { review } = await begin(claude)
  // Entries are in order: with the decision, the typing before it is there too.
  await expect.poll(() => holds(join(claude.dataFolder, 'reviews'), '"kind":"reject"')).toBe(true)
  await claude.stop('SIGKILL')
  expect(claude.read('app.ts')).toBe(before)
  await claude.start()
  await (await claude.pending()).getByRole('button', { name: 'app.ts, Claude' }).click()
  await expect(review.getByText('Greenlight can no longer answer Claude.')).toBeVisible()
  await expect(review.getByRole('button', { name: 'Undo change 2' })).toBeVisible()
  await expect(review.getByRole('textbox', { name: /^Proposed text of / })).toContainText('TWO by hand')
  expect(claude.read('app.ts')).toBe(before)
  await claude.picture('after-the-crash')
  await review.getByRole('button', { name: 'Keep as my change' }).click()
  await expect(review).toHaveCount(0)
  expect(claude.read('app.ts')).toBe(made)
})

test(
  'the page is loaded anew during the review: decisions and typed text stay, and accepting works',
  { tag: '@long' },
  async ({ claude }) => {
    const { review } = await begin(claude)
    await claude.page.reload()
    await claude.review('app.ts')
    await expect(review.getByRole('button', { name: 'Undo change 2' })).toBeVisible()
    await expect(review.getByRole('textbox', { name: /^Proposed text of / })).toContainText('TWO by hand')
    await claude.accept('app.ts')
    const told = await claude.told('task-begin')
    expect(told.results.map(({ isError }) => isError)).toEqual([false])
    expect(told.latest).toContain('modified')
    expect(claude.read('app.ts')).toBe(made)
  },
)
