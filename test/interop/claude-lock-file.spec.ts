import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from './claude-in-app'

test('connects by itself where its configuration is in another folder than usual', async ({ claude }) => {
  const elsewhere = join(claude.place.root, 'elsewhere')
  cpSync(claude.place.config, elsewhere, { recursive: true })
  claude.place.env['CLAUDE_CONFIG_DIR'] = elsewhere
  await claude.start()
  await claude.openClaude()
})
