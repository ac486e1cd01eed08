import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import {
  button,
  keepTyping,
  mod,
  notices,
  type OpenApp,
  openShell,
  tab,
  terminalInput,
  terminalScreen,
  test,
} from './open-app'
import { RunningHost, root } from './running-host'

const editor = (page: Page, name: string) =>
  page.getByRole('textbox', { name: new RegExp(`^Editor: .*${name}$`) })

async function run(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
}

/** The command as a person has it outside of the app's terminals. */
function outside(app: OpenApp, ...words: string[]): RunningHost {
  const script = join(root, 'out', 'main', 'errand.js')
  return new RunningHost(
    spawn(process.execPath, [script, ...words, '--data-dir', app.place.data], {
      cwd: app.place.base,
      env: app.place.env(),
    }),
  )
}

function git(app: OpenApp, ...words: string[]): string {
  const { project, home } = app.place
  return execFileSync('git', words, { cwd: project, env: { ...process.env, HOME: home }, encoding: 'utf8' })
}

test('git commit writes its message in the app, and goes on when the tab is closed', async ({ app }) => {
  writeFileSync(join(app.place.home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n')
  git(app, 'add', 'hello.txt')
  await app.start()
  const { page } = app
  await openShell(page)
  await run(page, 'git commit')
  await expect(tab(page, 'COMMIT_EDITMSG')).toHaveAccessibleDescription(/a command is waiting for this file/)
  await expect(page.getByRole('group', { name: 'Waiting command' })).toBeVisible()
  const text = editor(page, 'COMMIT_EDITMSG')
  await expect(text).toBeFocused()
  await page.keyboard.type('Say hello')
  // Unsaved text is asked about, as always.
  await tab(page, 'COMMIT_EDITMSG').press('Delete')
  const question = page.getByRole('dialog', { name: /COMMIT_EDITMSG/ })
  await button(question, 'Cancel').click()
  await expect(tab(page, 'COMMIT_EDITMSG')).toBeVisible()
  await text.click()
  await page.keyboard.press(`${mod}+s`)
  await expect(tab(page, 'COMMIT_EDITMSG')).not.toHaveAccessibleDescription(/modified/)
  await tab(page, 'COMMIT_EDITMSG').press('Delete')
  await expect(terminalScreen(page)).toContainText('Say hello')
  expect(git(app, 'log', '--format=%s')).toBe('Say hello\n')
  await expect(tab(page, 'COMMIT_EDITMSG')).toHaveCount(0)

  // With Done in one step; the focus is where it was.
  await terminalInput(page).focus()
  await run(page, 'git commit --amend')
  await expect(text).toBeFocused()
  await page.keyboard.type('Do ')
  await button(page, 'Done').click()
  await expect(terminalInput(page)).toBeFocused()
  await expect(terminalScreen(page)).toContainText('Do Say hello')
  expect(git(app, 'log', '--format=%s')).toBe('Do Say hello\n')

  // A command that is stopped no longer waits; its file stays open.
  await run(page, 'greenlight --wait hello.txt')
  await expect(tab(page, 'hello.txt')).toHaveAccessibleDescription(/a command is waiting/)
  await expect(editor(page, 'hello.txt')).toBeFocused()
  await terminalInput(page).focus()
  await page.keyboard.press('Control+c')
  await expect(tab(page, 'hello.txt')).not.toHaveAccessibleDescription(/a command is waiting/)
})

test(
  'a command outside waits for several files, one of them outside the folder',
  { tag: '@long' },
  async ({ app }) => {
    const far = join(app.place.base, 'far')
    mkdirSync(far)
    const notes = join(far, 'notes.txt')
    writeFileSync(notes, 'one\ntwo\nthree\n')
    await app.start()
    const { page } = app
    expect(await outside(app, '--wait', 'project').ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a folder'),
    })

    // A file that is not there yet is made by the first save, and only by that.
    const fresh = join(far, 'deeper', 'new.txt')
    const unsaved = outside(app, '--wait', fresh)
    await expect(editor(page, 'new.txt')).toBeFocused()
    await page.keyboard.type('never kept')
    await tab(page, 'new.txt').press('Delete')
    await button(page.getByRole('dialog', { name: /new\.txt/ }), 'Don’t save').click()
    expect(await unsaved.ended).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(existsSync(join(far, 'deeper'))).toBe(false)
    const made = outside(app, '--wait', fresh)
    await expect(editor(page, 'new.txt')).toBeFocused()
    await expect(page.getByRole('group', { name: 'File on disk' })).toContainText('New file.')
    await page.keyboard.type('kept')
    await page.keyboard.press(`${mod}+s`)
    await expect.poll(() => existsSync(fresh) && readFileSync(fresh, 'utf8')).toBe('kept')
    await expect(page.getByRole('group', { name: 'File on disk' })).toHaveCount(0)
    await button(page, 'Done').click()
    expect(await made.ended).toMatchObject({ code: 0 })

    const command = outside(app, '--wait', 'project/hello.txt', 'far/notes.txt:2:2')
    await expect(tab(page, 'notes.txt')).toHaveAccessibleDescription(/outside the folder/)
    await expect(editor(page, 'notes.txt')).toBeFocused()
    await page.keyboard.type('!')
    await tab(page, 'hello.txt').press('Delete')
    await expect(tab(page, 'hello.txt')).toHaveCount(0)
    expect(command.process.exitCode).toBeNull()
    await button(page, 'Done').click()
    expect(await command.ended).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(notes, 'utf8')).toBe('one\nt!wo\nthree\n')

    // Two files beside each other: shown, and not waited for.
    expect(await outside(app, '--diff', 'far/notes.txt', 'project/hello.txt').ended).toMatchObject({
      code: 0,
    })
    await expect(tab(page, 'hello.txt compared')).toHaveAttribute('aria-selected', 'true')
    await tab(page, 'hello.txt compared').press('Delete')

    // Whoever is typing keeps the focus, and is told.
    await page.getByRole('treeitem', { name: 'hello.txt' }).dblclick()
    await editor(page, 'hello.txt').click()
    await keepTyping(page)
    const second = outside(app, '--wait', notes)
    await expect(
      notices(page).getByText('A command is waiting for notes.txt. Its tab is open.'),
    ).toBeVisible()
    await expect(editor(page, 'hello.txt')).toBeFocused()
    await app.stop()
    expect(await second.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Greenlight ended'),
    })
    expect(await outside(app, '--wait', notes).ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Greenlight isn’t running'),
    })
  },
)
