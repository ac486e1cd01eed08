import { chmodSync, existsSync, unlinkSync, writeFileSync } from 'node:fs'
import { expect, type Locator } from '@playwright/test'
import { button, mod, notices, type OpenApp, openShell, tab, terminalInput, test } from './open-app'

const text = 'alpha\nbeta\ngamma\ndelta\nepsilon\n'

/** An app with one file in its editor, which has the focus. */
async function edit(app: OpenApp, content = text) {
  const path = app.write('greek.txt', content)
  await app.start()
  const { page } = app
  await page.getByRole('treeitem', { name: 'greek.txt' }).dblclick()
  const editor = page.getByRole('textbox', { name: `Editor: ${path}` })
  await expect(editor).toBeFocused()
  await expect(editor).toContainText('epsilon')
  return { page, path, editor }
}

const lines = (editor: Locator) => editor.locator('.cm-line')

test('edits, says so in the tab, and saves', async ({ app }) => {
  const { page } = await edit(app)
  await expect(tab(page, 'greek.txt')).not.toHaveAccessibleDescription(/modified/)
  await page.keyboard.press(`${mod}+End`)
  await page.keyboard.type('zeta\n')
  await expect(tab(page, 'greek.txt')).toHaveAccessibleDescription(/modified/)
  expect(app.read('greek.txt')).toBe(text)
  await page.keyboard.press(`${mod}+s`)
  await expect.poll(() => app.read('greek.txt')).toBe(`${text}zeta\n`)
  await expect(tab(page, 'greek.txt')).not.toHaveAccessibleDescription(/modified/)
})

test('asks before a tab with unsaved text closes', async ({ app }) => {
  const { page } = await edit(app)
  await page.keyboard.type('new ')
  await page.keyboard.press(`${mod}+w`)
  const dialog = page.getByRole('dialog', { name: 'Save the changes to greek.txt?' })
  await expect(button(dialog, 'Save')).toBeFocused()
  await button(dialog, 'Cancel').click()
  await expect(tab(page, 'greek.txt')).toBeVisible()
  await page.getByRole('button', { name: 'Close greek.txt', includeHidden: true }).click()
  await button(dialog, 'Save').click()
  await expect(tab(page, 'greek.txt')).toHaveCount(0)
  expect(app.read('greek.txt')).toBe(`new ${text}`)
})

test('finds and replaces', async ({ app }) => {
  const { page } = await edit(app)
  await page.keyboard.press(`${mod}+f`)
  const search = page.getByRole('search', { name: 'Find in this file' })
  await search.getByRole('textbox', { name: 'Find' }).fill('ta')
  await expect(search.getByRole('status')).toContainText('2')
  await search.getByRole('button', { name: 'Replace', exact: true }).first().click()
  await search.getByRole('textbox', { name: 'Replace with' }).fill('TA')
  await button(search, 'Replace all').click()
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
  await page.keyboard.press(`${mod}+s`)
  await expect.poll(() => app.read('greek.txt')).toBe(text.replaceAll('ta', 'TA'))
})

test.describe('when the file changes on disk', () => {
  test('a clean one is read anew', async ({ app }) => {
    const { page, path, editor } = await edit(app)
    writeFileSync(path, text.replace('beta', 'BETA'))
    await expect(lines(editor).nth(1)).toHaveText('BETA')
    await expect(tab(page, 'greek.txt')).not.toHaveAccessibleDescription(/modified/)
  })

  const theirs = text.replace('epsilon', 'EPSILON')
  for (const [choice, saved] of [
    ['Keep my version', `mine ${text}`],
    ['Use disk version', theirs],
    ['Merge', `mine ${theirs}`],
  ] as const) {
    test(`a dirty one asks: ${choice}`, async ({ app }) => {
      const { page, path, editor } = await edit(app)
      await page.keyboard.type('mine ')
      await expect(tab(page, 'greek.txt')).toHaveAccessibleDescription(/modified/)
      writeFileSync(path, theirs)
      const bar = page.getByRole('group', { name: 'File on disk' })
      await expect(bar).toContainText('This file changed on disk while you were editing it.')
      await expect(lines(editor).first()).toHaveText('mine alpha')
      await button(bar, choice).click()
      await expect(bar).toHaveCount(0)
      await editor.click()
      await page.keyboard.press(`${mod}+s`)
      await expect.poll(() => app.read('greek.txt')).toBe(saved)
      await expect(tab(page, 'greek.txt')).not.toHaveAccessibleDescription(/modified/)
    })
  }

  test('one that is gone is said, and saving writes it again', async ({ app }) => {
    const { page, path } = await edit(app)
    unlinkSync(path)
    const bar = page.getByRole('group', { name: 'File on disk' })
    await expect(bar).toContainText('This file was deleted.')
    await button(bar, 'Save').click()
    await expect.poll(() => existsSync(path) && app.read('greek.txt')).toBe(text)
    await expect(bar).toHaveCount(0)
  })

  test('one that is read-only says so and takes no text', async ({ app }) => {
    const path = app.write('greek.txt', text)
    chmodSync(path, 0o444)
    await app.start()
    const { page } = app
    await page.getByRole('treeitem', { name: 'greek.txt' }).dblclick()
    await expect(page.getByRole('group', { name: 'File on disk' })).toContainText('read-only')
    await page.getByRole('textbox', { name: `Editor: ${path}` }).click()
    await page.keyboard.type('x')
    await expect(lines(page.getByRole('textbox', { name: `Editor: ${path}` })).first()).toHaveText('alpha')
  })
})

test('new and removed files come to the tree and go', async ({ app }) => {
  const path = app.write('greek.txt', text)
  await app.start()
  const { page } = app
  app.write('later.txt', '')
  await expect(page.getByRole('treeitem', { name: 'later.txt' })).toBeVisible()
  unlinkSync(path)
  await expect(page.getByRole('treeitem', { name: 'greek.txt' })).toHaveCount(0)
})

test.describe('what an agent sees', () => {
  interface Selected {
    text: string
    filePath: string
    selection: { start: object; end: object; isEmpty: boolean }
  }

  test('the selected lines, from 0, and a mention by Alt+K', async ({ app }) => {
    const { page, path } = await edit(app)
    const agent = await app.agent()
    await page.keyboard.press(`${mod}+Home`)
    for (let count = 0; count < 2; count++) await page.keyboard.press('Shift+ArrowDown')
    const selected = await agent.heard<Selected>('selection_changed', (told) => told.text === 'alpha\nbeta\n')
    expect(selected).toMatchObject({
      filePath: path,
      selection: { start: { line: 0, character: 0 }, end: { line: 2, character: 0 }, isEmpty: false },
    })
    await page.keyboard.press('Alt+k')
    expect(await agent.heard('at_mentioned')).toEqual({ filePath: path, lineStart: 0, lineEnd: 1 })
    await expect(notices(page).getByText('Mentioned greek.txt lines 1–2 to Claude')).toBeVisible()

    const late = await app.agent()
    expect(await late.heard<Selected>('selection_changed')).toMatchObject({ text: 'alpha\nbeta\n' })
  })

  test('unsaved text', async ({ app }) => {
    const { page, path } = await edit(app)
    const agent = await app.agent()
    await page.keyboard.type('new ')
    await page.keyboard.press('Shift+Home')
    await agent.heard<Selected>('selection_changed', (told) => told.text === 'new ')
    const dirty = await agent.call('checkDocumentDirty', { filePath: path })
    expect(JSON.parse(dirty.content[0]?.text ?? '')).toMatchObject({ isDirty: true })
    const saved = await agent.call('saveDocument', { filePath: path })
    expect(JSON.parse(saved.content[0]?.text ?? '')).toMatchObject({ saved: true })
    expect(app.read('greek.txt')).toBe(`new ${text}`)
    await expect(tab(page, 'greek.txt')).not.toHaveAccessibleDescription(/modified/)
  })

  test('a file that it opens is shown and selected, and the focus stays', async ({ app }) => {
    const path = app.write('greek.txt', text)
    await app.start()
    const { page } = app
    await openShell(page)
    const agent = await app.agent()
    const answer = await agent.call('openFile', { filePath: path, startText: 'beta', endText: 'delta' })
    expect(answer.content[0]?.text).toBe(`Opened file: ${path}`)
    await expect(page.getByRole('textbox', { name: `Editor: ${path}` })).toBeVisible()
    await agent.heard<Selected>('selection_changed', (told) => told.text === 'beta\ngamma\ndelta')
    await expect(terminalInput(page)).toBeFocused()
  })
})
