import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { accessibilityFaults } from '../accessibility'
import { type ScriptedApp, test } from '../scripted-agent/scripted-app'
import { runCommand } from './open-app'
import { converse, field, log, pastePicture, say, waiting } from './talk-in-app'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** What is kept for the folders, or elsewhere among the app’s own, as it is on disk. A file that goes meanwhile isn't. */
function keptOnDisk(app: ScriptedApp, where = 'folders'): string {
  const folder = join(app.place.data, where)
  if (!existsSync(folder)) return ''
  // What is still being written has another name.
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      try {
        return readFileSync(join(folder, name), 'utf8')
      } catch {
        return ''
      }
    })
    .join('\n')
}

test('files are mentioned, pictures are sent, and the selection goes with a message unless it is left out', async ({
  app,
}) => {
  writeFileSync(join(app.place.project, 'pump.ts'), 'export function heatSlowly() {\n  return 1\n}\n')
  const { robo, page } = await converse(app)
  const options = page.getByRole('listbox', { name: 'Mentions' }).getByRole('option')
  await field(page).focus()
  await page.keyboard.type('Look at @pum')
  await expect(options).toHaveText([/^pump\.ts/])
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('Look at @pump.ts ')
  await pastePicture(page, 'plan.png')
  await expect(page.getByRole('img', { name: 'plan.png' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(log(page).getByRole('img', { name: 'From the conversation' })).toBeVisible()
  expect(await robo.event('said')).toEqual({
    text: 'Look at @pump.ts ',
    pictures: ['image/png'],
    withContext: true,
  })
  // A name that an open file defines, and its selection.
  await page.getByRole('treeitem', { name: 'pump.ts' }).dblclick()
  const editor = page.getByRole('textbox', { name: /^Editor: / })
  // Its names are known once it has been parsed.
  await expect(editor.locator('.cm-line span').first()).toBeVisible()
  await editor.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByRole('tab', { name: 'A talk with Robo' }).click()
  await expect(page.getByText('pump.ts, line 1 · 1 open file')).toBeVisible()
  await field(page).focus()
  await page.keyboard.type('@heat')
  await expect(options).toHaveText([/^heatSlowly.*pump\.ts, line 1/])
  await page.keyboard.press('Enter')
  await button(page, 'Leave out selection and open files').click()
  await field(page).press('Enter')
  expect(await robo.event('said')).toMatchObject({
    text: 'heatSlowly (@pump.ts#L1) ',
    withContext: false,
  })
})

test('what is written outlives a reload and a crash of the app, with its pictures and with what still waits', async ({
  app,
}) => {
  const { robo, id, page } = await converse(app)
  await robo.call('update', { id, state: { session: 'robo-session-1' } })
  await say(page, 'stubborn')
  await say(page, 'What waits')
  await expect(waiting(page)).toHaveText([/^What waits/])
  await field(page).fill('First line\nand a second one')
  await pastePicture(page, 'plan.png')
  await expect(page.getByRole('img', { name: 'plan.png' })).toBeVisible()
  await expect.poll(() => keptOnDisk(app)).toContain('and a second one')
  await expect.poll(() => keptOnDisk(app, 'unsent-messages')).toContain('plan.png')
  await page.reload()
  await expect(field(page)).toHaveValue('First line\nand a second one')
  await expect(page.getByRole('img', { name: 'plan.png' })).toHaveCount(1)
  await expect(waiting(page)).toHaveText([/^What waits/])
  for (const kept of ['plan.png', 'What waits'])
    await expect.poll(() => keptOnDisk(app, 'unsent-messages')).toContain(kept)
  await app.crashAndStart()
  const again = await app.scripted()
  const second = await again.call<{ id: string }>('converse', { title: 'Again' })
  await expect(field(app.page)).toHaveValue('')
  // The same session of the agent, resumed.
  await again.call('update', { id: second.id, state: { session: 'robo-session-1' } })
  await expect(field(app.page)).toHaveValue('First line\nand a second one\nWhat waits')
  await expect(app.page.getByRole('img', { name: 'plan.png' })).toHaveCount(1)
})

test('what waits in a conversation without a session stands where the next one is begun, with its pictures', async ({
  app,
}) => {
  const { page } = await converse(app)
  await say(page, 'stubborn')
  await pastePicture(page)
  await say(page, 'For later')
  await expect(waiting(page)).toHaveText([/^For later/])
  await expect.poll(() => keptOnDisk(app, 'unsent-messages')).toContain('For later')
  await app.crashAndStart()
  const first = app.page.getByRole('textbox', { name: 'First message' })
  await button(app.page, 'New conversation').first().click()
  await expect(first).toHaveValue('For later')
  await expect(app.page.getByRole('img', { name: 'picture 1' })).toBeVisible()
  await expect.poll(() => keptOnDisk(app, 'unsent-messages')).not.toContain('For later')
  await app.page.reload()
  await button(app.page, 'New conversation').first().click()
  await expect(first).toHaveValue('For later')
  await expect(app.page.getByRole('img', { name: 'picture 1' })).toHaveCount(1)
  await first.press('Enter')
  await expect(log(app.page)).toContainText('You said: For later')
  await expect(log(app.page).getByRole('img', { name: 'From the conversation' })).toBeVisible()
  await runCommand(app.page, 'New conversation')
  await expect(first).toHaveValue('')
  await expect(app.page.getByRole('img', { name: 'picture 1' })).toHaveCount(0)
})

test(
  'pictures that come back to a field with others aren’t sent as long as they are too many, which is told',
  { tag: '@long' },
  async ({ app }) => {
    const { page } = await converse(app)
    const pictures = page.getByRole('list', { name: 'Pictures' }).getByRole('listitem')
    await say(page, 'stubborn')
    for (let count = 0; count < 20; count++) await pastePicture(page)
    await expect(pictures).toHaveCount(20)
    await say(page, 'Twenty')
    await pastePicture(page, 'last.png')
    await button(page, /^Take back/).click()
    await expect(pictures).toHaveCount(21)
    await field(page).press('Enter')
    await expect(
      page.getByText('A message takes at most 20 pictures, and this has 21. Remove some of them.').first(),
    ).toBeVisible()
    await button(page, 'Remove last.png').click()
    await field(page).press('Enter')
    await expect(waiting(page)).toHaveText([/^Twenty.*20 pictures/])
  },
)

test('a waiting message is given to the working agent, and can be taken back until it is read', async ({
  app,
}) => {
  const { robo, id, page } = await converse(app)
  await say(page, 'stubborn')
  for (const text of ['one', 'two']) await say(page, text)
  await button(page, 'Give now: two').click()
  await expect(waiting(page)).toHaveText([/^two.*given, not read yet/, /^one/])
  await expect(button(page, 'Edit: two')).toHaveCount(0)
  await expect(button(page, 'Earlier: one')).toBeDisabled()
  await button(page, 'Take back: two').click()
  await expect(waiting(page)).toHaveText([/^one/])
  await expect(field(page)).toHaveValue('two')
  await field(page).fill('')
  // It doesn't stop: after a while its process can be ended.
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText(/^Robo isn’t responding\./)).toBeVisible()
  await button(page, 'End process').click()
  await expect(button(page, 'Restart')).toBeVisible()
  await expect(page.getByText(/^Robo isn’t responding\./)).toHaveCount(0)
  await button(page, 'Restart').click()
  await expect(field(page)).toBeEditable()
  await robo.call('update', { id, state: { abilities: { ...allAbilities, gives: false } } })
  await say(page, 'stream 100000 100')
  await say(page, 'three')
  await expect(waiting(page).filter({ hasText: 'three' })).toBeVisible()
  await expect(button(page, /^Give now/)).toHaveCount(0)
})

const allAbilities = { pictures: true, gives: true, forks: true, rewinds: true, figures: true }

test('a given message is read in the middle of the work', async ({ app }) => {
  const { page } = await converse(app)
  await say(page, 'stream 100000 200')
  await say(page, 'and the lock')
  await button(page, 'Give now: and the lock').click()
  await expect(log(page)).toContainText('You said meanwhile: and the lock')
  await expect(waiting(page)).toHaveCount(0)
})

test('a tool whose input is still being written says what it is about, and shows it when it is unfolded', async ({
  app,
}) => {
  const { page } = await converse(app)
  await say(page, 'begin {"command": "npm run build && npm te')
  const card = button(page, /^Run, npm run build && npm te, being written/)
  await expect(card).toBeVisible()
  await card.click()
  await expect(page.getByRole('group', { name: 'Input until now' })).toHaveText(
    '{"command": "npm run build && npm te',
  )
})

test('its switches, tasks, servers and figures are at hand', async ({ app }) => {
  const { robo, id, page } = await converse(app)
  await robo.call('fill', { id })
  const review = page.getByRole('switch', { name: 'Review changes' })
  await expect(review).toBeChecked()
  await review.click()
  await expect(review).not.toBeChecked()
  await button(page, '2 tasks').click()
  await button(page, 'Stop: npm run dev').click()
  await expect(page.getByRole('list', { name: 'In the background' }).getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await button(page, 'Tools and servers, 1 problem').click()
  const servers = page.getByRole('list', { name: 'MCP servers' })
  await expect(servers.getByRole('listitem')).toHaveText([/weather, works/, /tickets, problem/, /mail, off/])
  await button(page, 'Reconnect: tickets').click()
  await expect(servers.getByRole('listitem').nth(1)).toHaveText(/tickets, works/)
  await button(page, 'Disable: weather').click()
  await expect(servers.getByRole('listitem').first()).toHaveText(/weather, off/)
  expect([await robo.event('act'), await robo.event('act')]).toEqual([
    { part: 'mcp', name: 'tickets', act: 'reconnect' },
    { part: 'mcp', name: 'weather', act: 'disable' },
  ])
  await page.keyboard.press('Escape')
  await button(page, /^Context 42% full, 84k of 200k tokens, cost \$0\.31/).click()
  await expect(page.getByText('76\u202f000 tokens')).toBeVisible()
  await page.keyboard.press('Escape')
  // A reload keeps it all.
  await page.reload()
  await expect(review).not.toBeChecked()
})

test('an earlier message is sent anew as another conversation, and files go back by reviews', async ({
  app,
}) => {
  const { robo, page } = await converse(app)
  await say(page, 'Oil the hinges.')
  await say(page, 'And the lock.')
  await expect(log(page)).toContainText('You said: And the lock.')
  const first = page.getByRole('article').filter({ hasText: /^Oil the hinges/ })
  const edit = page.getByRole('article').getByRole('button', { name: 'Edit and ask again' }).first()
  await field(page).fill('a draft')
  await edit.click()
  await expect(field(page)).toHaveValue('Oil the hinges.')
  await field(page).fill('refuse this')
  await field(page).press('Enter')
  await expect(page.locator('.composer-fault')).toHaveText('Robo can’t go back that far. Send a message.')
  await expect(field(page)).toHaveValue('refuse this')
  await field(page).fill('Grease the hinges.')
  await field(page).press('Enter')
  await expect(page.getByRole('tab', { name: 'A talk with Robo, again' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expect(log(page)).toContainText('You said: Grease the hinges.')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('')
  expect(await robo.event('forked')).toMatchObject({ text: 'refuse this' })
  expect(await robo.event('forked')).toEqual({ before: 'p1', text: 'Grease the hinges.' })
  await page.getByRole('tab', { name: 'A talk with Robo', exact: true }).click()
  await expect(field(page)).toHaveValue('a draft')
  await expect(log(page)).toContainText('You said: And the lock.')
  await expect(log(page)).not.toContainText('Grease')
  await page.getByRole('article').getByRole('button', { name: 'Rewind files to before this' }).first().click()
  await expect(page.getByRole('tab', { name: 'one.txt' })).toBeVisible()
  expect(await robo.event('rewound')).toBe('p1')
  await expect(first).toHaveCount(0)
})

for (const colorScheme of ['light', 'dark'] as const) {
  const tag = colorScheme === 'light' ? [] : '@long'
  test(
    `every state of a driven conversation looks and reads well, ${colorScheme}`,
    { tag },
    async ({ app }, info) => {
      writeFileSync(join(app.place.project, 'pump.ts'), 'export function heatSlowly() {\n  return 1\n}\n')
      const { robo, id, page } = await converse(app)
      await page.emulateMedia({ colorScheme })
      const look = (name: string) => page.screenshot({ path: info.outputPath(`${name}.png`) })
      const check = async () => expect(await accessibilityFaults(page)).toEqual([])
      await look('01-empty')
      await check()
      await robo.call('fill', { id })
      await page.getByRole('treeitem', { name: 'pump.ts' }).dblclick()
      await expect(page.getByRole('textbox', { name: /^Editor: / })).toBeVisible()
      await page.getByRole('tab', { name: 'A talk with Robo' }).click()
      await say(page, 'Please look at the pump and tell me why it heats so slowly.')
      await pastePicture(page, 'plan.png')
      await pastePicture(page, 'photo of the pump.png')
      await field(page).fill('And then this, which is a longer text.\n\nWith several lines.\nThree of them.')
      await look('02-full')
      await check()
      await button(page, 'Tools and servers, 1 problem').click()
      await look('03-parts')
      await page.keyboard.press('Escape')
      await button(page, /^Context 42%/).click()
      await expect(page.getByText('76\u202f000 tokens')).toBeVisible()
      await look('04-figures')
      await page.keyboard.press('Escape')
      await button(page, '2 tasks').click()
      await look('05-tasks')
      await page.keyboard.press('Escape')
      // What was open gives the focus back to its button.
      await expect(button(page, '2 tasks')).toBeFocused()
      await field(page).fill('@')
      await expect(page.getByRole('option').first()).toBeVisible()
      await look('06-mentions')
      await field(page).fill('')
      await say(page, 'stubborn')
      for (let count = 1; count <= 25; count++)
        await say(page, `Message ${count} of those that wait, ${'and more '.repeat(count)}`)
      await button(page, /^Give now: Message 2 of/).click()
      await look('07-queue')
      await check()
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await expect(button(page, 'End process')).toBeVisible()
      await look('08-unresponsive')
      await page.setViewportSize({ width: 700, height: 700 })
      await look('09-narrow')
      await page.setViewportSize({ width: 1400, height: 900 })
      await button(page, 'End process').click()
      await expect(button(page, 'Restart')).toBeVisible()
      await look('10-ended')
      await check()
      await page.getByRole('article').first().hover()
      await look('11-hovered')
      await page.getByRole('article').getByRole('button', { name: 'Edit and ask again' }).first().click()
      await look('12-editing')
      await check()
    },
  )
}
