import { expect, screenOf } from './cli-in-app'
import { tasks, test } from './gemini-in-app'

test('what is selected and open is in the model’s request, and what is shared no more is not', async ({
  gemini,
}) => {
  gemini.write('secret-plan.ts', 'alpha\nbravo selected words\ncharlie\n')
  gemini.write('.env', 'KEY=1\n')
  gemini.api.setScript(tasks({ 'task-look': [], 'task-again': [] }))
  await gemini.start()
  const terminal = await gemini.openGemini()
  await gemini.page.getByRole('treeitem', { name: '.env' }).dblclick()
  await gemini.page.getByRole('treeitem', { name: 'secret-plan.ts' }).dblclick()
  const editor = gemini.page.getByRole('textbox', { name: `Editor: ${gemini.path('secret-plan.ts')}` })
  await editor.getByText('bravo selected words').click()
  await gemini.page.keyboard.press('Home')
  await gemini.page.keyboard.press('Shift+End')
  await expect(screenOf(terminal)).toContainText('1 open file')
  await gemini.prompt(terminal, 'do task-look')
  const first = await gemini.told('task-look', 0)
  expect(first.everything).toContain('secret-plan.ts')
  expect(first.latest).toContain('bravo selected words')
  // The folder's listing names it too; what is open is told by whole paths.
  expect(first.everything).not.toContain(gemini.path('.env'))
  await expect(screenOf(terminal)).toContainText('task-look is done.')

  await gemini.page.getByRole('button', { name: 'Context panel' }).click()
  const context = gemini.page.getByRole('region', { name: 'Context', exact: true })
  await expect(context).toContainText('Gemini')
  await gemini.picture('context')
  const cleared = context.getByText('nothing is selected any more', { exact: true })
  const before = await cleared.count()
  await context.getByRole('switch', { name: 'Share with agents' }).click()
  // Its own line below the prompt still says "1 open file" until it draws anew, a minute after its start.
  await expect(cleared).toHaveCount(before + 1)
  await gemini.prompt(terminal, 'do task-again')
  const second = await gemini.told('task-again', 0)
  expect(second.latest).not.toContain('bravo selected words')
})
