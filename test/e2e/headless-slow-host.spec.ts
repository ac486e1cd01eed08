import { type Page, expect } from '@playwright/test'
import {
  button,
  mod,
  notices,
  type OpenApp,
  openShell,
  runCommand,
  terminalInput,
  terminalScreen,
  test,
} from './open-app'

/** Between a page and its host: what the host says can be held back, and let through in its order. */
class Line {
  #release: (() => void)[] | null = null

  /** To be called before the page is loaded. */
  async join(page: Page): Promise<void> {
    await page.routeWebSocket(/.*/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        if (this.#release) this.#release.push(() => socket.send(message))
        else socket.send(message)
      })
    })
  }

  hold(): void {
    this.#release ??= []
  }

  release(): void {
    const held = this.#release ?? []
    this.#release = null
    for (const send of held) send()
  }
}

/** Starts the app, and puts a line between its page and its host. */
async function startOnLine(app: OpenApp): Promise<{ page: Page; line: Line }> {
  await app.start()
  const { page } = app
  const line = new Line()
  await line.join(page)
  await app.reload()
  return { page, line }
}

test('what is typed while a new terminal is awaited does not go to the one that is shown', async ({
  app,
}) => {
  const { page, line } = await startOnLine(app)
  await openShell(page)
  await page.keyboard.type('echo first $((6 * 7))\n')
  await expect(terminalScreen(page)).toContainText('first 42')

  line.hold()
  await button(page, 'New terminal').click()
  await page.getByRole('menuitem', { name: 'Shell' }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab')).toHaveCount(1)
  await expect(terminalInput(page)).not.toBeFocused()
  await page.keyboard.type('echo astray\n')
  line.release()
  await expect(page.getByRole('tab', { name: 'Shell 2' })).toHaveAttribute('aria-selected', 'true')
  await expect(terminalInput(page)).toBeFocused()
  await page.keyboard.type('echo second $((6 * 7))\n')
  await expect(terminalScreen(page)).toContainText('second 42')

  // By a command, out of the terminal that has the focus.
  line.hold()
  await runCommand(page, 'New terminal: Shell')
  await expect(terminalInput(page)).not.toBeFocused()
  await page.keyboard.type('echo astray\n')
  line.release()
  await expect(page.getByRole('tab', { name: 'Shell 3' })).toHaveAttribute('aria-selected', 'true')
  await expect(terminalInput(page)).toBeFocused()

  for (const title of ['Shell 2', 'Shell']) {
    await page.getByRole('tab', { name: title, exact: true }).click()
    await terminalInput(page).focus()
    await page.keyboard.type('echo third $((6 * 7))\n')
    await expect(terminalScreen(page)).toContainText('third 42')
    await expect(terminalScreen(page)).not.toContainText('astray')
  }
})

test('a menu that is opened while a file is on its way stays', { tag: '@long' }, async ({ app }) => {
  app.write('one.txt', 'one\n')
  const other = app.write('other.txt', 'other\n')
  const { page, line } = await startOnLine(app)
  const file = (name: string) => page.getByRole('treeitem', { name })
  await file('one.txt').dblclick()
  const editor = (name: string) => page.getByRole('textbox', { name: `Editor: ${app.path(name)}` })
  await expect(editor('one.txt')).toBeFocused()

  line.hold()
  await file('other.txt').dblclick()
  await file('one.txt').click({ button: 'right' })
  const menu = page.getByRole('menu')
  await expect(menu).toBeVisible()
  line.release()
  await expect(page.getByRole('textbox', { name: `Editor: ${other}` })).toContainText('other')
  await expect(menu.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: `Editor: ${other}` })).not.toBeFocused()
})

test('a menu that is opened while a tab is on its way stays', { tag: '@long' }, async ({ app }) => {
  app.write('one.txt', 'one\n')
  const { page, line } = await startOnLine(app)
  const file = page.getByRole('treeitem', { name: 'one.txt' })
  await expect(file).toBeVisible()

  line.hold()
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Settings' }).click()
  await file.click({ button: 'right' })
  const menu = page.getByRole('menu')
  await expect(menu).toBeVisible()
  line.release()
  await expect(page.getByRole('searchbox', { name: 'Search settings' })).toBeVisible()
  await expect(menu.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  await expect(menu.locator(':focus').or(menu.and(page.locator(':focus')))).toHaveCount(1)
})

test('who presses elsewhere while a tab or a file is on its way keeps the focus there', async ({ app }) => {
  app.write('one.txt', 'one\n')
  app.write('other.txt', 'other\n')
  const { page, line } = await startOnLine(app)
  const file = (name: string) => page.getByRole('treeitem', { name })
  const editor = (name: string) => page.getByRole('textbox', { name: `Editor: ${app.path(name)}` })
  for (const name of ['one.txt', 'other.txt']) {
    await file(name).dblclick()
    await expect(editor(name)).toBeFocused()
  }
  await openShell(page)
  const ways = [
    () => page.getByRole('tab', { name: 'one.txt', exact: true }).click(),
    () => file('other.txt').dblclick(),
  ]
  for (const [at, go] of ways.entries()) {
    line.hold()
    await go()
    await page.getByRole('region', { name: /^Terminal: / }).click()
    await expect(terminalInput(page)).toBeFocused()
    line.release()
    await expect(editor(at === 0 ? 'one.txt' : 'other.txt')).toBeVisible()
    await page.keyboard.type(`echo here $((6 * 7 + ${at}))\n`)
    await expect(terminalScreen(page)).toContainText(`here ${42 + at}`)
  }
})

test('who goes to another line while files are moved stays there', { tag: '@long' }, async ({ app }) => {
  app.write('lib/one.txt', 'one\n')
  app.write('two.txt', 'two\n')
  app.write('zwei.txt', 'two\n')
  const { page, line } = await startOnLine(app)
  const file = (name: string) => page.getByRole('treeitem', { name, exact: true })
  await file('two.txt').click()
  await page.keyboard.press(`${mod}+x`)
  await file('lib').click()
  line.hold()
  await page.keyboard.press(`${mod}+v`)
  await page.keyboard.press('End')
  line.release()
  await expect(page.getByRole('treeitem', { name: 'two.txt', exact: true, level: 2 })).toBeVisible()
  await expect(notices(page)).toContainText('two.txt moved to lib.')
  await expect(file('zwei.txt')).toHaveClass(/list-cursor/)
})

/** Keeps the editors from loading into the page until the result is called. */
async function holdEditors(page: Page): Promise<() => void> {
  let load: () => void = () => undefined
  const loaded = new Promise<void>((resolve) => (load = resolve))
  await page.route(/editor-pane-[^/]+\.js$/, async (route) => {
    await loaded
    await route.continue()
  })
  return load
}

test(
  'a file opened before the editors have loaded gets the focus, and an agent’s place in it is gone to',
  { tag: '@long' },
  async ({ app }) => {
    const path = app.write('notes.txt', 'one\ntwo\nthree\n')
    await app.start()
    const { page } = app
    const load = await holdEditors(page)
    await app.reload()
    await page.getByRole('treeitem', { name: 'notes.txt' }).dblclick()
    await expect(page.getByRole('tab', { name: 'notes.txt' })).toHaveAttribute('aria-selected', 'true')
    const agent = await app.agent()
    await agent.call('openFile', {
      filePath: path,
      startText: 'three',
      endText: 'three',
      makeFrontmost: true,
    })
    // However long they take.
    await page.evaluate(() => {
      const later = Date.now() + 60_000
      Date.now = () => later
    })
    load()
    const editor = page.getByRole('textbox', { name: `Editor: ${path}` })
    await expect(editor).toBeFocused()
    await expect(page.getByText('Ln 3, Col 6')).toBeVisible()
    await page.keyboard.type('3')
    await expect(editor.getByText('3', { exact: true })).toBeVisible()
  },
)

test(
  'whoever goes on before the editors have loaded keeps the focus, and the place is gone to all the same',
  { tag: '@long' },
  async ({ app }) => {
    app.write('notes.txt', 'one\ntwo\nthree\n')
    await app.start()
    const { page } = app
    const load = await holdEditors(page)
    await app.reload()
    await expect(page.getByRole('treeitem', { name: 'notes.txt' })).toBeVisible()
    await page.keyboard.press(`${mod}+P`)
    await page.getByRole('combobox').fill('notes.txt:3')
    await expect(page.getByRole('option', { selected: true })).toContainText('notes.txt')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('tab', { name: 'notes.txt' })).toHaveAttribute('aria-selected', 'true')
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Search' }).click()
    const search = page.getByRole('region', { name: 'Search', exact: true }).getByRole('textbox').first()
    await search.click()
    await page.keyboard.type('tw')
    load()
    await expect(page.getByText('Ln 3, Col 1')).toBeVisible()
    await page.keyboard.type('o')
    await expect(search).toBeFocused()
    await expect(search).toHaveValue('two')
  },
)
