import { type BareClaude, startBareClaude } from './bare-claude'
import { expect, patience, screenOf } from './cli-in-app'
import { type GeminiInApp, moveHand, replaceIn, tasks, test } from './gemini-in-app'
import { installGeminiCli } from './install-cli'

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

test('Ctrl+C at its question ends the review, and the next change is asked as usual', async ({ gemini }) => {
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
})

test('Ctrl+C in a terminal outside of the app: the next answer there frees the command line', async ({
  gemini,
}) => {
  await startWithTwoTasks(gemini)
  const cli = await installGeminiCli()
  if ('skipped' in cli) return
  const outside = startBareClaude({
    path: process.execPath,
    args: [cli.path],
    cwd: gemini.place.project,
    env: { ...gemini.place.env, COLORTERM: 'truecolor', REMOTE_CONTAINERS: '1' },
  })
  try {
    await outside.waitForScreen(/Type your message/, patience)
    await gemini.connected(1)
    await send(outside, 'do task-first')
    const forgotten = await gemini.review('first.ts')
    await outside.waitForScreen(/Apply this change\?/, patience)
    outside.type('\x03')
    await outside.waitForScreen(/Request cancelled/, patience)
    await send(outside, 'do task-next')
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
  } finally {
    await gemini.info.attach('terminal outside of the app', { body: outside.screen() })
    await outside.kill()
  }
})

/** Types a prompt and sends it, as a person does: when it stands there. */
async function send(outside: BareClaude, text: string): Promise<void> {
  outside.type(text)
  await outside.waitForScreen((screen) => screen.includes(text), patience)
  await moveHand()
  outside.type('\r')
}
