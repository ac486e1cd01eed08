import { expect, patience, screenOf } from './cli-in-app'
import { type GeminiInApp, moveHand, replaceIn, tasks, test, withGeminiOutside } from './gemini-in-app'

const before = 'one\ntwo\nthree\n'
const after = 'one\nTWO\nthree\n'

/** Two files, and a change to each that the model asks for. */
async function startWithTwoTasks(gemini: GeminiInApp): Promise<void> {
  for (const name of ['first.ts', 'next.ts']) gemini.write(name, before)
  gemini.api.setScript(
    tasks({
      'task-first': [replaceIn(gemini.path('first.ts'), 'two', 'TWO')],
      'task-next': [replaceIn(gemini.path('next.ts'), 'two', 'TWO')],
    }),
  )
  await gemini.start()
}

test(
  'Ctrl+C at its question ends the review, and the next change is asked as usual',
  { tag: '@long' },
  async ({ gemini }) => {
    await startWithTwoTasks(gemini)
    const terminal = await gemini.openGemini()
    await gemini.prompt(terminal, 'do task-first')
    const forgotten = await gemini.review('first.ts')
    await expect(screenOf(terminal)).toContainText('Apply this change?')
    await terminal.locator('.xterm-helper-textarea').focus()
    await gemini.page.keyboard.press('Control+c')
    await expect(forgotten).toHaveCount(0)
    await gemini.prompt(terminal, 'do task-next')
    const review = await gemini.review('next.ts')
    await review.getByRole('button', { name: 'Accept file' }).click()
    await gemini.told('task-next')
    expect(gemini.read('next.ts')).toBe(after)
    expect(gemini.read('first.ts')).toBe(before)
  },
)

test(
  'Ctrl+C in a terminal outside of the app: the next answer there frees the command line',
  { tag: '@long' },
  async ({ gemini }) => {
    await startWithTwoTasks(gemini)
    await withGeminiOutside(gemini, async (outside, send) => {
      await send('do task-first')
      const forgotten = await gemini.review('first.ts')
      await outside.waitForScreen(/Apply this change\?/, patience)
      outside.type('\x03')
      await outside.waitForScreen(/Request cancelled/, patience)
      await send('do task-next')
      await outside.waitForScreen(/next\.ts[^]*Apply this change\?/, patience)
      await moveHand()
      outside.type('\r')
      // Its yes came while it still waited for the forgotten question, so it asks once more, here.
      const review = await gemini.review('next.ts')
      await expect(forgotten).toHaveCount(0)
      await review.getByRole('button', { name: 'Accept file' }).click()
      await gemini.told('task-next')
      expect(gemini.read('next.ts')).toBe(after)
      expect(gemini.read('first.ts')).toBe(before)
    })
  },
)
