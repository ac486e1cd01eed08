import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from '@playwright/test'
import { richSession } from '../conversation-harness/scenes'
import { SessionWriter, text, tool } from '../conversation-harness/session-writer'
import { sessionRecords } from '../session-files'
import { button, keepTyping, openShell, proposedText, review, tab, test } from './open-app'
import { asLines, recordAgent, recordSession } from './recorded-session'

const long = '11111111-2222-4333-8444-555555555555'

test('words are looked for in all sessions, and a hit opens its conversation at the message', async ({
  app,
}, info) => {
  const early = new SessionWriter(Date.UTC(2026, 0, 1))
    .prompt('Why is the greenhouse lamp flickering?')
    .reply('m-early', text('A **loose contactor** in the greenhouse. Tighten its screws.'))
  const later = [...sessionRecords({ messages: 300, seed: 4, folder: app.place.project })]
  // The long part follows what was said first.
  const first = later.find((record) => record['type'] === 'user')
  if (first) first['parentUuid'] = early.last
  recordSession(app.place, long, [...early.records, ...later])
  recordSession(app.place, '99999999-2222-4333-8444-555555555555', richSession().records, '/somewhere/else')
  await app.start()
  const { page } = app
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
  const field = page.getByRole('searchbox', { name: 'Search sessions' })
  await field.fill('screws "loose contactor"')
  const results = page.getByRole('list', { name: 'Search results' })
  const hit = results.getByRole('button', { name: 'loose contactor' })
  await expect(hit).toHaveCount(1)
  await expect(hit.locator('mark')).toHaveText(['loose contactor', 'screws'])
  await expect(page.getByRole('status').filter({ hasText: '1 result in 1 session' })).toHaveCount(1)
  await page.screenshot({ path: info.outputPath('hits.png') })

  // It stands far above the end at which a session opens.
  await field.press('ArrowDown')
  await expect(hit).toBeFocused()
  await page.keyboard.press('Enter')
  const log = page.getByRole('log', { name: 'Conversation' })
  await expect(log.getByText('Tighten its screws')).toBeInViewport()
  await expect(hit).toBeFocused()
  await page.screenshot({ path: info.outputPath('revealed.png') })

  // Escape leads back to the list, which has been counted meanwhile.
  await page.keyboard.press('Escape')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
  const counted = page.getByRole('list', { name: 'Sessions' }).locator('.session-figures').first()
  await expect(counted).toContainText(/\d messages · \$\d/)
  await field.fill('nowhere to be found')
  await expect(page.getByText('Nothing found', { exact: true })).toBeVisible()
})

test(
  'what stands megabytes before the end is opened apart from it, and so is what a sub-agent said',
  { tag: '@long' },
  async ({ app }, info) => {
    const early = new SessionWriter(Date.UTC(2026, 0, 1))
      .prompt('Why is the greenhouse lamp flickering?')
      .reply('m-early', text('A loose contactor. Tighten its screws.'))
      .prompt('Ask somebody to look at all of them.')
      .reply(
        'm-two',
        text('Two look.'),
        ...['t1', 't2'].map((id) => tool(id, 'Agent', { prompt: `Look, ${id}.` })),
      )
    for (const id of ['t1', 't2']) early.result(id, 'All were looked at.')
    // What is read around a hit ends before a line as long as this one.
    early.reply('m-long', tool('t3', 'Bash', { command: 'print' })).result('t3', 'x'.repeat(300_000))
    const later = [...sessionRecords({ messages: 5000, seed: 4, folder: app.place.project })]
    const first = later.find((record) => record['type'] === 'user')
    if (first) first['parentUuid'] = early.last
    const path = recordSession(app.place, long, [...early.records, ...later])
    const lookAt = (lamps: number, colour: string) => {
      const inner = new SessionWriter(Date.UTC(2026, 0, 1)).prompt('Look, t2.')
      for (let lamp = 1; lamp <= lamps; lamp++)
        inner.reply(`s${lamp}`, text(`Lamp ${lamp} shines${lamp === 77 ? ` ${colour}` : ''}.`))
      return inner.records
    }
    recordAgent(path, 'a2', 't2', lookAt(400, 'violet'))
    const short = new SessionWriter(Date.UTC(2026, 0, 2))
      .prompt('Ask somebody.')
      .reply('m-short', tool('t2', 'Agent', { prompt: 'Look, t2.' }))
      .result('t2', 'All were looked at.')
      .reply('m-said', text('So be it.'))
    const other = '99999999-2222-4333-8444-555555555555'
    recordAgent(recordSession(app.place, other, short.records), 'a3', 't2', lookAt(120, 'green'))
    await app.start()
    const { page } = app
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
    const field = page.getByRole('searchbox', { name: 'Search sessions' })
    const results = page.getByRole('list', { name: 'Search results' })
    await field.fill('tighten screws')
    await results.getByRole('button', { name: 'Tighten' }).click()
    const log = page.getByRole('log', { name: 'Conversation' })
    await expect(log.getByText('Tighten its screws')).toBeInViewport()

    // What is between is not read until somebody wants it; the end is a press away.
    const gap = log.getByRole('article', { name: 'Messages not loaded' })
    await log.hover()
    // Its row is drawn before it is in sight.
    await expect(async () => {
      await page.mouse.wheel(0, 500)
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      )
      expect(await gap.count()).toBe(1)
    }).toPass({ intervals: [0] })
    await gap.scrollIntoViewIfNeeded()
    await expect(gap).toBeInViewport()
    await page.screenshot({ path: info.outputPath('gap.png') })
    await expect(button(gap, 'Go to the end')).toBeEnabled()
    await button(gap, 'Show what follows').click()
    await expect(gap).not.toBeInViewport()
    await button(page, 'Jump to latest').click()
    await expect(button(page, 'Jump to latest')).toHaveCount(0)
    await expect(log.getByText('Tighten its screws')).toHaveCount(0)

    // The right one of two sub-agents is unfolded, at the message, which stands before its last page.
    await field.fill('shines violet')
    const hit = results.getByRole('button', { name: 'violet' })
    await expect(hit).toContainText('Sub-agent')
    await hit.click()
    const agent = log.getByRole('group', { name: 'Sub-agent' })
    await expect(agent).toHaveCount(1)
    await expect(agent.getByText('Lamp 77 shines violet.')).toBeInViewport()
    await page.screenshot({ path: info.outputPath('sub-agent.png') })

    // All of it can be gone through, and never is all of it drawn.
    const drawn = agent.getByText(/^Lamp \d+ shines/)
    for (let press = 0; press < 2; press++)
      await agent.getByRole('button', { name: /earlier message/ }).click()
    await expect(agent.getByText('Lamp 1 shines.', { exact: true })).toBeAttached()
    await expect(agent.getByRole('button', { name: /earlier message/ })).toHaveCount(0)
    expect(await drawn.count()).toBeLessThanOrEqual(120)
    await button(agent, 'To its end').click()
    await expect(agent.getByText('Lamp 400 shines.')).toBeAttached()
    await expect(drawn).toHaveCount(12)

    // Also where the end of the session is in sight, which is followed otherwise.
    await field.fill('shines green')
    await results.getByRole('button', { name: 'green' }).click()
    const near = page.getByRole('region', { name: 'Conversation: Ask somebody.' })
    await expect(near.getByText('Lamp 77 shines green.')).toBeInViewport()

    // What they said counts: the session's own messages are three.
    await field.fill('')
    const listed = page
      .getByRole('list', { name: 'Sessions' })
      .getByRole('listitem', { name: 'Ask somebody.' })
    await expect(listed).toContainText('124 messages')
  },
)

test('a name that is being typed is kept when its session goes to another day in the list', async ({
  app,
}) => {
  const early = new SessionWriter(Date.UTC(2026, 0, 1))
    .prompt('Oil the hinges.')
    .reply('m-oil', text('Done.'))
  const path = recordSession(app.place, long, early.records, app.place.project)
  await app.start()
  const { page } = app
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
  const list = page.getByRole('list', { name: 'Sessions' })
  await button(list, 'Oil the hinges.').focus()
  await page.keyboard.press('F2')
  await page.keyboard.insertText('The squeaking door')

  const today = new SessionWriter(Date.now()).prompt('And the lock.').reply('m-lock', text('Done too.'))
  appendFileSync(path, asLines(today.records))
  await expect(list.getByRole('list', { name: 'Today' }).getByText('The squeaking door')).toBeVisible()
})

test(
  'a proposal that comes while a message is typed leaves the conversation where it is',
  { tag: '@long' },
  async ({ app }) => {
    const said = new SessionWriter(Date.now()).prompt('Oil the hinges.').reply('m-oil', text('Done.'))
    recordSession(app.place, long, said.records)
    await app.start()
    const { page } = app
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
    await page
      .getByRole('list', { name: 'Sessions' })
      .getByRole('button', { name: 'Oil the hinges.' })
      .click()
    const message = page.getByRole('textbox', { name: 'Message' })
    const agent = await app.agent()
    await message.click()
    await page.keyboard.type('And oil ')
    await keepTyping(page)
    void agent.openDiff(app.write('one.txt', 'one\n'), 'two\n')
    await expect(tab(page, 'one.txt')).toBeVisible()
    await page.keyboard.type('the lo')
    // The second comes when the first has been shown, should it be.
    void agent.openDiff(app.write('three.txt', 'three\n'), 'four\n')
    await expect(tab(page, 'three.txt')).toBeVisible()
    await page.keyboard.type('ck.')
    await expect(message).toHaveValue('And oil the lock.')
    await expect(tab(page, 'Oil the hinges.')).toHaveAttribute('aria-selected', 'true')

    // Out of the message, the next one comes to the front.
    await button(page, 'Terminals').focus()
    void agent.openDiff(app.write('five.txt', 'five\n'), 'six\n')
    await expect(tab(page, 'five.txt')).toHaveAttribute('aria-selected', 'true')
  },
)

test(
  'an edit that waits for its review leads from the conversation to it',
  { tag: '@long' },
  async ({ app }, info) => {
    const path = app.write('pump.ts', 'one\n')
    const input = { file_path: path, old_string: 'one', new_string: 'two' }
    const said = new SessionWriter(Date.now())
      .prompt('Change the pump.')
      .reply('m', tool('t1', 'Edit', input))
    recordSession(app.place, long, said.records)
    await app.start()
    const { page } = app
    // The shell stands for the agent's command line, which notes what it is in and what it does.
    await openShell(page)
    const noted = join(app.place.base, 'pid')
    await page.keyboard.type(`echo $$ > '${noted}.new' && mv '${noted}.new' '${noted}'\n`)
    await expect.poll(() => existsSync(noted)).toBe(true)
    const pid = Number(readFileSync(noted, 'utf8'))
    const notes = join(app.place.home, '.claude', 'sessions')
    mkdirSync(notes, { recursive: true })
    writeFileSync(join(notes, `${pid}.json`), JSON.stringify({ pid, sessionId: long, status: 'waiting' }))
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
    await page
      .getByRole('list', { name: 'Sessions' })
      .getByRole('button', { name: 'Change the pump.' })
      .click()
    await expect(page.getByText('Claude is waiting for an answer in its terminal.')).toBeVisible()

    const agent = await app.agent(pid)
    void agent.openDiff(path, 'two\n')
    await expect(review(page)).toHaveAccessibleName(`Review: ${path}`)
    await tab(page, 'Change the pump.').click()
    await expect(page.getByText('Claude is waiting for your review of pump.ts.')).toBeVisible()
    const log = page.getByRole('log', { name: 'Conversation' })
    await expect(log.getByRole('button', { name: /^Edit, pump\.ts, .* waits for you$/ })).toBeVisible()
    await page.screenshot({ path: info.outputPath('waits.png') })
    await button(log, 'Open review').focus()
    await page.keyboard.press('Enter')
    // Keys go on there.
    await expect(proposedText(page)).toBeFocused()
  },
)

test('sessions are listed by folder and day, one is read from its end and followed', async ({
  app,
}, info) => {
  const path = recordSession(app.place, long, sessionRecords({ messages: 400, folder: app.place.project }))
  const other = recordSession(
    app.place,
    '99999999-2222-4333-8444-555555555555',
    richSession().records,
    '/somewhere/else',
  )
  await app.start()
  const { page } = app
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
  const list = page.getByRole('list', { name: 'Sessions' })
  // Those of other folders are folded away.
  await expect(list.locator('.session')).toHaveCount(1)
  await expect(button(list, '/somewhere/else, 1 session')).toHaveAttribute('aria-expanded', 'false')
  await page.getByRole('searchbox', { name: 'Filter sessions' }).fill('flickering')
  const rich = list.getByRole('listitem', { name: 'Keep the heating from flickering' })
  await expect(rich).toBeVisible()
  await page.screenshot({ path: info.outputPath('list.png') })
  await page.getByRole('searchbox', { name: 'Filter sessions' }).fill('')
  await expect(rich).toHaveCount(0)

  // A name of the person's own, which the agent's file does not know.
  await list.locator('.session-open').first().focus()
  await page.keyboard.press('F2')
  await page.keyboard.insertText('Our long one')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('button', { name: 'Our long one', exact: true })).toBeFocused()
  await expect(page.getByRole('tab', { name: 'Our long one', exact: true })).toHaveCount(0)
  await page.keyboard.press('Enter')
  const log = page.getByRole('log', { name: 'Conversation' })
  await expect(log).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Our long one', exact: true })).toBeVisible()

  // What is written from now on comes by itself, at the end.
  const more = new SessionWriter(Date.now())
    .prompt('And one thing more?')
    .reply('m-more', text('That was it, as [they say](https://example.org/end).'))
  appendFileSync(path, asLines(more.records))
  await expect(log.getByText('That was it')).toBeVisible()
  await page.screenshot({ path: info.outputPath('conversation.png') })

  // A link tells where it leads before the browser opens it.
  await log.getByRole('link', { name: 'they say' }).click()
  const asked = page.getByRole('dialog', { name: 'Open this address in your browser?' })
  await expect(asked.getByText('https://example.org/end')).toBeVisible()
  await button(asked, 'Cancel').click()
  await expect(asked).toHaveCount(0)

  // Hidden, and shown again; deleted only when it is asked for twice, and only to the trash.
  await button(list, '/somewhere/else, 1 session').click()
  const menuOf = async (name: string) => {
    await rich.getByRole('button').click({ button: 'right' })
    await page.getByRole('menuitem', { name }).click()
  }
  await menuOf('Hide')
  await expect(rich).toHaveCount(0)
  await button(page, 'Show 1 hidden session too').click()
  await button(list, '/somewhere/else, 1 session').click()
  await menuOf('Show in list again')
  await rich.getByRole('button').focus()
  await page.keyboard.press('Delete')
  const asking = page.getByRole('dialog', { name: /^Delete “Keep the heating/ })
  await button(asking, 'Delete').click()
  await expect(button(asking, 'Press again to delete')).toBeVisible()
  expect(existsSync(other)).toBe(true)
  await button(asking, 'Press again to delete').press('Enter')
  await expect(rich).toHaveCount(0)
  // The keys go on at what stands beside it.
  await expect(list.locator('.session-open:focus')).toHaveCount(1)
  expect(existsSync(other)).toBe(false)
  if (!app.electron) {
    const trash = join(app.place.home, '.local', 'share', 'Trash', 'files')
    expect(readdirSync(trash)).toEqual([basename(other)])
  }

  // A reload shows the same: tab, side bar, and the end of the conversation.
  await page.reload()
  await expect(list.getByRole('listitem', { name: 'Our long one' })).toBeVisible()
  await expect(log.getByText('That was it')).toBeVisible()

  // So does another start.
  await app.crashAndStart()
  await expect(app.page.getByRole('tab', { name: 'Our long one', exact: true })).toBeVisible()
  await expect(app.page.getByRole('log', { name: 'Conversation' }).getByText('That was it')).toBeVisible()
})
