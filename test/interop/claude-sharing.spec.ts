import type { Locator } from '@playwright/test'
import { expect, screenOf } from './cli-in-app'
import { type ClaudeInApp, tasks, test } from './claude-in-app'

const text = 'const first = 1\nconst second = 2\nconst third = 3\n'

/** Opens a file from the tree and selects the line that holds some words. */
async function select(claude: ClaudeInApp, name: string, words: string): Promise<void> {
  const { page } = claude
  await page.getByRole('treeitem', { name, exact: true }).dblclick()
  const editor = page.getByRole('textbox', { name: `Editor: ${claude.path(name)}` })
  await editor.getByText(words).click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
}

const showsSelection = (terminal: Locator) => expect(screenOf(terminal)).toContainText('1 line selected')
const showsNone = async (terminal: Locator, name: string) => {
  await expect(screenOf(terminal)).not.toContainText('line selected')
  await expect(screenOf(terminal)).not.toContainText(`In ${name}`)
}

test('what is shared is in the request of the model; switched off it is not, and on again it is', async ({
  claude,
}) => {
  claude.write('app.ts', text)
  claude.api.setScript(tasks({ 'task-shared': [], 'task-off': [], 'task-on': [] }))
  await claude.start()
  const terminal = await claude.openClaude()
  const { page } = claude
  const stop = page.getByRole('button', { name: 'Stop sharing with agents' })
  await select(claude, 'app.ts', 'second')
  await showsSelection(terminal)
  await claude.prompt(terminal, 'do task-shared')
  expect((await claude.told('task-shared', 0)).latest).toContain('const second = 2')
  await expect(screenOf(terminal)).toContainText('task-shared is done.')

  await select(claude, 'app.ts', 'third')
  await showsSelection(terminal)
  await page.getByRole('button', { name: 'Context panel' }).click()
  await claude.picture('shared')
  await stop.click()
  await showsNone(terminal, 'app.ts')
  await claude.picture('switched-off')
  await claude.prompt(terminal, 'do task-off')
  const off = await claude.told('task-off', 0)
  expect(off.latest).toContain('task-off')
  expect(off.latest).not.toContain('const third')
  expect(off.latest).not.toContain('app.ts')
  await expect(screenOf(terminal)).toContainText('task-off is done.')

  await stop.click()
  await showsSelection(terminal)
  await claude.prompt(terminal, 'do task-on')
  expect((await claude.told('task-on', 0)).latest).toContain('const third = 3')
})

test('what is excluded is never in the request of the model: a secret, a pattern added meanwhile, a deny rule', async ({
  claude,
}) => {
  claude.write('app.ts', text)
  claude.write('.env', 'TOKEN=do-not-tell-anybody\n')
  claude.write('private.txt', 'private words\n')
  claude.api.setScript(tasks({ 'task-secret': [], 'task-pattern': [], 'task-denied': [] }))
  await claude.start()
  const terminal = await claude.openClaude()
  const { page } = claude
  const never = page.getByRole('region', { name: 'Never shared' })
  await select(claude, 'app.ts', 'second')
  await showsSelection(terminal)
  await select(claude, '.env', 'TOKEN')
  await showsNone(terminal, '.env')
  await claude.prompt(terminal, 'do task-secret')
  const secret = await claude.told('task-secret', 0)
  expect(secret.latest).not.toMatch(/TOKEN|\.env|const second/)
  await expect(screenOf(terminal)).toContainText('task-secret is done.')

  await select(claude, 'app.ts', 'third')
  await showsSelection(terminal)
  await page.getByRole('button', { name: 'Context panel' }).click()
  await never.getByRole('textbox', { name: 'Add a pattern' }).fill('*.ts')
  await page.keyboard.press('Enter')
  await showsNone(terminal, 'app.ts')
  await claude.prompt(terminal, 'do task-pattern')
  expect((await claude.told('task-pattern', 0)).latest).not.toMatch(/const third|app\.ts/)
  await expect(screenOf(terminal)).toContainText('task-pattern is done.')

  claude.write('.claude/settings.local.json', JSON.stringify({ permissions: { deny: ['Read(private.*)'] } }))
  await expect(never).toContainText('Read(private.*)')
  await select(claude, 'private.txt', 'private')
  await expect(page.getByRole('region', { name: 'Selection', exact: true })).toContainText(
    'Never shared: Read(private.*) in ',
  )
  await claude.picture('denied')
  await claude.prompt(terminal, 'do task-denied')
  expect((await claude.told('task-denied', 0)).latest).not.toMatch(/private\.txt|private words/)
  // Nor has anything of it gone to the command line at all, which has its own filter for deny rules.
  await page
    .getByRole('region', { name: 'Context', exact: true })
    .getByText('Everything sent')
    .scrollIntoViewIfNeeded()
  await expect(page.getByRole('region', { name: 'Everything sent' })).not.toContainText(/private|\.env/)
})
