import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { claude } from '../../src/main/core/agents/claude'
import { Profiles } from '../../src/main/core/agents/profiles'
import { claudeCodeVersion, installClaudeCode } from './install-cli'

it('Claude Code is started in its mode manual, which it knows', async (context) => {
  const cli = await installClaudeCode()
  if ('skipped' in cli) return context.skip(cli.skipped)
  const folder = await mkdtemp(join(tmpdir(), 'claude-profiles-'))
  await symlink(cli.path, join(folder, 'claude'))
  const profiles = new Profiles([claude], {
    settings: () => ({ terminalShell: '', terminalProfiles: [], claudePermissionMode: 'manual' }),
    environment: async () => ({ PATH: `${folder}:/usr/bin:/bin`, SHELL: '/bin/sh', HOME: folder }),
  })
  try {
    await profiles.refresh()
    expect(profiles.snapshot().find(({ id }) => id === 'claude')?.version).toBe(claudeCodeVersion)
    const launch = await profiles.launch('claude')
    expect(launch).toMatchObject({ ok: true, value: { args: ['--permission-mode', 'manual'] } })
  } finally {
    profiles.dispose()
    await rm(folder, { recursive: true, force: true })
  }
})
