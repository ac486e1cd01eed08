import { expect, replaceIn, tasks, test } from './gemini-in-app'

const before = 'one\ntwo\nthree\n'
const after = 'one\nTWO\nthree\n'

test('the page is loaded anew in the middle of a review: nothing is lost, and the answer arrives', async ({
  gemini,
}) => {
  gemini.write('app.ts', before)
  gemini.api.setScript(tasks({ 'task-reload': [replaceIn(gemini.path('app.ts'), 'two', 'TWO')] }))
  await gemini.start()
  const terminal = await gemini.openGemini()
  await gemini.prompt(terminal, 'do task-reload')
  await gemini.review('app.ts')
  await gemini.page.reload()
  const review = await gemini.review('app.ts')
  await gemini.connected(1)
  await review.getByRole('button', { name: 'Accept file' }).click()
  await gemini.told('task-reload')
  expect(gemini.read('app.ts')).toBe(after)
})

test('two command lines at once have each their own reviews', async ({ gemini }) => {
  for (const name of ['a.ts', 'b.ts', 'same.ts']) gemini.write(name, before)
  gemini.api.setScript(
    tasks({
      'task-first': [replaceIn(gemini.path('a.ts'), 'two', 'TWO')],
      'task-second': [replaceIn(gemini.path('b.ts'), 'two', 'TWO')],
    }),
  )
  await gemini.start()
  const one = await gemini.openGemini()
  await gemini.prompt(one, 'do task-first')
  await gemini.review('a.ts')
  const other = await gemini.openGemini(2)
  await gemini.prompt(other, 'do task-second')
  const pending = await gemini.pending()
  await expect(pending.getByRole('listitem')).toHaveCount(2)
  // The one that has waited longer is answered last.
  await pending.getByText('b.ts').click()
  const second = await gemini.review('b.ts')
  await second.getByRole('button', { name: 'Accept file' }).click()
  await gemini.told('task-second')
  expect(gemini.read('b.ts')).toBe(after)
  expect(gemini.read('a.ts')).toBe(before)
  await pending.getByText('a.ts').click()
  const first = await gemini.review('a.ts')
  await first.getByRole('button', { name: 'Accept file' }).click()
  await gemini.told('task-first')
  expect(gemini.read('a.ts')).toBe(after)
})
