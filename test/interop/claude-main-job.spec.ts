import { editOf, expect, readThen, test } from './claude-in-app'

test('part of a change is accepted: the file holds the merged text and the model is told', async ({
  claude,
}) => {
  claude.write('app.ts', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n')
  claude.api.setScript(
    readThen(
      claude.path('app.ts'),
      editOf(claude.path('app.ts'), 'two\nthree\nfour\nfive\nsix', 'TWO\nthree\nfour\nfive\nSIX'),
    ),
  )
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'please change it')
  const review = await claude.review('app.ts')
  await expect(terminal.locator('.xterm-helper-textarea')).toBeFocused()
  await review.getByRole('button', { name: 'Accept change 1' }).click()
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await review.getByRole('button', { name: 'Accept file' }).click()
  const told = await claude.results(2)
  expect(told.results.map(({ isError }) => isError)).toEqual([false])
  expect(told.latest).toContain('modified')
  expect(claude.read('app.ts')).toBe('one\nTWO\nthree\nfour\nfive\nsix\nseven\n')
  await expect(terminal.locator('.xterm-rows')).toContainText('All done here.')
  await expect(terminal.locator('.xterm-helper-textarea')).toBeFocused()
})
