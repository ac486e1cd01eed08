import { notices } from '../e2e/open-app'
import { expect, screenOf } from './cli-in-app'
import { replaceIn, tasks, test } from './gemini-in-app'

const before = 'one\ntwo\nthree\n'

test('answered with yes in the terminal, the edits made in the review are what is written', async ({
  gemini,
}) => {
  gemini.write('app.ts', before)
  gemini.api.setScript(tasks({ 'task-yes': [replaceIn(gemini.path('app.ts'), 'two', 'TWO')] }))
  await gemini.start()
  const terminal = await gemini.openGemini()
  await gemini.prompt(terminal, 'do task-yes')
  const review = await gemini.review('app.ts')
  await gemini.typeBehind(review, 'TWO', ' and a half')
  await expect(screenOf(terminal)).toContainText('Apply this change?')
  await terminal.locator('.xterm-helper-textarea').focus()
  await gemini.page.keyboard.press('Enter')
  const told = await gemini.told('task-yes')
  expect(told.results[0]?.text).toContain('TWO and a half')
  expect(gemini.read('app.ts')).toBe('one\nTWO and a half\nthree\n')
  await expect(review).toHaveCount(0)
  await expect(notices(gemini.page)).toContainText('app.ts accepted and written.')
})

test(
  'answered with no in the terminal, nothing is written and the edits stay with the person',
  { tag: '@long' },
  async ({ gemini }) => {
    gemini.write('app.ts', before)
    gemini.api.setScript(tasks({ 'task-no': [replaceIn(gemini.path('app.ts'), 'two', 'TWO')] }))
    await gemini.start()
    const terminal = await gemini.openGemini()
    await gemini.prompt(terminal, 'do task-no')
    const review = await gemini.review('app.ts')
    await gemini.typeBehind(review, 'TWO', ' and a half')
    await expect(screenOf(terminal)).toContainText('Apply this change?')
    await terminal.locator('.xterm-helper-textarea').focus()
    await gemini.page.keyboard.press('Escape')
    await expect(screenOf(terminal)).toContainText('Request cancelled')
    const orphan = gemini.page.getByRole('button', { name: 'Keep as my change' })
    await expect(orphan).toBeVisible()
    expect(gemini.read('app.ts')).toBe(before)
    await orphan.click()
    await expect.poll(() => gemini.read('app.ts')).toBe('one\nTWO and a half\nthree\n')
  },
)

test('a note given with a rejection stands in the prompt, not sent', { tag: '@long' }, async ({ gemini }) => {
  gemini.write('app.ts', before)
  gemini.api.setScript(
    tasks({ 'task-note': [replaceIn(gemini.path('app.ts'), 'two', 'TWO')], 'task-better': [] }),
  )
  await gemini.start()
  const terminal = await gemini.openGemini()
  await gemini.prompt(terminal, 'do task-note')
  const review = await gemini.review('app.ts')
  await review.getByRole('button', { name: 'More ways to reject' }).click()
  await gemini.page.getByRole('menuitem', { name: /Reject with a note/ }).click()
  const note = review.getByRole('textbox', { name: 'Note for Gemini' })
  await note.fill('keep it small: task-better')
  await note.press('Enter')
  await expect(screenOf(terminal)).toContainText('> keep it small: task-better')
  expect(gemini.requestsOf('task-better')).toBe(0)
  await terminal.locator('.xterm-helper-textarea').focus()
  await gemini.page.keyboard.press('Enter')
  await gemini.told('task-better', 0)
  expect(gemini.read('app.ts')).toBe(before)
})
