import { createHash } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { notices } from '../e2e/open-app'
import { expect, screenOf } from './cli-in-app'
import { type GeminiInApp, replaceIn, tasks, test, writeTo } from './gemini-in-app'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const from = 'two\nthree\nfour\nfive\nsix'
const to = 'TWO\nthree\nfour\nfive\nSIX'
const proposed = before.replace(from, to)

test('part of a change is accepted: the file holds the merged text and the model is told', async ({
  gemini,
}) => {
  gemini.write('app.ts', before)
  gemini.api.setScript(tasks({ 'task-part': [replaceIn(gemini.path('app.ts'), from, to)] }))
  await gemini.start()
  const terminal = await gemini.openGemini()
  await gemini.prompt(terminal, 'do task-part')
  const review = await gemini.review('app.ts')
  await expect(terminal.locator('.xterm-helper-textarea')).toBeFocused()
  await gemini.picture('review-beside-terminal')
  await review.getByRole('button', { name: 'Accept change 1' }).click()
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await review.getByRole('button', { name: 'Accept file' }).click()
  const merged = 'one\nTWO\nthree\nfour\nfive\nsix\nseven\n'
  const told = await gemini.told('task-part')
  expect(told.results[0]?.text).toContain('Successfully modified')
  expect(told.results[0]?.text).toContain(merged)
  expect(gemini.read('app.ts')).toBe(merged)
  await expect(screenOf(terminal)).toContainText('task-part is done.')
  await expect(review).toHaveCount(0)
  const sha256 = createHash('sha256').update(merged).digest('hex')
  await expect
    .poll(() => gemini.record('app.ts'))
    .toMatchObject([{ how: 'accepted', by: { kind: 'person' }, agent: 'Gemini', written: { sha256 } }])
})

test('accepted whole, then one rejected: the one is written, the other stops the turn', async ({
  gemini,
}) => {
  gemini.write('app.ts', before)
  const path = gemini.path('app.ts')
  gemini.api.setScript(
    tasks({
      'task-whole': [replaceIn(path, from, to)],
      'task-reject': [replaceIn(path, 'one', 'ONE')],
      'task-next': [],
    }),
  )
  await gemini.start()
  const terminal = await gemini.openGemini()
  await gemini.prompt(terminal, 'do task-whole')
  const first = await gemini.review('app.ts')
  await first.getByRole('button', { name: 'Accept file' }).click()
  await expect(notices(gemini.page)).toContainText('app.ts accepted and written.')
  await gemini.told('task-whole')
  expect(gemini.read('app.ts')).toBe(proposed)
  await expect(screenOf(terminal)).toContainText('task-whole is done.')

  await gemini.prompt(terminal, 'do task-reject')
  const second = await gemini.review('app.ts')
  await second.getByRole('button', { name: 'Reject file' }).click()
  await expect(screenOf(terminal)).toContainText('Request cancelled')
  await expect(second).toHaveCount(0)
  await gemini.prompt(terminal, 'do task-next')
  await gemini.told('task-next', 0)
  expect(gemini.requestsOf('task-reject')).toBe(1)
  expect(gemini.read('app.ts')).toBe(proposed)
})

test('a correction typed into the review is what is written', async ({ gemini }) => {
  gemini.write('app.ts', before)
  gemini.api.setScript(tasks({ 'task-correct': [replaceIn(gemini.path('app.ts'), from, to)] }))
  await gemini.start()
  const terminal = await gemini.openGemini()
  await gemini.prompt(terminal, 'do task-correct')
  const review = await gemini.review('app.ts')
  await gemini.typeBehind(review, 'SIX', ' and a half')
  await review.getByRole('button', { name: 'Accept file' }).click()
  const told = await gemini.told('task-correct')
  expect(told.results[0]?.text).toContain('SIX and a half')
  expect(gemini.read('app.ts')).toBe(proposed.replace('SIX', 'SIX and a half'))
})

/** Gemini changes one file with each of its tools, `replace` and `write_file`; `decide` answers each review. */
async function changeWithBothTools(
  gemini: GeminiInApp,
  text: string,
  decide: (review: Locator) => Promise<void>,
) {
  gemini.write('app.ts', text)
  gemini.write('other.ts', text)
  gemini.api.setScript(
    tasks({
      'task-edit': [replaceIn(gemini.path('app.ts'), from, to)],
      'task-write': [writeTo(gemini.path('other.ts'), proposed)],
    }),
  )
  await gemini.start()
  const terminal = await gemini.openGemini()
  const written: string[] = []
  for (const [task, name] of [
    ['task-edit', 'app.ts'],
    ['task-write', 'other.ts'],
  ] as const) {
    await gemini.prompt(terminal, `do ${task}`)
    await decide(await gemini.review(name))
    await gemini.told(task)
    written.push(gemini.read(name))
    await expect(screenOf(terminal)).toContainText(`${task} is done.`)
  }
  return written
}

test('a file with CRLF keeps its line ends, with both tools', { tag: '@long' }, async ({ gemini }) => {
  const crlf = before.replaceAll('\n', '\r\n')
  const written = await changeWithBothTools(gemini, crlf, async (review) => {
    await review.getByRole('button', { name: 'Reject change 2' }).click()
    await review.getByRole('button', { name: 'Accept file' }).click()
  })
  const expected = crlf.replace('two', 'TWO')
  expect(written).toEqual([expected, expected])
})

test('a byte order mark stays, with both tools', { tag: '@long' }, async ({ gemini }) => {
  const written = await changeWithBothTools(gemini, `\uFEFF${before}`, async (review) => {
    await expect(review.getByText('BOM', { exact: true })).toBeVisible()
    await review.getByRole('button', { name: 'Accept file' }).click()
  })
  expect(written).toEqual([`\uFEFF${proposed}`, `\uFEFF${proposed}`])
})

test(
  'a new file is written as accepted; an empty outcome cannot be accepted, and the app says why',
  { tag: '@long' },
  async ({ gemini }) => {
    gemini.api.setScript(
      tasks({
        'task-new': [writeTo(gemini.path('src/new.ts'), 'hello\nworld\n')],
        'task-empty': [writeTo(gemini.path('empty.ts'), 'hello\n')],
      }),
    )
    gemini.write('empty.ts', 'something\n')
    await gemini.start()
    const terminal = await gemini.openGemini()
    await gemini.prompt(terminal, 'do task-new')
    const created = await gemini.review('src/new.ts')
    await created.getByRole('button', { name: 'Accept file' }).click()
    await gemini.told('task-new')
    expect(gemini.read('src/new.ts')).toBe('hello\nworld\n')
    await expect(screenOf(terminal)).toContainText('task-new is done.')

    await gemini.prompt(terminal, 'do task-empty')
    const review = await gemini.review('empty.ts')
    await review.getByRole('textbox', { name: /^Proposed text of / }).click()
    await gemini.page.keyboard.press('ControlOrMeta+a')
    await gemini.page.keyboard.press('Delete')
    await review.getByRole('button', { name: 'Accept file' }).click()
    await expect(gemini.page.getByText(/can’t leave empty.ts empty/).first()).toBeVisible()
    await gemini.picture('empty-cannot-be-accepted')
    await review.getByRole('button', { name: 'Reject file' }).click()
    await expect(screenOf(terminal)).toContainText('Request cancelled')
    expect(gemini.read('empty.ts')).toBe('something\n')
  },
)
