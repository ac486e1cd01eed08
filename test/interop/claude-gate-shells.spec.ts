import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from './cli-in-app'
import { test } from './claude-in-app'
import { reviewTyped, startedIn, useShell } from './claude-in-shell'

test(
  'a Claude that is typed in a shell with a profile and an alias of its own is reviewed all the same',
  { tag: '@long' },
  async ({ claude }) => {
    useShell(claude, 'bash')
    writeFileSync(join(claude.place.config, 'settings.json'), '{"cleanupPeriodDays": 30}')
    const theirs = () =>
      [join(claude.place.home, '.bashrc'), join(claude.place.config, 'settings.json')].map((path) =>
        readFileSync(path, 'utf8'),
      )
    const before = theirs()
    await reviewTyped(claude, 'which claude; claude')
    expect(startedIn(claude)).toContain('--permission-mode acceptEdits')
    // No file of the person's is changed for it, in the folder either.
    expect(theirs()).toEqual(before)
    expect(claude.exists('.claude')).toBe(false)
  },
)

test(
  'settings that a person gives Claude Code are merged with those that switch hooks on',
  { tag: '@long' },
  async ({ claude }) => {
    useShell(claude, 'bash')
    writeFileSync(join(claude.place.config, 'settings.json'), '{"disableAllHooks": true}')
    claude.setSettings({ claudeHooksDespiteOff: 'on' })
    const asked = join(claude.place.root, 'asked')
    const hook = { type: 'command', command: `cat >> ${asked}` }
    claude.write('own.json', JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }))
    await reviewTyped(claude, 'claude --settings own.json')
    expect(readFileSync(asked, 'utf8')).toContain('task-typed')
    expect(startedIn(claude)).toMatch(/--settings \S+\/merged-\d+\.json/)
  },
)
