import { existsSync } from 'node:fs'
import { expect, patience } from './cli-in-app'
import { type ClaudeInApp, editOf, readOf, tasks, test, writeOf } from './claude-in-app'
import { say, use } from './messages-api'

/** Conversations without a terminal, through the page. What needs no page is in claude-talk.test.ts. */

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const from = 'two\nthree\nfour\nfive\nsix'
const to = 'TWO\nthree\nfour\nfive\nSIX'

const said = (claude: ClaudeInApp) => claude.page.getByRole('log', { name: 'Conversation' })
const field = (claude: ClaudeInApp) => claude.page.getByRole('textbox', { name: 'Message', exact: true })

/** Begins a conversation by its dialog. */
async function begin(
  claude: ClaudeInApp,
  first: string,
  choose: (dialog: ReturnType<typeof dialogOf>) => Promise<void> = async () => undefined,
) {
  await claude.page.keyboard.press('Control+Shift+P')
  await claude.page.keyboard.type('New conversation')
  await claude.page.keyboard.press('Enter')
  const dialog = dialogOf(claude)
  await expect(dialog.getByRole('combobox', { name: 'Agent' })).toHaveValue('claude')
  await choose(dialog)
  await dialog.getByRole('textbox', { name: 'First message' }).fill(first)
  await dialog.getByRole('button', { name: 'Start conversation' }).click()
  await expect(dialog).toHaveCount(0)
}

/** The review of a change, which comes behind the conversation while the person may be writing in it. */
async function reviewOf(claude: ClaudeInApp, name: string) {
  await claude.page.getByRole('tab', { name }).click({ timeout: patience })
  return claude.review(name)
}

const dialogOf = (claude: ClaudeInApp) => claude.page.getByRole('dialog', { name: 'New conversation' })

test('begun in the dialog, streamed, a change approved in part, and the next message', async ({ claude }) => {
  claude.trustProject()
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(
    tasks({
      'task-part': [readOf(path), editOf(path, from, to)],
      'task-next': [say('And **this** is next.')],
    }),
  )
  await claude.start()
  await begin(claude, 'do task-part', async (dialog) => {
    await dialog.getByRole('combobox', { name: 'Permission mode' }).selectOption('Accept edits')
  })
  const review = await reviewOf(claude, 'app.ts')
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await review.getByRole('button', { name: 'Accept file' }).click()
  const told = await claude.told('task-part')
  expect(told.latest).toContain('- SIX')
  expect(claude.read('app.ts')).toBe(before.replace('two', 'TWO'))
  await claude.page.getByRole('tab', { name: 'do task-part' }).click()
  await expect(said(claude)).toContainText('task-part is done.')
  await field(claude).fill('do task-next')
  await field(claude).press('Enter')
  await expect(said(claude).locator('strong')).toContainText('this')
  await claude.picture('conversation')
})

test('stopped from the composer in the middle of a command', async ({ claude }) => {
  claude.trustProject()
  const begun = claude.path('begun')
  claude.api.setScript(
    tasks({
      'task-long': [
        {
          blocks: [
            {
              type: 'tool_use',
              name: 'Bash',
              input: { command: `touch ${begun}; sleep 20`, description: 'Wait' },
            },
          ],
        },
      ],
    }),
  )
  await claude.start()
  await begin(claude, 'do task-long', async (dialog) => {
    await dialog.getByRole('button', { name: 'More' }).click()
    await dialog
      .getByRole('textbox', { name: 'Allowed tools', exact: true })
      .fill('Bash(touch *)\nBash(sleep *)')
  })
  await expect(() => expect(existsSync(begun)).toBe(true)).toPass({ timeout: patience })
  await claude.page.getByRole('button', { name: 'Stop', exact: true }).click()
  // What the command wrote is a review, which comes to the front.
  await claude.page.getByRole('tab', { name: 'do task-long' }).click()
  await expect(said(claude)).toContainText('Interrupted')
  await field(claude).fill('do task-other')
  await field(claude).press('Enter')
  await expect(said(claude)).toContainText('task-other is done.')
})

test('after the app was killed in the middle of a turn nothing is left running, and the session goes on', async ({
  claude,
}) => {
  claude.trustProject()
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  claude.api.setScript(
    tasks({ 'task-kill': [readOf(path), editOf(path, from, to)], 'task-after': [say('Here again.')] }),
  )
  await claude.start()
  await begin(claude, 'do task-kill')
  await reviewOf(claude, 'app.ts')
  const [pid = 0] = claude.pids
  await claude.stop('SIGKILL')
  await expect(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH')).toPass({ timeout: patience })
  expect(claude.read('app.ts')).toBe(before)
  await claude.start()
  // The session is in the list, from where it is resumed.
  const session = claude.sessions[0] ?? ''
  await begin(claude, 'do task-after', async (dialog) => {
    await dialog.getByRole('button', { name: 'More' }).click()
    await dialog.getByRole('textbox', { name: 'Session to resume' }).fill(session)
  })
  await expect(said(claude)).toContainText('Here again.')
  await expect(said(claude)).toContainText('do task-kill')
})

test('what a message changed, made and deleted goes back by reviews, and comes again to the byte', async ({
  claude,
}) => {
  claude.trustProject()
  const path = claude.path('app.ts')
  const marked = `\uFEFF${before.replaceAll('\n', '\r\n')}`
  claude.write('app.ts', marked)
  claude.write('gone.ts', 'no line end')
  claude.api.setScript(
    tasks({
      'task-all': [
        readOf(path),
        editOf(path, 'two', 'TWO'),
        writeOf(claude.path('new.ts'), 'new\n'),
        use({ name: 'Bash', input: { command: 'rm gone.ts', description: 'Remove' } }),
      ],
    }),
  )
  await claude.start()
  await begin(claude, 'do task-all', async (dialog) => {
    await dialog.getByRole('button', { name: 'More' }).click()
    await dialog.getByRole('textbox', { name: 'Allowed tools', exact: true }).fill('Bash(rm *)')
  })
  for (const name of ['app.ts', 'new.ts'])
    await (await reviewOf(claude, name)).getByRole('button', { name: 'Accept file' }).click()
  // What a command did is asked about once it is done.
  await (await reviewOf(claude, 'gone.ts')).getByRole('button', { name: 'Keep deleted' }).click()
  await claude.page.getByRole('tab', { name: 'do task-all' }).click()
  await expect(said(claude)).toContainText('task-all is done.')
  const texts = () =>
    ['app.ts', 'new.ts', 'gone.ts'].map((name) => (claude.exists(name) ? claude.read(name) : null))
  const done = [marked.replace('two', 'TWO'), 'new\n', null]
  const { page } = claude
  await page.getByRole('button', { name: 'Rewind files to before this' }).click()
  const all = page.getByRole('region', { name: 'All reviews' })
  await expect(all.getByText('Rewind to before “do task-all”')).toHaveCount(3)
  await expect(all.getByText('Deletes the file', { exact: true })).toHaveCount(1)
  await claude.picture('rewound')
  expect(texts()).toEqual(done)
  await all.getByRole('button', { name: 'Accept all' }).click()
  await page.getByRole('button', { name: 'Accept 3 files' }).click()
  await expect.poll(texts).toEqual([marked, null, 'no line end'])
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo all' }).click()
  await expect.poll(texts).toEqual(done)
})
