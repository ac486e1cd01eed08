import { rmSync } from 'node:fs'
import { expect, screenOf } from './cli-in-app'
import { replaceIn, tasks, test, type GeminiInApp } from './gemini-in-app'

const before = 'one\ntwo\nthree\n'

async function acceptOne(gemini: GeminiInApp, terminal: Awaited<ReturnType<GeminiInApp['openShell']>>) {
  gemini.api.setScript(tasks({ 'task-one': [replaceIn(gemini.path('app.ts'), 'two', 'TWO')] }))
  await gemini.prompt(terminal, 'do task-one')
  const review = await gemini.review('app.ts')
  await review.getByRole('button', { name: 'Accept file' }).click()
  await gemini.told('task-one')
  expect(gemini.read('app.ts')).toBe('one\nTWO\nthree\n')
}

test('connects by the discovery file alone', { tag: '@long' }, async ({ gemini }) => {
  gemini.write('app.ts', before)
  await gemini.start()
  const shell = await gemini.openShell()
  const names = ['PID', 'SERVER_PORT', 'WORKSPACE_PATH', 'AUTH_TOKEN'].map((name) => `GEMINI_CLI_IDE_${name}`)
  await gemini.type(shell, `unset ${names.join(' ')}; gemini`)
  await expect(screenOf(shell)).toContainText('Type your message')
  await gemini.connected(1)
  await acceptOne(gemini, shell)
})

test(
  'connects by the one file of our own process and the environment of the terminal',
  { tag: '@long' },
  async ({ gemini }) => {
    gemini.write('app.ts', before)
    await gemini.start()
    // Without any file a client knows no editor, whatever the environment says.
    for (const file of gemini.ready?.gemini?.discoveryFiles.slice(1) ?? []) rmSync(file)
    const terminal = await gemini.openGemini()
    await acceptOne(gemini, terminal)
  },
)

test(
  'says which version is connected, its process and its terminal',
  { tag: '@long' },
  async ({ gemini }) => {
    await gemini.start()
    await gemini.openGemini()
    await gemini.page.getByRole('button', { name: /^Gemini: 1 connected/ }).click()
    const connections = gemini.page.getByRole('region', { name: 'Connections' })
    await expect(connections).toContainText('0.61.0')
    await expect(connections).toContainText('in terminal “Gemini CLI”')
    await expect(connections).toContainText(/pid \d+/)
    await gemini.picture('connections')
  },
)
