import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { type OpenApp, button, runCommand, tab, test } from './open-app'

/** Adds a folder as a person does on this host: by the system's dialog, else by typing its path. */
async function addFolder(app: OpenApp, path: string): Promise<void> {
  await app.electron?.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, path)
  await button(app.page, 'Add a folder …').click()
  if (app.electron) return
  const dialog = app.page.getByRole('dialog', { name: 'Add a folder to this window' })
  await dialog.getByRole('combobox', { name: 'Path of the folder' }).fill(path)
  await button(dialog, 'Add').click()
}

/** The folders that an agent finds. */
function announced(app: OpenApp): unknown {
  const folder = join(app.place.home, '.claude', 'ide')
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.lock'))
  return (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { workspaceFolders: unknown })
    .workspaceFolders
}

test('a folder is added and removed, a file dropped on the window is told, and all is there after the next start', async ({
  app,
}) => {
  const second = join(app.place.base, 'second')
  mkdirSync(second)
  writeFileSync(join(second, 'there.txt'), 'here\n')
  await app.start()
  const { page } = app

  await button(page, 'Folders of this window').click()
  await addFolder(app, second)
  await expect(page.getByRole('treeitem', { name: 'second' })).toBeVisible()
  await expect.poll(() => announced(app)).toEqual([app.place.project, second])
  await page.getByRole('treeitem', { name: 'there.txt' }).dblclick()
  await expect(page.getByRole('textbox', { name: /^Editor: .*there\.txt$/ })).toBeFocused()

  // A browser says nothing of where a file lies, and the stand-in's files lie nowhere.
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['text'], 'dropped.txt'))
    return data
  })
  await page.dispatchEvent('.frame', 'dragover', { dataTransfer: dropped })
  await expect(page.getByText('Drop a folder or a file to open it')).toBeVisible()
  await page.dispatchEvent('.frame', 'drop', { dataTransfer: dropped })
  await expect(page.getByText('Drop a folder or a file to open it')).toBeHidden()
  await expect(page.getByText(/“Open a folder …” instead|isn’t a file on this disk/).first()).toBeVisible()

  await runCommand(page, 'Folders of this window …')
  const folders = page.getByRole('dialog', { name: 'Folders of this window' })
  await button(folders, 'Remove project').click()
  await expect.poll(() => announced(app)).toEqual([second])
  await button(folders, 'Done').click()
  await expect(page.getByRole('treeitem', { name: 'hello.txt' })).toBeHidden()
  await expect(tab(page, 'there.txt')).toBeVisible()

  await app.stop()
  await app.start([second])
  await expect(tab(app.page, 'there.txt')).toBeVisible()

  if (!app.electron) {
    // Another window is another tab, let in by a link of its own.
    const opening = app.page.context().waitForEvent('page')
    await runCommand(app.page, 'New window')
    const other = await opening
    await expect(button(other, 'Take the tour')).toBeVisible()
    await expect.poll(() => other.url()).toMatch(/\/w\/[\w-]+\/$/)
    await other.close()
  }
})

test('started without a folder, the windows of last time open', async ({ app, host }) => {
  test.skip(host !== 'electron', 'a host for browsers that is started without a folder has none')
  await app.start()
  await app.stop()
  await app.start([])
  await expect(app.page.getByRole('treeitem', { name: 'hello.txt' })).toBeVisible()
})
