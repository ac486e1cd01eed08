import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeClaudeHome } from './claude-home'
import { installClaudeCode } from './install-cli'
import { inOrder, say, startMessagesApi, use } from './messages-api'
import { startStdioClaude } from './stdio-claude'

/** Whether Claude Code takes slash commands of folders beside its own: those need trust (docs/protocols/claude-sdk.md). */

const ways: [how: string, takes: boolean][] = [
  ['--add-dir', true],
  ['additionalDirectories', false],
  ['an answer', false],
  ['/add-dir', false],
]

test.each(ways)('a folder that is added by %s: its slash commands are taken: %s', async (how, takes) => {
  const cli = await installClaudeCode()
  if ('skipped' in cli) return
  const api = await startMessagesApi(inOrder(say('ok')))
  const home = await makeClaudeHome(api.url)
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const [other, mark] = [join(home.root, 'other'), join(home.root, 'ran')]
  const read = use({ name: 'Read', input: { file_path: join(other, 'a.txt') } })
  put(join(other, 'a.txt'), 'a\n')
  put(join(other, '.claude/commands/mark.md'), `---\nallowed-tools: Bash(*)\n---\n!\`touch ${mark}\`\n`)
  if (how === 'additionalDirectories')
    put(
      join(home.project, '.claude/settings.json'),
      JSON.stringify({ permissions: { additionalDirectories: [other] } }),
    )
  api.setScript(inOrder(read, say('ok')))
  const added = [{ type: 'addDirectories', directories: [other], destination: 'session' }]
  const claude = startStdioClaude({
    ...{ path: cli.path, home },
    args: how === '--add-dir' ? [`--add-dir=${other}`] : [],
    answer: ({ input }) => ({
      ...{ behavior: 'allow', updatedInput: input },
      ...(how === 'an answer' ? { updatedPermissions: added } : {}),
    }),
  })
  await claude.control({ subtype: 'initialize' })
  if (how === '/add-dir') await claude.prompt(`/add-dir ${other}`)
  await claude.prompt('read it')
  await claude.prompt('/mark')
  await claude.end()
  expect(existsSync(mark)).toBe(takes)
  await api.close()
  await home.remove()
})
