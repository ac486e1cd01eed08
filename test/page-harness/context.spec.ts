import type { Page } from '@playwright/test'
import { expect, test } from './harness'

const panel = (page: Page) => page.getByRole('region', { name: 'Context', exact: true })
const callsOf = (page: Page, name: string) =>
  page.evaluate(
    (wanted) => window.host.calls.filter((call) => call.name === wanted).map((call) => call.params),
    name,
  )
const shot = (page: Page, name: string) => page.screenshot({ path: `.cache/page-shots/${name}.png` })

for (const theme of ['light', 'dark'] as const) {
  test(`who got what, and what is kept from agents, ${theme}`, async ({ open }) => {
    const page = await open(`scene=work&theme=${theme}`)
    await page.getByRole('button', { name: 'Context panel' }).click()
    const context = panel(page)
    const selection = context.getByRole('region', { name: 'Selection', exact: true })
    await expect(selection).toContainText('thermostat.ts')
    await expect(selection).toContainText('lines 12–14')
    await expect(selection).toContainText(/Claude·\d+ s ago/)
    const files = context.getByRole('list', { name: 'Open files' })
    await expect(files.getByRole('listitem').filter({ hasText: '.env.local' })).toContainText(
      'Never shared: .env*',
    )
    await expect(files.getByRole('listitem').filter({ hasText: 'token.txt' })).toContainText(
      'Never shared: Read(./secrets/**) in ',
    )
    await expect(context).toContainText('can still read any file on disk')
    await page.mouse.move(600, 500)
    await shot(page, `context-${theme}`)
    await context.getByText('Everything sent').scrollIntoViewIfNeeded()
    await shot(page, `context-end-${theme}`)
  })
}

test('one switch for everything, in the panel, the status bar and the commands', async ({ open }) => {
  const page = await open('scene=work')
  const words = page.getByRole('button', { name: /^Sharing with agents:/ })
  await expect(words).toHaveText('sharing: selection, 4 files')
  await page.getByRole('button', { name: 'Stop sharing with agents' }).click()
  await expect(words).toHaveText('sharing: nothing')
  await words.click()
  const all = panel(page).getByRole('switch', { name: 'Share with agents' })
  await expect(all).not.toBeChecked()
  await expect(panel(page).getByRole('switch', { name: 'Share the selection' })).toBeDisabled()
  await shot(page, 'context-off')
  await all.focus()
  await page.keyboard.press('Space')
  await expect(words).toHaveText('sharing: selection, 4 files')
  await page.keyboard.press('Control+Shift+P')
  await page.keyboard.type('sharing open files')
  await expect(page.getByRole('option', { selected: true })).toContainText('sharing open files')
  await page.keyboard.press('Enter')
  await expect(words).toHaveText('sharing: selection')
  expect(await callsOf(page, 'context.share')).toEqual([{ all: false }, { all: true }, { files: false }])
})

test('patterns are added and removed where they stand', async ({ open }) => {
  const page = await open('scene=work')
  await page.getByRole('button', { name: 'Context panel' }).click()
  const never = panel(page).getByRole('region', { name: 'Never shared' })
  const patterns = never.getByRole('list', { name: 'Never shared patterns' })
  await expect(patterns.getByRole('listitem')).toHaveText(['.env*', '*.pem', '*.key', 'id_*', '.git/'])
  await never.getByRole('textbox', { name: 'Add a pattern' }).fill(' secrets/ ')
  await page.keyboard.press('Enter')
  await expect(patterns.getByRole('listitem').last()).toHaveText('secrets/')
  await never.getByRole('button', { name: 'Remove *.key' }).click()
  await expect(patterns).not.toContainText('*.key')
  await never.getByRole('textbox', { name: 'Add a pattern' }).fill('.env*')
  await expect(never.getByRole('button', { name: 'Add' })).toBeDisabled()
  await panel(page).getByRole('button', { name: 'Never share README.md' }).click()
  expect(await callsOf(page, 'context.exclude')).toHaveLength(1)
  await page.mouse.move(600, 500)
  await shot(page, 'context-never')
})

test('nothing open, nobody connected', async ({ open }) => {
  const page = await open('scene=folder')
  await page.evaluate(() => {
    window.host.context = { ...window.host.context, selection: null, files: [], sent: [], denyRules: [] }
  })
  await page.getByRole('button', { name: 'Context panel' }).click()
  await expect(panel(page)).toContainText('thermostat.ts')
  await page.evaluate(() =>
    window.host.emit('context', {
      kind: 'state',
      state: {
        selection: null,
        files: [],
        denyRules: [],
        problems: ['A settings file cannot be understood.'],
      },
    }),
  )
  await expect(panel(page)).toContainText('No file is open.')
  await shot(page, 'context-empty')
})

test('many files, in a narrow window', async ({ open }) => {
  const page = await open('scene=work')
  await page.setViewportSize({ width: 700, height: 500 })
  await page.getByRole('button', { name: /^Sharing with agents:/ }).click()
  await page.evaluate(() => {
    const { host } = window
    const [first] = host.context.files
    if (!first) return
    const files = Array.from({ length: 1000 }, (_, index) => ({
      ...first,
      path: `${first.path}-${index}`,
      name: `file-${index}.ts`,
      isActive: index === 0,
    }))
    host.emit('context', { kind: 'state', state: { files } })
  })
  const files = panel(page).getByRole('list', { name: 'Open files' })
  await expect(files.getByRole('listitem')).toHaveCount(50)
  await shot(page, 'context-narrow')
  await panel(page).getByRole('button', { name: 'Show 950 more files' }).click()
  await expect(files.getByRole('listitem')).toHaveCount(1000)
})
