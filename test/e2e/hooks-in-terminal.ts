import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { HookPeer } from '../hook-peer'
import { type OpenApp, openShell } from './open-app'

/** What an agent in a terminal of the app calls, by what it finds in its environment. */
export async function peerInTerminal(app: OpenApp): Promise<HookPeer> {
  await openShell(app.page)
  await app.page.keyboard.type('env > env.txt; mv env.txt ../env-of-terminal\n')
  const file = join(app.place.base, 'env-of-terminal')
  await expect.poll(() => existsSync(file)).toBe(true)
  const variables = Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  )
  const hooks = readFileSync(join(variables['CLAUDE_CODE_PLUGIN_DIRS'] ?? '', 'hooks', 'hooks.json'), 'utf8')
  const url = /http:\/\/127\.0\.0\.1:\d+\/hook/.exec(hooks)?.[0] ?? ''
  return new HookPeer(url, {
    terminal: variables['GREENLIGHT_TERMINAL'] ?? '',
    token: variables['GREENLIGHT_HOOK_TOKEN'] ?? '',
  })
}
