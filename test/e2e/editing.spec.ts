import { execFileSync } from 'node:child_process'
import { expect, type Locator, type Page } from '@playwright/test'
import { steady } from '../steady'
import { button, keepTyping, mod, notices, tab, test } from './open-app'

const right = (page: Page): Locator =>
  page.getByRole('tablist', { name: 'Open files and reviews on the right', exact: true })
const left = (page: Page): Locator =>
  page.getByRole('tablist', { name: 'Open files and reviews', exact: true })
const file = (page: Page, name: string): Locator => page.getByRole('treeitem', { name, exact: true })

/** A picture of one blue dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPQz38NAAJaAYpPTFLJAAAAAElFTkSuQmCC'

/** The names of a side's tabs in their order. */
const names = (strip: Locator): Promise<string[]> =>
  strip.getByRole('tab').evaluateAll((tabs) => tabs.map((one) => one.getAttribute('aria-label') ?? ''))

/** Opens a file to stay, and waits for its editor. */
async function open(page: Page, name: string, path: string): Promise<Locator> {
  await file(page, name).dblclick()
  const editor = page.getByRole('textbox', { name: `Editor: ${path}` }).first()
  await expect(editor).toBeVisible()
  return editor
}

async function menu(page: Page, name: string, item: string): Promise<void> {
  await tab(page, name).first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('tabs: preview, pinned, closed and reopened, split in two, and the file of an agent', async ({
  app,
}) => {
  const a = app.write('a.txt', 'one\ntwo\nthree\n')
  for (const name of ['b.txt', 'c.txt']) app.write(name, `${name}\n`)
  await app.start()
  const { page } = app

  // A single press is a preview, which the next one replaces; typing keeps it.
  await file(page, 'b.txt').click()
  await expect(tab(page, 'b.txt')).toBeVisible()
  await file(page, 'c.txt').click()
  await expect(tab(page, 'b.txt')).toHaveCount(0)
  await page.getByRole('textbox', { name: `Editor: ${app.path('c.txt')}` }).click()
  await page.keyboard.type('typed ')
  await expect(tab(page, 'c.txt')).toHaveAccessibleDescription(/modified/)
  await file(page, 'b.txt').click()
  await open(page, 'a.txt', a)
  await expect.poll(() => names(left(page))).toEqual(['c.txt', 'a.txt'])

  // Pinned ones stand first and stay, and what is unsaved stays too.
  await open(page, 'b.txt', app.path('b.txt'))
  await menu(page, 'a.txt', 'Pin')
  await expect.poll(() => names(left(page))).toEqual(['a.txt', 'c.txt', 'b.txt'])
  await menu(page, 'a.txt', 'Close others')
  await expect.poll(() => names(left(page))).toEqual(['a.txt', 'c.txt'])
  await expect(notices(page).getByText('One file has unsaved text and stays open.')).toBeVisible()
  await tab(page, 'c.txt').click()
  await expect(page.getByRole('textbox', { name: `Editor: ${app.path('c.txt')}` })).toBeFocused()
  await page.keyboard.press(`${mod}+s`)
  await expect(tab(page, 'c.txt')).not.toHaveAccessibleDescription(/modified/)
  await page.getByRole('button', { name: 'Close c.txt', includeHidden: true }).click()
  await expect(tab(page, 'c.txt')).toHaveCount(0)
  await tab(page, 'a.txt').click()
  await page.keyboard.press(`${mod}+Shift+T`)
  await expect.poll(() => names(left(page))).toEqual(['a.txt', 'c.txt'])

  // The same file on both sides: what is typed in one stands in the other, and either may be closed.
  await tab(page, 'a.txt').click()
  await expect(tab(page, 'a.txt')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press(`${mod}+\\`)
  await expect.poll(() => names(right(page))).toEqual(['a.txt'])
  const both = page.getByRole('textbox', { name: `Editor: ${a}` })
  await expect(both).toHaveCount(2)
  await expect(both.nth(1)).toBeFocused()
  await page.keyboard.press(`${mod}+Home`)
  await page.keyboard.type('right ')
  await expect(both.nth(0)).toContainText('right one')
  await page.keyboard.press(`${mod}+1`)
  await expect(both.nth(0)).toBeFocused()
  await page.keyboard.press(`${mod}+Home`)
  await page.keyboard.type('left ')
  await expect(both.nth(1)).toContainText('left right one')
  await keepTyping(page)

  // An agent is told of one open file, and its own comes to the side that is worked in.
  const agent = await app.agent()
  const listed = await agent.call('getOpenEditors', {})
  const editors = (JSON.parse(listed.content[0]?.text ?? '') as { tabs: { label: string }[] }).tabs
  expect(editors.map(({ label }) => label).toSorted()).toEqual(['a.txt', 'c.txt'])
  await agent.call('openFile', { filePath: app.path('b.txt'), preview: true, makeFrontmost: true })
  await expect.poll(() => names(left(page))).toContain('b.txt')
  // Behind the text that is typed in.
  await expect(
    notices(page).getByText('An agent wants to show you b.txt. Its tab is open.', { exact: true }),
  ).toBeVisible()
  await expect(both).toHaveCount(2)
  await page.keyboard.type('on ')
  await tab(page, 'b.txt').click()
  await expect(both).toHaveCount(1)

  await right(page).getByRole('button', { name: 'Close a.txt', includeHidden: true }).click()
  await expect(right(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await tab(page, 'a.txt').click()
  await expect(both).toBeFocused()
  await page.keyboard.press(`${mod}+s`)
  await expect.poll(() => app.read('a.txt')).toBe('left on right one\ntwo\nthree\n')
})

test('formats: line ends, encodings, indentation and .editorconfig in the status bar and on disk', async ({
  app,
}) => {
  const config =
    '[*.js]\nindent_style = tab\ntab_width = 8\ntrim_trailing_whitespace = true\ninsert_final_newline = true\n'
  app.write('.editorconfig', `root = true\n${config}`)
  const script = app.write('a.js', 'if (a) {\n}')
  const latin = app.write('latin.txt', Buffer.from('caf\xe9\n', 'latin1'))
  await app.start()
  const { page } = app
  const status = page.getByRole('contentinfo', { name: 'Status' })
  await open(page, 'a.js', script)
  await expect(button(status, 'Indentation: Tabs: 8')).toBeVisible()
  await expect(button(status, 'Encoding: UTF-8')).toBeVisible()
  await page.keyboard.press(`${mod}+g`)
  const asked = page.getByRole('dialog', { name: 'Go to line' })
  await expect(asked).toContainText('Line 1 of 2')
  await asked.getByRole('textbox', { name: 'Go to line' }).fill('1:9')
  await page.keyboard.press('Enter')
  await expect(asked).toBeHidden()
  await expect(button(status, 'Ln 1, Col 9')).toBeVisible()
  await expect(page.getByRole('textbox', { name: `Editor: ${script}` })).toBeFocused()
  // A line is indented by its language, which comes after the text.
  await expect(status.getByText('JavaScript', { exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type('b()  ')
  await button(status, 'Line endings: LF').click()
  await page.getByRole('menuitemcheckbox', { name: 'CRLF' }).click()
  await expect(button(status, 'Line endings: CRLF')).toBeVisible()
  await page.getByRole('textbox', { name: `Editor: ${script}` }).focus()
  await page.keyboard.press(`${mod}+s`)
  await expect.poll(() => app.read('a.js')).toBe('if (a) {\r\n\tb()\r\n}\r\n')

  // A guess is shown and not to be changed, until it is confirmed.
  const editor = await open(page, 'latin.txt', latin)
  await expect(button(status, 'Encoding: Latin-1 (a guess)')).toBeVisible()
  await expect(editor).toContainText('café')
  await editor.click()
  await page.keyboard.type('x')
  await expect(editor).not.toContainText('x')
  await button(page, 'Edit as Latin-1').click()
  await expect(button(status, 'Encoding: Latin-1')).toBeVisible()
  await editor.click()
  await page.keyboard.press(`${mod}+Home`)
  await page.keyboard.type('x')
  await button(status, 'Encoding: Latin-1').click()
  await page.getByRole('menuitem', { name: 'Save as UTF-8', exact: true }).click()
  await editor.click()
  await page.keyboard.press(`${mod}+s`)
  await expect.poll(() => app.read('latin.txt')).toBe('xcafé\n')
})

test('what is not plain text: pictures, a long log in pieces, previews, and texts compared', async ({
  app,
}) => {
  const long = app.path('long.log')
  app.write('dot.png', Buffer.from(dot, 'base64'))
  app.write(
    'drawn.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>document.title="run"</script><rect width="40" height="20"/></svg>',
  )
  const guide = app.write(
    'guide.md',
    '# Guide\n\n<script>document.title = "run"</script>\n\n[other](other.md) [web](https://a.example/)\n',
  )
  app.write('other.md', '# Other\n')
  const line = (number: number) => `line ${String(number).padStart(9, '0')} ${'x'.repeat(84)}\n`
  app.write('long.log', Array.from({ length: 300_000 }, (_, index) => line(index + 1)).join(''))
  execFileSync('git', ['-C', app.path('.'), 'add', 'guide.md', 'other.md'])
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@a.example']
  execFileSync('git', ['-C', app.path('.'), ...who, 'commit', '-qm', 'first'])
  await app.start()
  const { page } = app

  await file(page, 'dot.png').dblclick()
  const picture = page.getByRole('group', { name: 'Picture: dot.png' })
  await expect(picture.getByRole('img', { name: 'dot.png' })).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Picture' })).toContainText('1 × 1')

  // 30 MB: any place is a read away, and line numbers are right when they are counted.
  await file(page, 'long.log').dblclick()
  const log = page.getByRole('textbox', { name: `Editor: ${long}` })
  await expect(log).toContainText('line 000000001')
  await page.getByRole('textbox', { name: 'Line to go to' }).fill('250000')
  await page.keyboard.press('Enter')
  await expect(log).toContainText('line 000250000')
  await expect(page.getByRole('group', { name: 'Large file' })).toContainText('line 250')
  await page.getByRole('slider', { name: 'Position in the file' }).press('End')
  await expect(log).toContainText('line 000300000')
  await log.focus()
  await page.keyboard.press(`${mod}+Home`)
  await expect(log).toContainText('line 000000001')

  // HTML in Markdown and in SVG stays what it is; a link to the web is asked about.
  const editor = await open(page, 'guide.md', guide)
  await page.keyboard.press(`${mod}+Shift+v`)
  const preview = page.getByRole('document', { name: 'Preview of guide.md' })
  await expect(preview.getByRole('heading', { name: 'Guide' })).toBeVisible()
  await expect(preview).toContainText('<script>')
  await editor.click()
  await page.keyboard.press(`${mod}+Home`)
  await page.keyboard.type('# New\n\n')
  await expect(preview.getByRole('heading', { name: 'New' })).toBeVisible()
  await preview.getByRole('link', { name: 'web' }).click()
  const asked = page.getByRole('dialog', { name: 'Open this address in your browser?' })
  await expect(asked).toContainText('https://a.example/')
  await button(asked, 'Cancel').click()
  await preview.getByRole('link', { name: 'other' }).click()
  await expect(page.getByRole('textbox', { name: `Editor: ${app.path('other.md')}` })).toBeVisible()
  await file(page, 'drawn.svg').dblclick()
  // The focus that comes to the editor would close a menu.
  await expect(page.getByRole('textbox', { name: `Editor: ${app.path('drawn.svg')}` })).toBeFocused()
  await menu(page, 'drawn.svg', 'Show preview')
  await expect(page.getByRole('img', { name: 'Preview of drawn.svg' })).toBeVisible()
  // The focus has gone back to the editor on the right: where one works, things open.
  await page.getByRole('group', { name: 'Picture: Preview of drawn.svg' }).click()
  await expect(page.locator('[data-side="left"]')).not.toHaveClass(/tab-area-behind/)
  expect(await page.title()).not.toContain('run')

  // Two files, and against HEAD: what is typed and not saved counts too.
  await menu(page, 'guide.md', 'Compare with HEAD')
  const compared = page.getByRole('region', { name: `Comparison: ${guide}` })
  await expect(compared).toContainText('1 change')
  await expect(compared.getByRole('textbox')).toHaveCount(2)
  await expect(compared.getByRole('button', { name: /^Accept|^Reject/ })).toHaveCount(0)
  await tab(page, 'guide.md').first().click()
  await editor.click()
  await expect(async () => {
    await page.keyboard.press(`${mod}+z`)
    // What was typed slowly takes several.
    await expect(editor.locator('.cm-line').first()).toHaveText('# Guide', { timeout: 500 })
  }).toPass()
  await tab(page, 'guide.md compared').click()
  await expect(compared).toContainText('No differences')
})

test(
  'a comparison stays where it is looked at while the text beside it is typed',
  { tag: '@long' },
  async ({ app }) => {
    const long = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\n')
    const saved = app.write('long.txt', `${long}\n`)
    await app.start()
    const { page } = app
    const editor = await open(page, 'long.txt', saved)
    await editor.press(`${mod}+Home`)
    await page.keyboard.type('new ')
    await page.keyboard.press(`${mod}+End`)
    await page.keyboard.type('last')
    await menu(page, 'long.txt', 'Compare with saved')
    const compared = page.getByRole('region', { name: `Comparison: ${saved}` })
    await expect(compared).toContainText('2 changes')
    await menu(page, 'long.txt compared', 'Move to other side')
    await expect(right(page).getByRole('tab', { name: 'long.txt compared' })).toBeVisible()
    await expect(editor).toBeVisible()
    await button(compared, 'Next change').click()
    await button(compared, 'Next change').click()
    const last = compared.getByText('last', { exact: false })
    await expect(last).toBeInViewport()
    const text = compared.getByRole('textbox', { name: `long.txt: ${saved}` })
    const first = await text.elementHandle()
    const top = async () => (await last.boundingBox())?.y
    const place = await steady(top)

    await editor.press(`${mod}+End`)
    await page.keyboard.type(' more')
    await expect(last).toHaveText(/last more/)
    expect(await first?.evaluate((element) => element.isConnected)).toBe(true)
    expect(await steady(top)).toBeCloseTo(place, -1)
  },
)
