import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, screenOf } from './cli-in-app'
import { editOf, readOf, tasks, test } from './claude-in-app'
import { useOwnHooks } from './own-hooks'

test(
  'beside the person’s own hooks and allow rule, what is shown is what is written; what they deny is not asked',
  { tag: '@long' },
  async ({ claude }) => {
    claude.gateIn('acceptEdits')
    const heard = join(claude.place.root, 'heard')
    useOwnHooks(claude, {
      permissions: { allow: ['Edit', 'Write'] },
      before: `if (path.endsWith('denied.ts')) refuse('The house rules say no.')
      else answer({ ...input, new_string: input.new_string + ' by their own hook' })`,
      after: `require('node:fs').appendFileSync(${JSON.stringify(heard)}, path)`,
    })
    for (const name of ['app.ts', 'denied.ts']) claude.write(name, 'one\ntwo\nthree\n')
    const [path, denied] = [claude.path('app.ts'), claude.path('denied.ts')]
    claude.api.setScript(
      tasks({
        'task-own': [readOf(path), editOf(path, 'two', 'TWO')],
        'task-denied': [readOf(denied), editOf(denied, 'two', 'TWO')],
      }),
    )
    await claude.start()
    const terminal = await claude.openClaude()
    await claude.prompt(terminal, 'do task-own')
    const review = await claude.review('app.ts')
    const shown = await review.getByRole('textbox', { name: /^Proposed text of / }).innerText()
    expect(claude.read('app.ts')).toBe('one\ntwo\nthree\n')
    await claude.accept('app.ts')
    await claude.told('task-own')
    const [, second = ''] = claude.read('app.ts').split('\n')
    expect(second).toMatch(/^TWO/)
    expect(shown.split('\n')).toContain(second)
    expect(existsSync(heard) && readFileSync(heard, 'utf8')).toBe(path)
    await expect(screenOf(terminal)).toContainText('task-own is done.')

    await claude.prompt(terminal, 'do task-denied')
    const told = await claude.told('task-denied')
    expect(told.latest).toContain('The house rules say no.')
    expect(claude.read('denied.ts')).toBe('one\ntwo\nthree\n')
    await expect(claude.page.getByRole('button', { name: 'No reviews' })).toBeVisible()
  },
)
