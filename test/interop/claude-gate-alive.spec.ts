import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, screenOf, skipWithout } from './cli-in-app'
import { type ClaudeInApp, editOf, readOf, tasks, test } from './claude-in-app'
import { installSdkUrlClaude, sdkUrlClaudeVersion } from './install-cli'
import { say } from './messages-api'

const before = 'one\ntwo\nthree\n'
const status = (claude: ClaudeInApp, words: string): Locator =>
  claude.page.getByRole('button', { name: `Claude: 1 connected, ${words}`, exact: true })
const panel = (claude: ClaudeInApp): Locator => claude.page.getByRole('region', { name: 'Connections' })

test(
  'hooks switched off in the middle of a session: said within a turn, with what to do',
  { tag: '@long' },
  async ({ claude }) => {
    claude.setSettings({ claudePermissionMode: 'acceptEdits' })
    claude.write('app.ts', before)
    const path = claude.path('app.ts')
    claude.api.setScript(
      tasks({
        'task-asked': [readOf(path), editOf(path, 'two', 'TWO')],
        'task-talk': [say('Nothing to do.')],
      }),
    )
    await claude.start()
    const terminal = await claude.openClaude()
    await claude.prompt(terminal, 'do task-asked')
    await claude.accept('app.ts')
    await claude.told('task-asked')
    await status(claude, 'every change reviewed').click()
    await expect(panel(claude)).toContainText(
      'Every change is reviewed, unless a rule for files says otherwise.',
    )
    await claude.picture('every-change-reviewed')
    await expect(screenOf(terminal)).toContainText('task-asked is done.')

    const own = { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] }
    const settings = { disableAllHooks: true, hooks: own }
    writeFileSync(join(claude.place.config, 'settings.json'), JSON.stringify(settings))
    // A session that runs takes its settings up some moments after they are written; each turn is a turn of its own.
    await expect(async () => {
      await claude.prompt(terminal, 'do task-talk')
      await expect(status(claude, 'not every change reviewed')).toBeVisible({ timeout: 10_000 })
    }).toPass()
    await expect(panel(claude)).toContainText('Hooks are switched off in ')
    await claude.page.getByRole('button', { name: 'Check again' }).click()
    await claude.page.getByRole('button', { name: 'Switch them on in Greenlight' }).click()
    await expect(claude.page.getByText('This also switches on your own hooks: 1 in ')).toBeVisible()
    await claude.picture('hooks-are-off')
  },
)

test(
  'a version that may be too old for the hooks starts as usual; once it is connected it is said within a turn',
  { tag: '@long' },
  async ({ claude }) => {
    const old = await installSdkUrlClaude()
    skipWithout(old)
    if ('skipped' in old) return
    claude.addProgram('claude', old.path)
    const sentence = `Claude Code ${sdkUrlClaudeVersion} may be too old`
    claude.api.setScript(tasks({}))
    // Without it, this version connects only by a dialog.
    claude.setState({ autoConnectIde: true })
    await claude.start()
    // Settings that it doesn't know would have stopped it with a question.
    const terminal = await claude.openClaude()
    await claude.page.getByRole('button', { name: /^Claude: / }).click()
    await expect(panel(claude)).toContainText(sentence)
    // It notes nothing of its work, so a turn is over when the next one begins.
    for (const task of ['task-first', 'task-second']) {
      await claude.prompt(terminal, `do ${task}`)
      // An Enter that comes right after the text may be taken for a part of it, as pasted.
      await expect(async () => {
        if (claude.requestsOf(task) === 0) await claude.page.keyboard.press('Enter')
        expect(claude.requestsOf(task)).toBeGreaterThan(0)
      }).toPass()
      await expect(screenOf(terminal)).toContainText(`${task} is done.`)
    }
    await expect(status(claude, 'not every change reviewed')).toBeVisible()
    const connected = panel(claude).getByRole('list', { name: 'Connected agents' })
    await expect(connected).toContainText(sentence)
    await claude.picture('may-be-too-old')
  },
)
