import type { Page } from '@playwright/test'
import { accessibilityFaults } from '../accessibility'
import { countDrawnRows, expect, test } from './harness'

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const calls = (page: Page, name: string) =>
  page.evaluate(
    (wanted) => window.stage.calls.filter((call) => call.name === wanted).map(({ params }) => params),
    name,
  )
const said = (page: Page) => page.getByRole('status')
const scroll = (page: Page) =>
  log(page).evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
    top: scrollTop,
    toEnd: scrollHeight - clientHeight - scrollTop,
  }))

/** Whether a message stands in the middle of what is visible. */
const isMiddleDrawn = (page: Page) =>
  log(page).evaluate((view) => {
    const { left, top, width, height } = view.getBoundingClientRect()
    // A gap between two rows is none.
    return [0, 12, 24].some((down) =>
      document.elementFromPoint(left + width / 2, top + height / 2 + down)?.closest('[role="article"]'),
    )
  })

test('shows what was said and done, unfolds tools by keyboard, and asks before it puts back', async ({
  open,
}) => {
  const page = await open('scene=rich')
  await expect(log(page)).toHaveAttribute('aria-live', 'off')
  await expect(page.getByText('And now the pump, please.')).toBeVisible()
  expect((await scroll(page)).toEnd).toBeLessThan(2)

  await page.getByRole('article').last().focus()
  await page.keyboard.press('Home')
  await expect(page.getByRole('article', { name: /^You, / }).first()).toBeFocused()
  await expect(page.getByText('The heating flickers around the target.')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('article', { name: /^Claude, / }).first()).toBeFocused()

  const grep = button(page, /^Grep, heats in src, 2 files/)
  await expect(grep).toHaveAttribute('aria-expanded', 'false')
  await grep.focus()
  await page.keyboard.press('Enter')
  await expect(grep).toHaveAttribute('aria-expanded', 'true')
  await button(page, 'src/app.ts:24').click()
  expect(await calls(page, 'openPlace')).toEqual(['src/app.ts:24'])

  // The app's own diff view, with what may be done.
  await expect(page.getByRole('textbox', { name: /^After: .*thermostat\.ts$/ })).toContainText('- slack')
  await page.evaluate(() =>
    window.stage.refuseRestore('thermostat.ts has been changed since. Nothing was put back.'),
  )
  await button(page, 'Put back').first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Put back' }).click()
  await expect(page.locator('.tool-fault')).toHaveText(
    'thermostat.ts has been changed since. Nothing was put back.',
  )
  expect(await calls(page, 'restore')).toMatchObject([
    { path: expect.stringContaining('thermostat.ts'), call: 't4' },
  ])

  expect(await accessibilityFaults(page)).toEqual([])
})

test('shows each kind of tool as what it is: lists, addresses, pictures, and what it does not know as JSON', async ({
  open,
}) => {
  const page = await open('scene=rich')
  await page.getByRole('article').last().focus()
  await page.keyboard.press('Home')
  const todos = page.getByRole('listitem').filter({ hasText: 'Give the thermostat a slack' })
  await expect(todos).toContainText('being done')
  const goTo = async (words: string) => {
    await page.keyboard.press('Control+f')
    await expect(page.getByRole('textbox', { name: 'Find in conversation' })).toBeFocused()
    await page.keyboard.type(words)
    await expect(page.getByRole('search').getByText('1 found')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('search').getByText('1 of 1')).toBeVisible()
  }
  await goTo('half a degree to one')
  await page.getByRole('button', { name: 'https://example.org/hysteresis', exact: true }).click()
  expect(await calls(page, 'openLink')).toEqual(['https://example.org/hysteresis'])
  await goTo('"query": "hysteresis"')
  await expect(page.getByText('"query": "hysteresis"')).toBeInViewport()
  // What the turn took stands at its end.
  await expect(page.getByText(/1 min 13 s/).first()).toBeAttached()
  await goTo('what the graph looks like')
  await expect(log(page).getByRole('img').first()).toBeAttached()
  await expect(button(page, /git push --force.*refused/)).toBeAttached()
})

test('finds in all that is loaded, unfolds what holds a match, and takes another way at a fork', async ({
  open,
}) => {
  const page = await open('scene=rich')
  await page.getByRole('article').last().focus()
  await page.keyboard.press('Control+f')
  const field = page.getByRole('textbox', { name: 'Find in conversation' })
  await expect(field).toBeFocused()
  await page.keyboard.type('ReferenceError')
  await expect(page.getByRole('search').getByText('1 found')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('search').getByText('1 of 1')).toBeVisible()
  // It stands in the output of a folded command.
  await expect(
    page.getByRole('group', { name: 'Output' }).filter({ hasText: 'ReferenceError' }),
  ).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)

  await page.getByRole('article').first().focus()
  await page.keyboard.press('End')
  await button(page, 'Previous branch').click()
  await expect(page.getByText('The pump: it follows the heating one to one.')).toBeVisible()
  await expect(page.getByText('And now the pump, please.')).toHaveCount(0)
})

test('stays where one reads when pages come in front and messages at the end, and follows at the end', async ({
  open,
}) => {
  const page = await open('scene=paged&items=1200')
  await page.evaluate(() => (window.stage.isHeld = true))
  expect((await scroll(page)).toEnd).toBeLessThan(2)
  // At the end: it follows.
  await page.evaluate(() => window.stage.say('One more thing. '.repeat(40)))
  await expect(log(page).getByText('One more thing.')).toBeInViewport()
  await expect.poll(async () => (await scroll(page)).toEnd).toBeLessThan(2)

  await countDrawnRows(page)
  await log(page).evaluate((view) => (view.scrollTop = 400))
  await expect.poll(() => calls(page, 'earlier')).not.toEqual([])
  // What stands in sight once the view has followed; until then the rows are those of the end.
  const inSight = () =>
    log(page).evaluate((view) => {
      const { top, bottom } = view.getBoundingClientRect()
      const rows = [...view.querySelectorAll('[role="article"]')].filter((row) => {
        const place = row.getBoundingClientRect()
        return place.top > top && place.top < bottom
      })
      // The first row of what is loaded may lose its heading to the one that comes before it.
      const text = rows.at(1)?.textContent ?? ''
      return /(?:Part|Answer|Question) \d+/.exec(text)?.[0] ?? ''
    })
  await expect.poll(inSight).not.toBe('')
  const name = await inSight()
  const placeOf = () =>
    page.evaluate(async (wanted) => {
      // As it has been drawn: heights are measured, and the scroll set by them, at the end of a frame.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      const all = [...document.querySelectorAll('[role="article"]')]
      return all.find((one) => one.textContent?.includes(wanted))?.getBoundingClientRect().top ?? null
    }, name)
  const before = await placeOf()
  expect(before).not.toBeNull()
  await page.evaluate(() => window.stage.giveEarlier())
  await expect.poll(() => page.evaluate(() => window.stage.transcript.length)).toBeGreaterThan(80)
  await page.evaluate(() => window.stage.say('Something at the end.'))
  await expect(button(page, /Jump to latest · 1 new/)).toBeVisible()
  // Rows above are measured as they come near; what one reads does not move with them.
  const after = await placeOf()
  expect(Math.abs((after ?? 1e6) - (before ?? 0))).toBeLessThan(2)
  await button(page, /Jump to latest/).click()
  await expect(log(page).getByText('Something at the end.')).toBeInViewport()
  await expect.poll(async () => (await scroll(page)).toEnd).toBeLessThan(2)
})

/** How far from its end the list stood in each frame that was painted with rows in it. */
async function recordDistances(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const distances: number[] = []
    const { port1, port2 } = new MessageChannel()
    // A message sent in a frame comes once that frame is laid out, and before what is done next.
    port2.onmessage = () => {
      const view = document.querySelector('[role="log"]')
      if (view?.querySelector('[role="article"]'))
        distances.push(Math.round(view.scrollHeight - view.clientHeight - view.scrollTop))
    }
    const look = () => {
      port1.postMessage(null)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    Object.assign(window, { distances })
  })
  return () => page.evaluate(() => window.distances)
}

for (const [what, scene] of [
  ['the end of a longer one', 'scene=paged&items=1200'],
  ['an end that fills the view and no more', 'scene=paged&items=1200&first=24'],
  ['a last message higher than the view', 'scene=tall-end&items=1200&first=24'],
] as const) {
  test(`stands at its end in each frame from the first one on: ${what}`, async ({ page, open }) => {
    const readDistances = await recordDistances(page)
    await open(scene)
    await expect.poll(async () => (await readDistances()).length).toBeGreaterThan(30)
    expect((await readDistances()).filter((toEnd) => toEnd > 1)).toEqual([])
    // The page in front was asked for, and none for rows that were never in sight.
    expect(await calls(page, 'earlier')).toHaveLength(1)
  })
}

test('the way to the newest stands beside the text, and only while the end is not in sight', async ({
  open,
}) => {
  const page = await open('scene=long&items=40')
  const newest = button(page, /Jump to latest/)
  // Before it stands at its end there is nothing to leave.
  await expect(page.getByRole('article').last()).toBeVisible()
  // A row that is measured before the list hears of a step moves it from where it was before.
  await countDrawnRows(page)
  await expect.poll(async () => (await scroll(page)).toEnd).toBeLessThan(2)
  await log(page).evaluate((view) => (view.scrollTop = 0))
  await expect(newest).toBeVisible()
  const [text, way] = await Promise.all([log(page).boundingBox(), newest.boundingBox()])
  expect(way?.y).toBeGreaterThanOrEqual((text?.y ?? 0) + (text?.height ?? 1e6))
  await newest.click()
  await expect(newest).toHaveCount(0)
  await expect.poll(async () => (await scroll(page)).toEnd).toBeLessThan(2)
})

test('what is found where all is in sight offers no way to the newest', async ({ open }) => {
  const page = await open('scene=long&items=2')
  await page.getByRole('article').last().focus()
  await page.keyboard.press('Control+f')
  await expect(page.getByRole('textbox', { name: 'Find in conversation' })).toBeFocused()
  await page.keyboard.type('part 0')
  await expect(page.getByRole('search').getByText(/found$/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('search').getByText(/^1 of/)).toBeVisible()
  await expect(button(page, /Jump to latest/)).toHaveCount(0)
  expect((await scroll(page)).toEnd).toBeLessThan(2)
})

test('shows a hundred thousand messages with few nodes, at both ends and anywhere', async ({ open }) => {
  test.setTimeout(180_000)
  const page = await open('scene=long&items=100000')
  await expect(page.getByRole('article').last()).toBeVisible()
  await page.getByRole('article').last().focus()
  const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)
  expect(await nodes()).toBeLessThan(5000)
  for (const part of [0.1, 0.5, 0.9]) {
    await log(page).evaluate((view, to) => (view.scrollTop = view.scrollHeight * to), part)
    await expect.poll(() => isMiddleDrawn(page)).toBe(true)
    expect(await nodes()).toBeLessThan(5000)
  }
  await page.keyboard.press('Home')
  await expect(page.getByText('Question 0: what about part 0 of the house?')).toBeInViewport()
})

test('sends with Enter, keeps what could not be sent, and says a finished reply once', async ({ open }) => {
  const page = await open('scene=long&items=40')
  await message(page).click()
  await page.keyboard.type('one')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('two')
  expect(await calls(page, 'send')).toEqual([])
  await page.evaluate(() =>
    window.stage.refuseSend('The terminal of this session is gone. Resume it and send again.'),
  )
  await page.keyboard.press('Enter')
  await expect(page.locator('.composer-fault')).toContainText('Resume it and send again.')
  await expect(message(page)).toHaveValue('one\ntwo')
  await page.evaluate(() => (window.stage.sendAnswer = { ok: true, value: {} }))
  await button(page, 'Send').click()
  await expect(message(page)).toHaveValue('')
  expect(await calls(page, 'send')).toEqual(['one\ntwo', 'one\ntwo'])

  await page.evaluate(() => window.stage.ask('one'))
  await page.evaluate(() => window.stage.work('w1'))
  await expect(page.locator('.waiting-agent')).toBeVisible()
  // What is said meanwhile waits, and is marked as such.
  await page.evaluate(() => window.stage.queue('And look at the pump.'))
  const waiting = page.getByRole('list', { name: 'Waiting messages' })
  await expect(waiting.getByRole('listitem')).toHaveText(['And look at the pump.'])
  await button(page, 'Stop').click()
  expect(await calls(page, 'stop')).toEqual([{}])
  await page.evaluate(() => window.stage.finish('w1'))
  await page.evaluate(() => window.stage.say('It is done.'))
  await expect(said(page).filter({ hasText: 'Claude: It is done.' })).toBeAttached()
  await expect(button(page, 'Stop')).toHaveCount(0)
})

test('what is typed while a message is being sent stays, and so does the focus', async ({ open }) => {
  const page = await open('scene=long&items=40')
  const deliver = () => page.evaluate(() => window.deliver())
  await page.evaluate(() => {
    window.stage.sendHeld = new Promise((resolve) => (window.deliver = resolve))
  })
  await message(page).click()
  await page.keyboard.type('Oil the hinges.')
  await page.keyboard.press('Enter')
  await expect(button(page, 'Send')).toBeDisabled()
  await page.keyboard.type(' And the lock.')
  const first = page.getByRole('article').last()
  await first.focus()
  await deliver()
  await expect(message(page)).toHaveValue(' And the lock.')
  await expect(first).toBeFocused()
  expect(await calls(page, 'send')).toEqual(['Oil the hinges.'])

  // Pressed by mouse, the button leaves the focus in the field.
  await button(page, 'Send').click()
  await expect(message(page)).toHaveValue('')
  await expect(message(page)).toBeFocused()
})

test('Enter while a message is being sent sends what was typed since, once', async ({ open }) => {
  const page = await open('scene=long&items=40')
  const hold = () =>
    page.evaluate(() => {
      window.stage.sendHeld = new Promise((resolve) => (window.deliver = resolve))
    })
  const enterTwice = async () => {
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
  }
  await hold()
  await message(page).click()
  await page.keyboard.type('Oil the hinges.')
  await enterTwice()
  await page.keyboard.type(' And the lock.')
  await enterTwice()
  await page.keyboard.type(' And')
  const both = ['Oil the hinges.', ' And the lock.']
  expect(await calls(page, 'send')).toEqual(both)
  await page.evaluate(() => window.deliver())
  await expect(message(page)).toHaveValue(' And')

  // What can't be delivered stays, all of it.
  await hold()
  await page.evaluate(() => window.stage.refuseSend('Claude is asking something.'))
  await enterTwice()
  await page.keyboard.type(' the key.')
  await enterTwice()
  await page.evaluate(() => window.deliver())
  await expect(page.locator('.composer-fault')).toHaveText('Claude is asking something.')
  await expect(message(page)).toHaveValue(' And the key.')
  expect(await calls(page, 'send')).toEqual([...both, ' And', ' the key.'])
})

test('a key in the message draws no row of the conversation', async ({ open }) => {
  const page = await open('scene=rich&density=summary')
  await message(page).click()
  await countDrawnRows(page)
  await page.keyboard.type('Oil the hinges.')
  await expect(message(page)).toHaveValue('Oil the hinges.')
  expect(await page.evaluate(() => window.asked)).toBe(0)
  // What is said is drawn.
  await page.evaluate(() => window.stage.say('Done.'))
  await expect(log(page).getByText('Done.')).toBeVisible()
  expect(await page.evaluate(() => window.asked)).toBeGreaterThan(0)
})

test('an edit that waits for its review leads there, and its turn is not over', async ({ open }) => {
  const page = await open('scene=long&items=40')
  await page.evaluate(() => {
    window.stage.ask('Change the pump.')
    window.stage.edit('e1', '/p/src/pump.ts')
    window.stage.work('e2')
    const review = { id: 'r1', path: '/p/src/pump.ts', name: 'pump.ts' }
    window.stage.store.setState({ isAtRest: true, isAsking: true, asked: [review] })
  })
  await expect(button(page, /^Edit, .*pump\.ts, .* waits for you$/)).toBeVisible()
  await expect(button(page, /^Bash, .*, waiting$/)).toBeVisible()
  await expect(page.getByText('no result')).toHaveCount(0)
  // What a turn took stands at its end.
  const end = log(page).getByRole('article').last().locator('.turn-end')
  await expect(end).toHaveCount(0)
  await button(page, 'Open review').click()
  expect(await calls(page, 'openReview')).toEqual(['r1'])
  await page.evaluate(() => window.stage.store.setState({ isAsking: false, asked: [] }))
  await expect(button(page, /^Edit, .*pump\.ts, .* no result$/)).toBeVisible()
  await expect(end).toHaveCount(1)
  await expect(button(page, 'Open review')).toHaveCount(0)

  const reason = 'Claude is waiting for your review of pump.ts.'
  await page.evaluate(
    (words) =>
      window.stage.store.setState({
        sending: { kind: 'read-only', reason: words, canResume: false, review: 'r2' },
      }),
    reason,
  )
  await expect(page.getByText(reason)).toBeVisible()
  await button(page, 'Open review').click()
  expect(await calls(page, 'openReview')).toEqual(['r1', 'r2'])
})

test('says why nothing can be written, and offers to go on here', async ({ open }) => {
  const page = await open('scene=foreign')
  await expect(page.getByText('This session runs in another terminal.')).toBeVisible()
  await expect(button(page, 'Send')).toBeDisabled()
  await button(page, 'Resume in a terminal').click()
  expect(await calls(page, 'resume')).toEqual([{}])
})

test('what a turn took is said once its beginning is here', async ({ open }) => {
  const page = await open('scene=paged&items=5&first=3&held')
  const last = log(page).getByRole('article').last()
  await page.evaluate(() => window.stage.store.setState({ isAtRest: true }))
  await expect(last).toContainText('Answer 4.')
  await expect(last.locator('.turn-end')).toHaveText('…')
  await page.evaluate(() => window.stage.giveEarlier())
  await expect(log(page).getByText('Question 0')).toBeVisible()
  await expect(last.locator('.turn-end')).toHaveText(/in, .* out/)
})
