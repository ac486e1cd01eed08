import { expect, screenOf } from './cli-in-app'
import { editOf, readOf, tasks, test, writeOf } from './claude-in-app'

test('new files: one is written, and so is an empty one', { tag: '@long' }, async ({ claude }) => {
  claude.write('there.txt', 'there\n')
  claude.api.setScript(
    tasks({
      'task-new': [readOf(claude.path('there.txt')), writeOf(claude.path('deep/new.txt'), 'alpha\nbeta\n')],
      'task-empty': [readOf(claude.path('there.txt')), writeOf(claude.path('empty.txt'), '')],
    }),
  )
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-new')
  const review = await claude.review('deep/new.txt')
  await expect(review.getByText('New file')).toBeVisible()
  expect(claude.exists('deep/new.txt')).toBe(false)
  await claude.picture('new-file')
  await claude.accept('deep/new.txt')
  const told = await claude.told('task-new')
  expect(told.results.map(({ isError }) => isError)).toEqual([false])
  expect(told.latest).not.toContain('modified')
  expect(claude.read('deep/new.txt')).toBe('alpha\nbeta\n')

  await expect(screenOf(terminal)).toContainText('task-new is done.')
  await claude.prompt(terminal, 'do task-empty')
  await expect((await claude.review('empty.txt')).getByText('The new file is empty.')).toBeVisible()
  expect(claude.exists('empty.txt')).toBe(false)
  await claude.accept('empty.txt')
  const empty = await claude.told('task-empty')
  expect(empty.results.map(({ isError }) => isError)).toEqual([false])
  expect(claude.read('empty.txt')).toBe('')
})

const crlf = 'one\r\ntwo\r\nthree\r\n'

test(
  'line ends, byte order mark and a missing last line end stay as they are in the file',
  { tag: '@long' },
  async ({ claude }) => {
    claude.write('edit.txt', crlf)
    claude.write('write.txt', crlf)
    claude.write('bom.txt', '\ufeffone\ntwo\n')
    claude.write('open.txt', 'one\ntwo')
    claude.write('ends.txt', 'one\ntwo\n')
    const path = (name: string) => claude.path(name)
    claude.api.setScript(
      tasks({
        'task-edit': [readOf(path('edit.txt')), editOf(path('edit.txt'), 'two', 'TWO')],
        'task-write': [readOf(path('write.txt')), writeOf(path('write.txt'), 'one\nTWO\nthree\n')],
        'task-mark': [readOf(path('bom.txt')), writeOf(path('bom.txt'), 'one\nTWO\n')],
        'task-open': [readOf(path('open.txt')), editOf(path('open.txt'), 'two', 'TWO')],
        'task-ends': [readOf(path('ends.txt')), writeOf(path('ends.txt'), 'one\r\ntwo\r\n')],
      }),
    )
    await claude.start()
    const terminal = await claude.openClaude()

    const run = async (task: string, name: string) => {
      await claude.prompt(terminal, `do ${task}`)
      await claude.accept(name)
      const told = await claude.told(task)
      expect(told.results.map(({ isError }) => isError)).toEqual([false])
      await expect(screenOf(terminal)).toContainText(`${task} is done.`)
      return told
    }

    const edit = await run('task-edit', 'edit.txt')
    expect(claude.read('edit.txt')).toBe('one\r\nTWO\r\nthree\r\n')
    expect(edit.latest).not.toContain('modified')

    const write = await run('task-write', 'write.txt')
    expect(claude.read('write.txt')).toBe('one\r\nTWO\r\nthree\r\n')
    // The file keeps its line ends although the model wrote others: that is a modification.
    expect(write.latest).toContain('modified')

    const mark = await run('task-mark', 'bom.txt')
    expect(claude.read('bom.txt')).toBe('\ufeffone\nTWO\n')
    expect(mark.latest).not.toContain('modified')

    const open = await run('task-open', 'open.txt')
    expect(claude.read('open.txt')).toBe('one\nTWO')
    expect(open.latest).not.toContain('modified')

    await claude.prompt(terminal, 'do task-ends')
    const review = await claude.review('ends.txt')
    await expect(review.getByText('Only the line endings differ.')).toBeVisible()
    await expect(review.getByRole('button', { name: /^Accept change/ })).toHaveCount(0)
    await claude.picture('line-ends-only')
    await claude.accept('ends.txt')
    const ends = await claude.told('task-ends')
    expect(ends.results.map(({ isError }) => isError)).toEqual([false])
    expect(claude.read('ends.txt')).toBe('one\r\ntwo\r\n')
  },
)
