import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { button, type OpenApp, openShell, review, tab, test } from './open-app'

interface Call {
  title: string
  body: string
}

/** A browser's notifications, which nobody sees: kept for the test, and not allowed until the page has asked. */
function keepNotifications(): void {
  class Kept extends EventTarget {
    static permission = 'default'
    static readonly all: (EventTarget & Call)[] = []
    static requestPermission = () => Promise.resolve((Kept.permission = 'granted'))
    readonly title: string
    readonly body: string
    constructor(title: string, { body = '' }: { body?: string } = {}) {
      super()
      this.title = title
      this.body = body
      Kept.all.push(this)
    }
    close(): void {}
  }
  Object.assign(globalThis, { Notification: Kept })
}

/** All notifications so far, whoever shows them on this host. */
function notifications({ electron, page }: OpenApp): Promise<Call[]> {
  const pick = (all: readonly Call[]) => all.map(({ title, body }) => ({ title, body }))
  if (!electron) {
    return page.evaluate(() =>
      (globalThis as unknown as { Notification: { all: Call[] } }).Notification.all.map(
        ({ title, body }) => ({
          title,
          body,
        }),
      ),
    )
  }
  return electron
    .evaluate(() => {
      const { electronStandIn } = globalThis as unknown as { electronStandIn: { shownNotifications: Call[] } }
      return electronStandIn.shownNotifications.map(({ title, body }) => ({ title, body }))
    })
    .then(pick)
}

/** Clicks the newest notification. */
function click({ electron, page }: OpenApp): Promise<void> {
  if (!electron) {
    return page.evaluate(() => {
      const { all } = (globalThis as unknown as { Notification: { all: EventTarget[] } }).Notification
      all.at(-1)?.dispatchEvent(new Event('click'))
    })
  }
  return electron.evaluate(() => {
    const { electronStandIn } = globalThis as unknown as {
      electronStandIn: { shownNotifications: { emit(name: string): void }[] }
    }
    electronStandIn.shownNotifications.at(-1)?.emit('click')
  })
}

/** Counts the notes that the page plays; nobody hears them here. */
async function countNotes(page: Page): Promise<() => Promise<number>> {
  const counter = await page.evaluateHandle(() => {
    const counted = { notes: 0 }
    const start = Reflect.get(OscillatorNode.prototype, 'start')
    OscillatorNode.prototype.start = function (...args) {
      counted.notes++
      Reflect.apply(start, this, args)
    }
    return counted
  })
  return () => counter.evaluate(({ notes }) => notes)
}

/** Gives the window the focus of the system, or takes it: a page under test always thinks it has it. */
async function look(page: Page, looking: boolean): Promise<void> {
  await page.evaluate((now) => {
    document.hasFocus = () => now
    window.dispatchEvent(new Event(now ? 'focus' : 'blur'))
  }, looking)
}

test('who does not look is called once for each thing that waits, and gets there with a click', async ({
  app,
  host,
}) => {
  test.skip(
    host === 'electron' && !process.env['ELECTRON_OVERRIDE_DIST_PATH']?.includes('stand-in'),
    'only the stand-in keeps notifications',
  )
  app.write('second.txt', 'one\n')
  // Outside of the folder: what changes in it while an agent is here would be a review.
  const go = join(app.place.base, 'go')
  mkdirSync(app.place.data)
  writeFileSync(join(app.place.data, 'settings.json'), '{ "attentionSound": true }')
  await app.start()
  const { page } = app
  if (host === 'headless') {
    await page.addInitScript(keepNotifications)
    await app.reload()
    await button(page, 'Allow notifications').click()
    await expect(button(page, 'Allow notifications')).toHaveCount(0)
  } else await expect(button(page, 'Allow notifications')).toHaveCount(0)
  const notes = await countNotes(page)
  const agent = await app.agent()
  await openShell(page)
  await page.keyboard.type(
    `while [ ! -e ${go} ]; do sleep 0.1; done; printf '\\033]9;Build is done\\a'; read wait`,
  )
  await page.keyboard.press('Enter')

  // Before the person's eyes nothing calls.
  void agent.openDiff(app.path('hello.txt'), 'hello you\n')
  await expect(review(page)).toBeVisible()
  await expect(page).toHaveTitle(/^\(1\) /)
  await look(page, false)
  void agent.openDiff(app.path('second.txt'), 'two\n')
  await expect(async () => {
    expect(await notifications(app)).toEqual([{ title: 'Claude waits for you', body: 'second.txt' }])
  }).toPass()
  // With a sound, for this person wants one: two notes.
  await expect.poll(notes).toBe(2)
  if (app.electron) expect(await app.electron.evaluate(({ app: shell }) => shell.getBadgeCount())).toBe(2)
  await page.getByRole('tree', { name: 'Files' }).focus()
  await click(app)
  await expect(page.getByRole('region', { name: /^Review: .*second\.txt$/ })).toBeVisible()
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BUTTON')

  // A program in a terminal calls in words; it waits until its terminal is seen.
  writeFileSync(go, '')
  await expect(async () => {
    const all = await notifications(app)
    expect(all.at(-1)).toEqual({ title: 'Shell waits for you', body: 'Build is done' })
    expect(all).toHaveLength(2)
  }).toPass()
  const shell = page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab', { name: 'Shell' })
  await expect(shell).toHaveAccessibleDescription(/waits for you: Build is done/)
  await expect(page).toHaveTitle(/^\(3\) /)
  await look(page, true)
  await expect(shell).not.toHaveAccessibleDescription(/waits for you/)
  await expect(page).toHaveTitle(/^\(2\) /)
  await expect(tab(page, 'second.txt')).toBeVisible()
})
