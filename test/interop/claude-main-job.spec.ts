import { notices } from '../e2e/open-app'
import { expect, screenOf } from './cli-in-app'
import { editOf, readOf, tasks, test } from './claude-in-app'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const from = 'two\nthree\nfour\nfive\nsix'
const to = 'TWO\nthree\nfour\nfive\nSIX'
const proposed = before.replace(from, to)

test('part of a change is accepted: the file holds the merged text and the model is told', async ({
  claude,
}) => {
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-part': [readOf(path), editOf(path, from, to)] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-part')
  const review = await claude.review('app.ts')
  await expect(terminal.locator('.xterm-helper-textarea')).toBeFocused()
  await claude.picture('review-beside-terminal')
  await review.getByRole('button', { name: 'Accept change 1' }).click()
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await claude.picture('decided')
  await review.getByRole('button', { name: 'Accept file' }).click()
  const told = await claude.told('task-part')
  expect(told.results.map(({ isError }) => isError)).toEqual([false])
  expect(told.latest).toContain('modified')
  expect(claude.read('app.ts')).toBe('one\nTWO\nthree\nfour\nfive\nsix\nseven\n')
  await expect(screenOf(terminal)).toContainText('task-part is done.')
  await expect(terminal.locator('.xterm-helper-textarea')).toBeFocused()
  await expect(review).toHaveCount(0)
})

test('accepted whole, then one rejected: the one is written unmodified, the other stops the turn', async ({
  claude,
}) => {
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(
    tasks({
      'task-whole': [readOf(path), editOf(path, from, to)],
      'task-reject': [readOf(path), editOf(path, 'one', 'ONE')],
      'task-next': [],
    }),
  )
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-whole')
  await claude.accept('app.ts')
  await expect(notices(claude.page)).toContainText('app.ts accepted and written.')
  const told = await claude.told('task-whole')
  expect(told.results.map(({ isError }) => isError)).toEqual([false])
  expect(told.latest).not.toContain('modified')
  expect(claude.read('app.ts')).toBe(proposed)

  await expect(screenOf(terminal)).toContainText('task-whole is done.')
  await claude.prompt(terminal, 'do task-reject')
  const review = await claude.review('app.ts')
  await review.getByRole('button', { name: 'Reject file' }).click()
  await expect(review).toHaveCount(0)
  // The turn is over: what is asked next is a prompt of its own, which brings the refusal along.
  await claude.prompt(terminal, 'do task-next')
  const next = await claude.told('task-next', 0)
  expect(claude.requestsOf('task-reject')).toBe(2)
  expect(next.results.map(({ isError }) => isError)).toEqual([true])
  expect(claude.read('app.ts')).toBe(proposed)
})

test('a correction typed into the review is what is written, and the model is told of it', async ({
  claude,
}) => {
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-correct': [readOf(path), editOf(path, from, to)] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-correct')
  const review = await claude.review('app.ts')
  await review
    .getByRole('textbox', { name: /^Proposed text of / })
    .getByText('SIX', { exact: true })
    .click()
  await claude.page.keyboard.press('End')
  await claude.page.keyboard.type(' and a half')
  await expect(review.getByText('Edited')).toBeVisible()
  await claude.picture('edited')
  await review.getByRole('button', { name: 'Accept file' }).click()
  const told = await claude.told('task-correct')
  expect(told.results.map(({ isError }) => isError)).toEqual([false])
  expect(told.latest).toContain('modified')
  expect(claude.read('app.ts')).toBe(proposed.replace('SIX', 'SIX and a half'))
})

test(
  'without hooks a note given with a rejection stands in the prompt, and goes when the person sends it',
  { tag: '@long' },
  async ({ claude }) => {
    claude.setSettings({ claudeHooks: false })
    claude.write('app.ts', before)
    const path = claude.path('app.ts')
    claude.api.setScript(
      tasks({ 'task-note': [readOf(path), editOf(path, 'one', 'ONE')], 'task-better': [] }),
    )
    await claude.start()
    const terminal = await claude.openClaude()
    await claude.prompt(terminal, 'do task-note')
    const review = await claude.review('app.ts')
    await review.getByRole('button', { name: 'More ways to reject' }).click()
    await claude.page.getByRole('menuitem', { name: /Reject with a note/ }).click()
    const note = review.getByRole('textbox', { name: 'Note for Claude' })
    await note.fill('keep it small: task-better')
    await note.press('Enter')
    await expect(screenOf(terminal)).toContainText('❯ keep it small: task-better')
    await claude.picture('note-in-prompt')
    expect(claude.requestsOf('task-note')).toBe(2)
    expect(claude.requestsOf('task-better')).toBe(0)
    await terminal.locator('.xterm-helper-textarea').focus()
    await claude.page.keyboard.press('Enter')
    const sent = await claude.told('task-better', 0)
    expect(sent.latest).toContain('keep it small: task-better')
    expect(claude.read('app.ts')).toBe(before)
  },
)

test(
  'two changes in one turn come one after the other, the second on top of what became of the first',
  { tag: '@long' },
  async ({ claude }) => {
    claude.write('app.ts', before)
    const path = claude.path('app.ts')
    claude.api.setScript(
      tasks({
        'task-two': [
          readOf(path),
          {
            blocks: [
              {
                type: 'tool_use',
                name: 'Edit',
                input: { file_path: path, old_string: from, new_string: to },
              },
              {
                type: 'tool_use',
                name: 'Edit',
                input: { file_path: path, old_string: 'one', new_string: 'ONE' },
              },
            ],
          },
        ],
      }),
    )
    await claude.start()
    const terminal = await claude.openClaude()
    await claude.prompt(terminal, 'do task-two')
    const first = await claude.review('app.ts')
    await first.getByRole('button', { name: 'Reject change 2' }).click()
    await first.getByRole('button', { name: 'Accept file' }).click()
    await expect(notices(claude.page)).toContainText('app.ts accepted and written.')
    const second = await claude.review('app.ts')
    await expect(second.getByRole('button', { name: 'Accept change 2' })).toHaveCount(0)
    await expect(second.getByRole('textbox', { name: /^Proposed text of / })).toContainText('ONETWOthree')
    await second.getByRole('button', { name: 'Accept file' }).click()
    const told = await claude.told('task-two')
    expect(told.results.map(({ isError }) => isError)).toEqual([false, false])
    expect(claude.read('app.ts')).toBe('ONE\nTWO\nthree\nfour\nfive\nsix\nseven\n')
  },
)
