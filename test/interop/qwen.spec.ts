import { test as base } from '@playwright/test'
import { expect, screenOf, skipWithout } from './cli-in-app'
import { tasks, useApp, writeTo } from './gemini-in-app'
import { installQwenCode } from './install-cli'

base('Qwen Code connects by its lock file, and its change is reviewed', async ({ page }, info) => {
  const cli = await installQwenCode()
  skipWithout(cli)
  if ('skipped' in cli) return
  await useApp(page, info, async (qwen) => {
    qwen.addProgram('qwen', cli.path)
    qwen.write('app.ts', 'one\ntwo\nthree\n')
    const path = qwen.path('app.ts')
    // It overwrites no file that it has not read.
    const read = { calls: [{ name: 'read_file', args: { file_path: path } }] }
    qwen.api.setScript(tasks({ 'task-qwen': [read, writeTo(path, 'one\nTWO\nthree\n')] }))
    await qwen.start()
    const shell = await qwen.openShell()
    await qwen.type(shell, 'qwen --approval-mode default')
    await expect(screenOf(shell)).toContainText('Type your message')
    await qwen.connected(1)
    await qwen.prompt(shell, 'do task-qwen')
    const review = await qwen.review('app.ts')
    await expect(await qwen.pending()).toContainText('Qwen')
    await qwen.picture('review')
    await review.getByRole('button', { name: 'Accept file' }).click()
    await qwen.told('task-qwen', 2)
    expect(qwen.read('app.ts')).toBe('one\nTWO\nthree\n')
  })
})
