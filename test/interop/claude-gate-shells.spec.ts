import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, screenOf } from './cli-in-app'
import { type ClaudeInApp, editOf, readOf, tasks, test } from './claude-in-app'

/** A shell whose profile puts another folder first on PATH, and has an alias. */
function useBash(claude: ClaudeInApp): void {
  const { place } = claude
  place.env['GREENLIGHT_TRY_HOOKS'] = '1'
  place.env['SHELL'] = '/bin/bash'
  const tools = join(place.root, 'tools')
  mkdirSync(tools)
  // One of the person's own before the real one, which notes how it was found.
  writeFileSync(
    join(tools, 'claude'),
    `#!/bin/sh\necho "$0 $*" >> ${join(place.root, 'started')}\nexec ${join(place.root, 'bin', 'claude')} "$@"\n`,
  )
  chmodSync(join(tools, 'claude'), 0o755)
  writeFileSync(
    join(place.home, '.bashrc'),
    `export PATH=${tools}:$PATH\nalias claude='claude --permission-mode acceptEdits'\nPS1='$ '\n`,
  )
}

test('a Claude that is typed in a shell with a profile and an alias of its own is reviewed all the same', async ({
  claude,
}) => {
  useBash(claude)
  claude.write('app.ts', 'one\n')
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-typed': [readOf(path), editOf(path, 'one', 'TWO')] }))
  await claude.start()
  const terminal = await claude.openShell()
  await claude.type(terminal, 'which claude; claude')
  await expect(screenOf(terminal)).toContainText(/agent-bin\/claude/)
  await claude.connected(1)
  await claude.prompt(terminal, 'do task-typed')
  await claude.review('app.ts')
  expect(claude.read('app.ts')).toBe('one\n')
  await claude.accept('app.ts')
  await claude.told('task-typed')
  expect(claude.read('app.ts')).toBe('TWO\n')
  const started = join(claude.place.root, 'started')
  expect(existsSync(started) && readFileSync(started, 'utf8')).toContain('--permission-mode acceptEdits')
})

test('settings that a person gives Claude Code are merged with those that switch hooks on', async ({
  claude,
}) => {
  useBash(claude)
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
  const started = readFileSync(join(claude.place.root, 'started'), 'utf8')
  expect(started).toMatch(/--settings \S+\/merged-\d+\.json/)
})
