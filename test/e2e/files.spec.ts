import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, expect } from '@playwright/test'
import { button, mod, notices, press, review, runCommand, tab, test } from './open-app'

const row = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true })
const tree = (page: Page) => page.getByRole('tree', { name: 'Files' })

test('files are made, renamed, moved, copied and put into the trash from the tree', async ({ app }) => {
  app.write('a.txt', 'alpha\n')
  app.write('lib/b.txt', 'beta\n')
  await app.start()
  const { page } = app

  // Made: its name is typed in the tree, then the editor has the focus.
  await button(page, 'New file').click()
  await page.getByRole('textbox', { name: 'Name of the new file' }).fill('notes.md')
  await page.keyboard.press('Enter')
  const editor = page.getByRole('textbox', { name: `Editor: ${app.path('notes.md')}` })
  await expect(editor).toBeFocused()
  await page.keyboard.type('not saved yet')
  await expect(tab(page, 'notes.md')).toHaveAccessibleDescription(/modified/)

  // A name that is taken is refused, and said beside the field.
  await row(page, 'notes.md').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const field = page.getByRole('textbox', { name: 'New name of notes.md' })
  await field.fill('a.txt')
  await page.keyboard.press('Enter')
  await expect(tree(page).getByRole('alert')).toHaveText(/^a\.txt already exists/)
  // The stem is what changes; unsaved text goes with the file.
  await page.keyboard.press('Escape')
  await expect(tree(page)).toBeFocused()
  await page.keyboard.press('F2')
  await page.keyboard.type('ideas')
  await page.keyboard.press('Enter')
  await expect(tab(page, 'ideas.md')).toHaveAccessibleDescription(/modified/)
  const renamed = page.getByRole('textbox', { name: `Editor: ${app.path('ideas.md')}` })
  await expect(renamed).toContainText('not saved yet')
  // So do the cursor and what can be undone.
  await renamed.focus()
  await page.keyboard.type('!')
  await expect(renamed).toHaveText('not saved yet!')
  await expect(async () => {
    await page.keyboard.press(`${mod}+z`)
    await expect(renamed).toHaveText('', { timeout: 500 })
  }).toPass()
  await expect(async () => {
    await page.keyboard.press(`${mod}+y`)
    await expect(renamed).toHaveText('not saved yet!', { timeout: 500 })
  }).toPass()
  await page.keyboard.press('Backspace')
  expect(readdirSync(app.place.project).sort()).toEqual(['.git', 'a.txt', 'hello.txt', 'ideas.md', 'lib'])
  await renamed.click()
  await page.keyboard.press(`${mod}+s`)
  await expect.poll(() => app.read('ideas.md')).toBe('not saved yet')

  // Dragged into a folder, and taken back.
  await row(page, 'ideas.md').dragTo(row(page, 'lib'))
  // A notice goes by itself, but not while it is pointed at.
  await button(page, 'Undo').hover()
  await expect.poll(() => existsSync(app.path('lib/ideas.md'))).toBe(true)
  await expect(page.getByRole('textbox', { name: `Editor: ${app.path('lib/ideas.md')}` })).toBeVisible()
  await button(page, 'Undo').click()
  await expect.poll(() => existsSync(app.path('ideas.md'))).toBe(true)
  await expect.poll(() => existsSync(app.path('lib/ideas.md'))).toBe(false)

  // Without the notice too. The tree follows the disk: only then the row stands where it is dragged from.
  // For a moment it may stand in both places, or in the old one still.
  const ideas = (level: number) => page.getByRole('treeitem', { name: 'ideas.md', exact: true, level })
  await expect(ideas(2)).toHaveCount(0)
  await expect(ideas(1)).toHaveCount(1)
  await row(page, 'ideas.md').dragTo(row(page, 'lib'))
  await button(page, 'Dismiss').hover()
  await expect.poll(() => existsSync(app.path('lib/ideas.md'))).toBe(true)
  await button(page, 'Dismiss').click()
  await expect(button(page, 'Undo')).toHaveCount(0)
  await runCommand(page, 'Undo file move')
  await expect.poll(() => existsSync(app.path('ideas.md'))).toBe(true)
  await expect.poll(() => existsSync(app.path('lib/ideas.md'))).toBe(false)

  // By the keyboard alone: cut, paste into another folder, a copy beside it, the trash.
  await tree(page).focus()
  const there = row(page, 'a.txt')
  // The way back to the file that was undone may still take the cursor there; what is cut last counts.
  await expect(async () => {
    await page.keyboard.press('Home')
    await page.keyboard.type('a.t')
    const id = (await there.getAttribute('id')) ?? ''
    await expect(tree(page)).toHaveAttribute('aria-activedescendant', id, { timeout: 1_000 })
    await page.keyboard.press(`${mod}+x`)
    await expect(there).toHaveAccessibleDescription(/cut/, { timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('Home')
  await page.keyboard.press(`${mod}+v`)
  await expect.poll(() => existsSync(app.path('lib/a.txt'))).toBe(true)
  await expect(page.getByRole('treeitem', { name: 'a.txt', exact: true, level: 1 })).toHaveCount(0)
  await expect(row(page, 'a.txt')).toHaveAttribute('aria-level', '2')
  // The cursor comes with the host's answer, the row with the disk.
  await expect(row(page, 'a.txt')).toHaveClass(/list-cursor/)
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter')
  await expect(row(page, 'a copy.txt')).toHaveClass(/list-cursor/)
  expect(app.read('lib/a copy.txt')).toBe('alpha\n')
  await expect(tree(page)).toBeFocused()
  await page.keyboard.press('Delete')
  const asking = page.getByRole('dialog', { name: 'Move a copy.txt to the trash?' })
  await expect(button(asking, 'Move to trash')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row(page, 'a copy.txt')).toHaveCount(0)
  expect(existsSync(app.path('lib/a copy.txt'))).toBe(false)
  if (!app.electron) {
    const trash = join(app.place.home, '.local', 'share', 'Trash')
    expect(readdirSync(join(trash, 'files'))).toEqual(['a copy.txt'])
    expect(readdirSync(join(trash, 'info'))).toEqual(['a copy.txt.trashinfo'])
  }

  // A file that is under review stays where the review knows it.
  const agent = await app.agent()
  const answer = agent.openDiff(app.path('lib/b.txt'), 'BETA\n')
  await expect(review(page)).toBeVisible()
  await row(page, 'b.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'New name of b.txt' }).fill('c.txt')
  await page.keyboard.press('Enter')
  await expect(tree(page).getByRole('alert')).toHaveText(
    'b.txt has a pending review. Decide it first, then try again.',
  )
  await page.keyboard.press('Escape')
  await tab(page, 'b.txt').last().click()
  await press(page, 'Reject file')
  expect(await answer).toEqual(['DIFF_REJECTED'])
})

test('a move that can’t be undone leaves the cursor where it is', async ({ app }) => {
  app.write('lib/one.txt', 'one\n')
  app.write('two.txt', 'two\n')
  await app.start()
  const { page } = app
  const two = (level: number) => page.getByRole('treeitem', { name: 'two.txt', exact: true, level })
  await two(1).click()
  await page.keyboard.press(`${mod}+x`)
  await row(page, 'lib').click()
  await page.keyboard.press(`${mod}+v`)
  await expect(two(2)).toHaveClass(/list-cursor/)
  app.write('two.txt', 'another\n')
  await expect(two(1)).toHaveCount(1)
  await runCommand(page, 'Undo file move')
  await expect(notices(page)).toContainText('two.txt already exists')
  await expect(two(2)).toHaveClass(/list-cursor/)
})

test('the tree carries the marks of git, and draws names that would deceive', async ({ app }) => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: app.place.project,
      stdio: 'pipe',
    })
  app.write('.gitignore', '*.log\n')
  app.write('src/one.ts', 'one\n')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  app.write('src/one.ts', 'changed\n')
  app.write('noise.log', '')
  app.write('new\nline.txt', '')
  app.write('\u202etxt.exe', '')
  symlinkSync('loop', app.path('loop'))
  mkdirSync(app.path('.hg'))
  await app.start()
  const { page } = app
  await expect(row(page, 'src')).toHaveAccessibleDescription('contains changes')
  await expect(row(page, 'noise.log')).toHaveAccessibleDescription('ignored by git')
  await row(page, 'src').click()
  await expect(row(page, 'one.ts')).toHaveAccessibleDescription('modified')
  await expect(row(page, 'one.ts')).toContainText('M')
  await expect(row(page, 'loop')).toHaveAccessibleDescription('symbolic link, untracked')
  await expect(tree(page).getByText('new\\nline.txt')).toBeVisible()
  await expect(tree(page).getByText('\\u202etxt.exe')).toBeVisible()
  await expect(tree(page).getByText('.git', { exact: true })).toHaveCount(0)
  await expect(tree(page).getByText('.hg', { exact: true })).toHaveCount(0)

  // What happens to the repository shows, whoever does it.
  const status = page.getByRole('contentinfo', { name: 'Status' })
  await expect(status.getByText('main', { exact: true })).toBeVisible()
  git('checkout', '-q', '-b', 'topic')
  await expect(status.getByText('topic', { exact: true })).toBeVisible()
  git('commit', '-q', '-am', 'second')
  await expect(row(page, 'one.ts')).toHaveAccessibleDescription('')
  writeFileSync(app.path('src/one.ts'), 'again\n')
  await expect(row(page, 'one.ts')).toHaveAccessibleDescription('modified')
  git('checkout', '-q', '--detach')
  await expect(status.getByText('detached')).toBeVisible()

  // A repository in it is one of its own, found when it is seen.
  git('init', '-q', '-b', 'inner', 'own')
  app.write('own/clean.txt', 'clean\n')
  app.write('own/inner.txt', 'inner\n')
  const own = (...args: string[]) => git('-C', 'own', ...args)
  own('add', '.')
  own('commit', '-q', '-m', 'first')
  writeFileSync(app.path('own/inner.txt'), 'changed\n')
  await expect(row(page, 'own')).toHaveAccessibleDescription(
    'git repository of its own, on inner, contains changes',
  )
  await row(page, 'own').click()
  await expect(row(page, 'inner.txt')).toHaveAccessibleDescription('modified')
  await expect(row(page, 'clean.txt')).toHaveAccessibleDescription('')
  await row(page, 'inner.txt').click()
  await expect(status.getByText('inner', { exact: true })).toBeVisible()
})
