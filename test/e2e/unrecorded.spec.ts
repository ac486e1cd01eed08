import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { button, mod, notices, type OpenApp, press, review, tab, test } from './open-app'

/** What a person sees and does when nothing can be recorded, when a draft was damaged, and when agents come and go. */

/** The logs of the open reviews, as they stand on the disk. */
function logsIn(dataFolder: string): { file: string; text: string }[] {
  const reviews = join(dataFolder, 'reviews')
  const files = readdirSync(reviews).map((id) => join(reviews, id, 'log.ndjson'))
  return files.filter((file) => existsSync(file)).map((file) => ({ file, text: readFileSync(file, 'utf8') }))
}

/** The app with a change proposed while nothing can be recorded: where the journal should be stands a file. */
async function startUnrecorded(app: OpenApp) {
  const path = app.write('list.txt', 'one\ntwo\n')
  await app.start()
  const journal = join(app.place.data, 'reviews')
  writeFileSync(journal, '')
  const agent = await app.agent()
  return { page: app.page, journal, answer: agent.openDiff(path, 'ONE\ntwo\n') }
}

test('what cannot be recorded is not decided, unless the person decides all the same', async ({ app }) => {
  const { page, answer } = await startUnrecorded(app)
  const bar = review(page).getByText('decisions can’t be recorded')
  await expect(bar).toBeVisible()
  // The window says it too, also where no review is on the screen.
  await expect(notices(page).getByText('decisions can’t be recorded')).toBeVisible()
  await press(page, 'Accept file')
  await expect(review(page).getByText('Nothing was decided, because it couldn’t be recorded.')).toBeVisible()
  // By keyboard: nothing but the button itself does it.
  await expect(button(review(page), 'Decide anyway')).not.toBeFocused()
  await button(review(page), 'Decide anyway').focus()
  await expect(button(review(page), 'Decide anyway')).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(review(page).getByText('will count but won’t be recorded')).toBeVisible()
  await expect(button(review(page), 'Accept file')).toBeEnabled()
  await page.keyboard.press(`${mod}+Enter`)
  expect(await answer).toEqual(['FILE_SAVED', 'ONE\ntwo\n'])
})

test('once there is room again, the review is as usual', async ({ app }) => {
  const { page, journal, answer } = await startUnrecorded(app)
  await expect(button(review(page), 'Decide anyway')).toBeVisible()
  rmSync(journal)
  await expect(button(review(page), 'Decide anyway')).toHaveCount(0)
  await expect(notices(page).getByText('decisions can’t be recorded')).toHaveCount(0)
  await press(page, 'Reject file')
  expect((await answer)[0]).toBe('DIFF_REJECTED')
})

test('tabs that cannot be kept do not end the app', async ({ app }) => {
  app.write('a.txt', 'a\n')
  app.write('b.txt', 'b\n')
  await app.start()
  const { page } = app
  const folders = join(app.place.data, 'folders')
  renameSync(folders, `${folders}.away`)
  writeFileSync(folders, '')
  await page.getByRole('treeitem', { name: 'a.txt' }).dblclick()
  await expect(tab(page, 'a.txt')).toBeVisible()
  await expect(
    notices(page).getByText('Open tabs and the layout won’t be restored on the next start.'),
  ).toBeVisible()
  await page.getByRole('treeitem', { name: 'b.txt' }).dblclick()
  await expect(page.getByRole('textbox', { name: `Editor: ${app.path('b.txt')}` })).toBeFocused()
})

test('a damaged draft comes back up to the damage, and a sentence says where the rest is', async ({
  app,
}) => {
  const path = app.write('list.txt', 'one\ntwo\nthree\nfour\n')
  await app.start()
  const agent = await app.agent()
  void agent.openDiff(path, 'ONE\ntwo\nTHREE\nfour\n')
  await press(app.page, 'Reject change 1')
  await press(app.page, 'Accept change 2')
  const log = () => logsIn(app.place.data)[0]
  await expect.poll(() => log()?.text.split('\n').length).toBe(4)
  await app.kill()
  const { file, text } = log() ?? { file: '', text: '' }
  writeFileSync(file, text.replace('"hunk":2', '"hunk":7'))
  await app.start()
  const { page } = app
  await expect(notices(page).getByText('was damaged on disk')).toBeVisible()
  await tab(page, 'list.txt').click()
  await expect(review(page).getByText('Everything up to the damage was restored')).toBeVisible()
  await expect(button(review(page), 'Undo change 1')).toBeVisible()
  await expect(button(review(page), 'Undo change 2')).toHaveCount(0)
  const [, copy = ''] = /the rest is in (\S+)\./.exec((await review(page).textContent()) ?? '') ?? []
  expect(existsSync(copy)).toBe(true)
})

test('drafts whose agents are gone are one line, with a way to discard them all', async ({ app }) => {
  const names = ['a', 'b', 'c', 'd']
  for (const name of names) app.write(`${name}.txt`, `${name}\n`)
  await app.start()
  const { page } = app
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reviews' }).click()
  const agent = await app.agent()
  for (const name of names) {
    void agent.openDiff(app.path(`${name}.txt`), `${name}!\n`)
    await expect(page.getByRole('listitem', { name: `${name}.txt, Claude` })).toBeVisible()
  }
  const shown = tab(page, 'a.txt')
  await shown.click()
  await press(page, 'Accept change 1')
  // The page shows a decision before the host has it.
  await expect.poll(() => logsIn(app.place.data).some(({ text }) => text.includes('"hunk":1'))).toBe(true)
  agent.kill()
  const drafts = page.getByRole('region', { name: '4 drafts without an agent' })
  await expect(drafts).toBeVisible()
  await expect(page.getByRole('listitem', { name: 'd.txt, Claude' })).toHaveCount(0)
  // What nobody has touched has no tab any more as soon as it is out of sight.
  await shown.click()
  await expect(page.getByRole('tablist', { name: 'Open files and reviews' }).getByRole('tab')).toHaveCount(1)
  await button(drafts, 'Show list').click()
  await expect(page.getByRole('listitem', { name: 'd.txt, Claude' })).toBeVisible()
  await button(drafts, 'Discard all').click()
  await expect(drafts.getByText('You worked on 1 of them.')).toBeVisible()
  await expect(button(drafts, 'Cancel')).toBeFocused()
  await button(drafts, 'Discard 4 drafts').click()
  await expect(drafts).toHaveCount(0)
  await expect(shown).toHaveCount(0)
})
