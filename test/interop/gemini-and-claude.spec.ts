import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, screenOf, skipWithout } from './cli-in-app'
import { replaceIn, tasks, test } from './gemini-in-app'
import { makeClaudeHome } from './claude-home'
import { editOf, readOf, tasks as claudeTasks } from './claude-in-app'
import { installClaudeCode } from './install-cli'
import { startMessagesApi } from './messages-api'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'

test(
  'Claude and Gemini ask about the same file at the same time: one after the other, each answered',
  { tag: '@long' },
  async ({ gemini }) => {
    const cli = await installClaudeCode()
    skipWithout(cli)
    if ('skipped' in cli) return
    gemini.write('app.ts', before)
    const path = gemini.path('app.ts')
    const messages = await startMessagesApi(
      claudeTasks({ 'task-claude': [readOf(path), editOf(path, 'six', 'SIX')] }),
    )
    const claude = await makeClaudeHome(messages.url)
    try {
      // One home for both, Claude's. It reads the lock files of its configuration and of the home, and of two that name
      // the same app it takes neither by itself.
      await claude.trust(gemini.place.project)
      cpSync(join(gemini.place.home, '.gemini'), join(claude.home, '.gemini'), { recursive: true })
      const { PATH: _path, TMPDIR: _tmp, ...claudeOnly } = claude.env
      Object.assign(gemini.place.env, claudeOnly)
      mkdirSync(join(gemini.place.root, 'bin'), { recursive: true })
      symlinkSync(cli.path, join(gemini.place.root, 'bin', 'claude'))
      gemini.api.setScript(tasks({ 'task-gemini': [replaceIn(path, 'two', 'TWO')] }))
      await gemini.start()
      const one = await gemini.openGemini()
      await gemini.prompt(one, 'do task-gemini')
      const first = await gemini.review('app.ts')

      const { page } = gemini
      await page.getByRole('button', { name: 'New terminal' }).first().click()
      await page.getByRole('menuitem', { name: 'Claude Code' }).click()
      const other = page.getByRole('region', { name: 'Terminal: Claude Code', exact: true })
      await expect(page.getByRole('button', { name: /^Claude: 1 connected/ })).toBeVisible()
      await expect(screenOf(other)).toContainText('❯')
      await other.locator('.xterm-helper-textarea').focus()
      await page.keyboard.insertText('do task-claude')
      await expect(screenOf(other)).toContainText('do task-claude')
      await page.keyboard.press('Enter')
      const pending = await gemini.pending()
      await expect(pending.getByRole('listitem')).toHaveCount(2)
      await gemini.picture('two-agents-one-file')

      // The first has its turn; the second comes when the disk has shown what became of it.
      await first.getByRole('button', { name: 'Accept file' }).click()
      await gemini.told('task-gemini')
      expect(gemini.read('app.ts')).toBe(before.replace('two', 'TWO'))
      await expect(pending.getByRole('listitem')).toHaveCount(1)
      await expect(pending.getByRole('listitem')).toContainText('Claude')
      const second = await gemini.review('app.ts')
      await second.getByRole('button', { name: 'Reject file' }).click()
      await expect(pending.getByRole('listitem')).toHaveCount(0)
      expect(gemini.read('app.ts')).toBe(before.replace('two', 'TWO'))
    } finally {
      await gemini.stop()
      await messages.close()
      await claude.remove()
    }
  },
)
