import { expect, patience, screenOf } from './cli-in-app'
import { replaceIn, tasks, test } from './gemini-in-app'

const idle = 6 * 60_000

test('after six minutes without a word the command line is still connected', async ({ gemini }, info) => {
  info.setTimeout(idle + 5 * patience)
  gemini.write('app.ts', 'one\ntwo\nthree\n')
  gemini.api.setScript(tasks({ 'task-late': [replaceIn(gemini.path('app.ts'), 'two', 'TWO')] }))
  await gemini.start()
  const terminal = await gemini.openGemini()
  // Nothing to wait for: that nothing happens is what is looked at.
  await gemini.page.waitForTimeout(idle)
  await gemini.connected(1)
  // It asks the terminal for its background from time to time, clears the screen at the answer, and draws it again at
  // the next key only (docs/protocols/gemini-companion.md).
  await terminal.locator('.xterm-helper-textarea').focus()
  await expect(async () => {
    await gemini.page.keyboard.press('x')
    await gemini.page.keyboard.press('Backspace')
    await expect(screenOf(terminal)).toContainText('Type your message', { timeout: 2000 })
  }).toPass({ timeout: patience })
  await gemini.prompt(terminal, 'do task-late')
  const review = await gemini.review('app.ts')
  await review.getByRole('button', { name: 'Accept file' }).click()
  await gemini.told('task-late')
  expect(gemini.read('app.ts')).toBe('one\nTWO\nthree\n')
})
