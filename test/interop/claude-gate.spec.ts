import { notebook, textOfCell } from './a-notebook'
import { expect, screenOf } from './cli-in-app'
import { editOf, readOf, tasks, test, writeOf } from './claude-in-app'
import { say, use } from './messages-api'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const from = 'two\nthree\nfour\nfive\nsix'
const to = 'TWO\nthree\nfour\nfive\nSIX'

test('in accept edits an Edit is reviewed before it is written, and accepted in part', async ({ claude }) => {
  claude.gateIn('acceptEdits')
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-part': [readOf(path), editOf(path, from, to)] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-part')
  const review = await claude.review('app.ts')
  await expect(review.getByText('Already written')).toHaveCount(0)
  expect(claude.read('app.ts')).toBe(before)
  await claude.picture('asked-in-accept-edits')
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await expect(review.getByRole('button', { name: 'Undo change 2' })).toBeVisible()
  await review.getByRole('button', { name: 'Accept file' }).click()
  const told = await claude.told('task-part')
  expect(claude.read('app.ts')).toBe(before.replace('two', 'TWO'))
  expect(told.latest).toMatch(/user (has )?modified|TWO/i)
})

test('without permission checks a Write is reviewed, and rejected: nothing is written', async ({
  claude,
}) => {
  claude.gateIn('bypassPermissions')
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(
    tasks({ 'task-write': [readOf(path), writeOf(path, 'REJECTED\n'), writeOf(path, 'REJECTED\n')] }),
  )
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-write')
  const review = await claude.review('app.ts')
  await claude.picture('asked-without-permission-checks')
  await review.getByRole('button', { name: 'Reject file' }).click()
  await expect(review).toHaveCount(0)
  expect(claude.read('app.ts')).toBe(before)
})

test(
  'a notebook is reviewed on the hook’s own request, and written as it was accepted',
  { tag: '@long' },
  async ({ claude }) => {
    claude.gateIn('acceptEdits')
    claude.write('n.ipynb', notebook('x = 1'))
    const path = claude.path('n.ipynb')
    const change = { notebook_path: path, cell_id: 'c1', new_source: 'x = 2' }
    claude.api.setScript(tasks({ 'task-cell': [readOf(path), use({ name: 'NotebookEdit', input: change })] }))
    await claude.start()
    const terminal = await claude.openClaude()
    await claude.prompt(terminal, 'do task-cell')
    await claude.review('n.ipynb')
    expect(claude.read('n.ipynb')).toBe(notebook('x = 1'))
    await claude.accept('n.ipynb')
    await claude.told('task-cell')
    expect(textOfCell(claude.read('n.ipynb'))).toBe('x = 2')
  },
)

test('three sub-agents at once are asked about at once, and each writes what was accepted', async ({
  claude,
}) => {
  claude.gateIn('acceptEdits')
  const names = ['a', 'b', 'c']
  const start = (name: string) => ({
    name: 'Agent',
    input: {
      ...{ description: `writes ${name}`, prompt: `write sub-${name}` },
      ...{ subagent_type: 'general-purpose', run_in_background: false },
    },
  })
  claude.api.setScript(({ main, everything, results }) => {
    if (!main) return say('ok')
    // A sub-agent that has ended begins a turn of its own.
    if (everything.includes('all are begun')) return say('noted')
    if (everything.includes('do them all'))
      return results.length === 0 ? use(...names.map(start)) : say('all are begun')
    const [, name = ''] = /sub-([abc])/.exec(everything) ?? []
    return results.length === 0
      ? writeOf(claude.path(`${name}.txt`), `${name}\nrest\n`)
      : say(`wrote ${name}`)
  })
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do them all')
  const tabOf = (name: string) => claude.page.getByRole('tab', { name: `${name}.txt`, exact: true })
  for (const name of names) await expect(tabOf(name)).toBeVisible()
  await claude.picture('three-sub-agents')
  for (const name of names) {
    await tabOf(name).click()
    await claude.accept(`${name}.txt`)
    const written = () => claude.exists(`${name}.txt`) && claude.read(`${name}.txt`)
    await expect.poll(written).toBe(`${name}\nrest\n`)
  }
  await expect(screenOf(terminal)).toContainText('noted')
})

test('a command’s own claude -p is reviewed too', { tag: '@long' }, async ({ claude }) => {
  claude.gateIn('bypassPermissions')
  const path = claude.path('inner.txt')
  const command = 'claude -p "write the inner one" --permission-mode acceptEdits'
  claude.api.setScript(({ main, everything, results }) => {
    if (!main) return say('ok')
    const isInner = !everything.includes('do the outer one')
    if (results.length > 0) return say(isInner ? 'inner is done' : 'outer is done')
    return isInner
      ? writeOf(path, 'one\ntwo\nthree\n')
      : use({ name: 'Bash', input: { command, description: 'runs it' } })
  })
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do the outer one')
  const review = await claude.review('inner.txt')
  expect(claude.exists('inner.txt')).toBe(false)
  await claude.picture('nested-claude')
  await review.getByRole('button', { name: 'Accept file' }).click()
  await expect.poll(() => claude.exists('inner.txt')).toBe(true)
  await expect(screenOf(terminal)).toContainText('outer is done')
})
