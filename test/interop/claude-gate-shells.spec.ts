import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from './cli-in-app'
import { editOf, readOf, tasks, test } from './claude-in-app'
import { reviewTyped, startedIn, useShell } from './claude-in-shell'

test('a Claude that is typed in a shell with a profile and an alias of its own is reviewed all the same', async ({
  claude,
}) => {
  useShell(claude, 'bash')
  await reviewTyped(claude, 'which claude; claude')
  expect(startedIn(claude)).toContain('--permission-mode acceptEdits')
})

test('settings that a person gives Claude Code are merged with those that switch hooks on', async ({
  claude,
}) => {
  useShell(claude, 'bash')
  writeFileSync(join(claude.place.config, 'settings.json'), '{"disableAllHooks": true}')
  claude.setSettings({ claudeHooksDespiteOff: 'on' })
  claude.write('app.ts', 'one\n')
  const asked = join(claude.place.root, 'asked')
  const hook = { type: 'command', command: `cat >> ${asked}` }
  claude.write('own.json', JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }))
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-merged': [readOf(path), editOf(path, 'one', 'TWO')] }))
  await claude.start()
  const terminal = await claude.openShell()
  await claude.type(terminal, 'claude --settings own.json')
  await claude.connected(1)
  await claude.prompt(terminal, 'do task-merged')
  await claude.review('app.ts')
  expect(claude.read('app.ts')).toBe('one\n')
  await claude.accept('app.ts')
  await claude.told('task-merged')
  expect(readFileSync(asked, 'utf8')).toContain('task-merged')
  expect(startedIn(claude)).toMatch(/--settings \S+\/merged-\d+\.json/)
})
