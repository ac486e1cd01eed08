import { notices } from '../e2e/open-app'
import { bash, converse, field, inMode, reviewOf, said, withMore } from './claude-conversing'
import { editOf, readOf, tasks, test, writeOf } from './claude-in-app'
import { expect } from './cli-in-app'
import { say } from './messages-api'

/** More of conversations without a terminal, through the page. */

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const from = 'two\nthree\nfour\nfive\nsix'
const to = 'TWO\nthree\nfour\nfive\nSIX'

test('begun in the dialog, streamed, a change approved in part, and the next message', async ({ claude }) => {
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(
    tasks({
      'task-part': [readOf(path), editOf(path, from, to)],
      'task-next': [say('And **this** is next.')],
    }),
  )
  await converse(claude, 'do task-part', inMode('Accept edits'))
  const review = await reviewOf(claude, 'app.ts')
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await review.getByRole('button', { name: 'Accept file' }).click()
  const told = await claude.told('task-part')
  expect(told.latest).toContain('- SIX')
  expect(claude.read('app.ts')).toBe(before.replace('two', 'TWO'))
  await claude.page.getByRole('tab', { name: 'do task-part' }).click()
  await expect(said(claude)).toContainText('task-part is done.')
  await field(claude).fill('do task-next')
  await field(claude).press('Enter')
  await expect(said(claude).locator('strong')).toContainText('this')
  await claude.picture('conversation')
})

test('what a message changed, made and deleted goes back by reviews, and comes again to the byte', async ({
  claude,
}) => {
  const path = claude.path('app.ts')
  const marked = `\uFEFF${before.replaceAll('\n', '\r\n')}`
  claude.write('app.ts', marked)
  claude.write('gone.ts', 'no line end')
  claude.api.setScript(
    tasks({
      'task-all': [
        readOf(path),
        editOf(path, 'two', 'TWO'),
        writeOf(claude.path('new.ts'), 'new\n'),
        bash('rm gone.ts'),
      ],
    }),
  )
  await converse(claude, 'do task-all', withMore('Allowed tools', 'Bash(rm *)'))
  for (const name of ['app.ts', 'new.ts'])
    await (await reviewOf(claude, name)).getByRole('button', { name: 'Accept file' }).click()
  // What a command did is asked about once it is done.
  await (await reviewOf(claude, 'gone.ts')).getByRole('button', { name: 'Keep deleted' }).click()
  await claude.page.getByRole('tab', { name: 'do task-all' }).click()
  await expect(said(claude)).toContainText('task-all is done.')
  const texts = () =>
    ['app.ts', 'new.ts', 'gone.ts'].map((name) => (claude.exists(name) ? claude.read(name) : null))
  const done = [marked.replace('two', 'TWO'), 'new\n', null]
  const { page } = claude
  await page.getByRole('button', { name: 'Rewind files to before this' }).click()
  const all = page.getByRole('region', { name: 'All reviews' })
  await expect(all.getByText('Rewind to before “do task-all”')).toHaveCount(3)
  await expect(all.getByText('Deletes the file', { exact: true })).toHaveCount(1)
  await claude.picture('rewound')
  expect(texts()).toEqual(done)
  await all.getByRole('button', { name: 'Accept all' }).click()
  await page.getByRole('button', { name: 'Accept 3 files' }).click()
  await expect.poll(texts).toEqual([marked, null, 'no line end'])
  await notices(page).getByRole('button', { name: 'Undo all' }).click()
  await expect.poll(texts).toEqual(done)
})
