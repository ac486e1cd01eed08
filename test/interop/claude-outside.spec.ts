import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BareClaude, startBareClaude } from './bare-claude'
import { expect } from './cli-in-app'
import { type ClaudeInApp, editOf, readOf, tasks, test } from './claude-in-app'

const errand = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'out', 'main', 'errand.js')

/** `greenlight claude` in a terminal that isn't the app's. */
function startOutside(claude: ClaudeInApp, env: Record<string, string> = {}): BareClaude {
  return startBareClaude({
    path: process.execPath,
    args: [errand, '--data-dir', claude.dataFolder, 'claude', '--permission-mode', 'acceptEdits'],
    cwd: claude.place.project,
    env: { ...claude.place.env, ...env },
  })
}

test('a Claude in another terminal is refused what it asks an app that is killed, and asks the next one', async ({
  claude,
}) => {
  const [lost, found] = [claude.path('lost.ts'), claude.path('found.ts')]
  for (const name of ['lost.ts', 'found.ts']) claude.write(name, 'one\n')
  claude.api.setScript(
    tasks({
      'task-lost': [readOf(lost), editOf(lost, 'one', 'LOST')],
      'task-found': [readOf(found), editOf(found, 'one', 'FOUND')],
    }),
  )
  await claude.start()
  // Without a connection of its own it is asked by the hook alone.
  const outside = startOutside(claude, { CLAUDE_CODE_AUTO_CONNECT_IDE: 'false' })
  try {
    await outside.waitForScreen(/❯/)
    outside.prompt('do task-lost')
    await claude.review('lost.ts')
    await claude.stop('SIGKILL')
    await outside.waitForScreen(/Greenlight isn’t running/)
    await claude.told('task-lost')
    expect(claude.read('lost.ts')).toBe('one\n')
    await outside.waitForScreen(/task-lost is done/)

    await claude.start()
    outside.prompt('do task-found')
    await claude.accept('found.ts')
    await claude.told('task-found')
    expect(claude.read('found.ts')).toBe('FOUND\n')
    expect(claude.read('lost.ts')).toBe('one\n')
  } finally {
    await outside.kill('SIGTERM')
  }
})

test(
  'a Claude in another terminal that is connected has one review of a change',
  { tag: '@long' },
  async ({ claude }) => {
    claude.write('app.ts', 'one\n')
    const path = claude.path('app.ts')
    claude.api.setScript(tasks({ 'task-linked': [readOf(path), editOf(path, 'one', 'TWO')] }))
    await claude.start()
    const outside = startOutside(claude)
    try {
      await claude.connected(1)
      await outside.waitForScreen(/❯/)
      outside.prompt('do task-linked')
      await claude.accept('app.ts')
      await claude.told('task-linked')
      expect(claude.read('app.ts')).toBe('TWO\n')
    } finally {
      await outside.kill('SIGTERM')
    }
  },
)
