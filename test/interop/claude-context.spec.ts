import { expect, screenOf } from './cli-in-app'
import { editOf, readOf, tasks, test } from './claude-in-app'

const before = 'one\ntwo\nthree\nfour\n'

test('the selection and a mention arrive in the request of the model', async ({ claude }) => {
  claude.write('app.ts', 'const first = 1\nconst second = 2\nconst third = 3\nconst fourth = 4\n')
  claude.api.setScript(tasks({ 'task-selection': [], 'task-mention': [] }))
  await claude.start()
  const terminal = await claude.openClaude()
  const { page } = claude
  const editor = page.getByRole('textbox', { name: `Editor: ${claude.path('app.ts')}` })
  const select = async () => {
    await editor.getByText('second').click()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+End')
  }
  await page.getByRole('treeitem', { name: 'app.ts' }).dblclick()
  await select()
  await claude.picture('selection')
  await expect(screenOf(terminal)).toContainText('1 line selected')
  await claude.prompt(terminal, 'do task-selection')
  expect((await claude.told('task-selection', 0)).latest).toContain('const second = 2')

  await expect(screenOf(terminal)).toContainText('task-selection is done.')
  await editor.getByText('second').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Alt+KeyK')
  await expect(screenOf(terminal)).toContainText('@app.ts#L2-3')
  await terminal.locator('.xterm-helper-textarea').focus()
  await page.keyboard.insertText('do task-mention')
  await expect(screenOf(terminal)).toContainText('do task-mention')
  await page.keyboard.press('Enter')
  expect((await claude.told('task-mention', 0)).latest).toContain('@app.ts#L2-3')
})

test('two command lines at once, each with its own change', { tag: '@long' }, async ({ claude }) => {
  claude.write('left.txt', before)
  claude.write('right.txt', before)
  const [left, right] = [claude.path('left.txt'), claude.path('right.txt')]
  claude.api.setScript(
    tasks({
      'task-left': [readOf(left), editOf(left, 'two', 'LEFT')],
      'task-right': [readOf(right), editOf(right, 'two', 'RIGHT')],
    }),
  )
  await claude.start()
  const first = await claude.openClaude()
  const second = await claude.openClaude(2)
  await claude.prompt(second, 'do task-right')
  await claude.review('right.txt')
  await claude.page.getByRole('tab', { name: 'Claude Code', exact: true }).click()
  await claude.prompt(first, 'do task-left')
  const list = await claude.pending()
  await list.getByRole('button', { name: 'left.txt, Claude' }).click()
  await expect(list.getByRole('button')).toHaveCount(2)
  await claude.picture('two-at-once')
  await claude.accept('left.txt')
  const told = await claude.told('task-left')
  expect(told.results.map(({ isError }) => isError)).toEqual([false])
  expect(claude.read('left.txt')).toBe('one\nLEFT\nthree\nfour\n')
  expect(claude.read('right.txt')).toBe(before)
  expect(claude.requestsOf('task-right')).toBe(2)

  await list.getByRole('button', { name: 'right.txt, Claude' }).click()
  await claude.accept('right.txt')
  await claude.told('task-right')
  expect(claude.read('right.txt')).toBe('one\nRIGHT\nthree\nfour\n')
})

test(
  'two command lines want one file: the second waits for the first and is carried onto what became of it',
  { tag: '@long' },
  async ({ claude }) => {
    claude.write('app.ts', before)
    const path = claude.path('app.ts')
    claude.api.setScript(
      tasks({
        'task-front': [readOf(path), editOf(path, 'one', 'ONE')],
        'task-behind': [readOf(path), editOf(path, 'four', 'FOUR')],
      }),
    )
    await claude.start()
    const { page } = claude
    const first = await claude.openClaude()
    const second = await claude.openClaude(2)
    await page.getByRole('tab', { name: 'Claude Code', exact: true }).click()
    await claude.prompt(first, 'do task-front')
    await claude.review('app.ts')
    await page.getByRole('tab', { name: 'Claude Code 2', exact: true }).click()
    await claude.prompt(second, 'do task-behind')
    const list = await claude.pending()
    await expect(list.getByText('Queued, 2nd in line', { exact: true })).toBeVisible()
    await claude.picture('queued')
    await claude.accept('app.ts')
    const told = await claude.told('task-front')
    expect(told.results.map(({ isError }) => isError)).toEqual([false])
    await expect(list.getByText('Queued, 2nd in line', { exact: true })).toHaveCount(0)
    await list.getByRole('button', { name: 'app.ts, Claude' }).click()
    await claude.picture('next-in-queue')
    const review = await claude.review('app.ts')
    await expect(review.getByText('Claude will probably refuse to write it')).toBeVisible()
    await claude.accept('app.ts')
    // Claude Code does not write over a file that has changed since it read it; the person can.
    const refused = await claude.told('task-behind')
    expect(refused.results.map(({ isError }) => isError)).toEqual([true])
    expect(claude.read('app.ts')).toBe('ONE\ntwo\nthree\nfour\n')
    await list.getByRole('button', { name: 'app.ts, Claude' }).click()
    await review.getByRole('button', { name: 'Write it myself' }).click()
    await expect(list).toHaveCount(0)
    expect(claude.read('app.ts')).toBe('ONE\ntwo\nthree\nFOUR\n')
  },
)

test(
  'the server switched off and on again: the command line connects anew and asks here',
  { tag: '@long' },
  async ({ claude }) => {
    claude.write('app.ts', before)
    const path = claude.path('app.ts')
    claude.api.setScript(
      tasks({ 'task-first': [readOf(path)], 'task-again': [readOf(path), editOf(path, 'one', 'ONE')] }),
    )
    await claude.start()
    const { page } = claude
    const terminal = await claude.openClaude()
    // A command line that loses its editor while it is still introducing itself does not look for it again.
    await claude.prompt(terminal, 'do task-first')
    await claude.told('task-first', 1)
    await page.getByRole('button', { name: 'Connections panel' }).click()
    const connect = page.getByRole('switch', { name: 'Let Claude Code connect' })
    await connect.click()
    await expect(page.getByRole('button', { name: 'Claude: switched off' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Connections' })).toContainText('Its port is closed')
    await connect.click()
    await claude.connected(1)
    await claude.prompt(terminal, 'do task-again')
    await claude.accept('app.ts')
    await claude.told('task-again')
    expect(claude.read('app.ts')).toBe('ONE\ntwo\nthree\nfour\n')
  },
)

test('a selection that is gone is not told to the model', { tag: '@long' }, async ({ claude }) => {
  claude.write('app.ts', 'const first = 1\nconst second = 2\n')
  claude.api.setScript(tasks({ 'task-nothing': [] }))
  await claude.start()
  const terminal = await claude.openClaude()
  const { page } = claude
  const editor = page.getByRole('textbox', { name: `Editor: ${claude.path('app.ts')}` })
  await page.getByRole('treeitem', { name: 'app.ts' }).dblclick()
  await editor.getByText('second').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await expect(screenOf(terminal)).toContainText('1 line selected')
  await page.getByRole('button', { name: 'Close app.ts', includeHidden: true }).click()
  await expect(screenOf(terminal)).not.toContainText('1 line selected')
  await claude.prompt(terminal, 'do task-nothing')
  const without = await claude.told('task-nothing', 0)
  expect(without.latest).not.toContain('const second')
  expect(without.latest).not.toContain('app.ts')
})
