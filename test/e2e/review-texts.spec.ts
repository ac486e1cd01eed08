import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { holds } from './held-text'
import { button, mod, notices, type OpenApp, press, proposedText, review, tab, test } from './open-app'

const bom = '\ufeff'

/** Starts the app on one file, and asks for a change of it. */
async function ask(app: OpenApp, name: string, before: string, proposed: string) {
  const path = app.write(name, before)
  await app.start()
  const agent = await app.agent()
  const answer = agent.openDiff(path, proposed)
  await expect(review(app.page)).toHaveAccessibleName(`Review: ${path}`)
  return { path, agent, answer, page: app.page }
}

async function typeAfter(page: Page, line: string, typed: string): Promise<void> {
  await proposedText(page).getByText(line, { exact: true }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(typed)
}

const notice = (page: Page, text: string) => notices(page).getByText(text)

test.describe('marks and ends that nobody sees', () => {
  test('a byte order mark stays, through review, undo, editor and save', async ({ app }) => {
    const before = `${bom}one\r\ntwo\r\nthree\r\n`
    const { path, page, answer } = await ask(app, 'marked.txt', before, 'ONE\ntwo\nTHREE\n')
    await expect(review(page).getByText('BOM', { exact: true })).toBeVisible()
    await expect(review(page).getByText('CRLF', { exact: true })).toBeVisible()
    await press(page, 'Reject change 1')
    await typeAfter(page, 'THREE', ' and more')
    await press(page, 'Accept file')
    // The agent keeps the mark of a file by itself: an answer with one that it did not send would be news to it.
    const accepted = 'one\r\ntwo\r\nTHREE and more\r\n'
    expect(await answer).toEqual(['FILE_SAVED', accepted])
    writeFileSync(path, `${bom}${accepted}`)
    await expect(notice(page, 'marked.txt accepted and written.')).toBeVisible()
    await notices(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => app.read('marked.txt')).toBe(before)

    await page.getByRole('treeitem', { name: 'marked.txt' }).dblclick()
    const editor = page.getByRole('textbox', { name: `Editor: ${path}` })
    await expect(editor).toBeFocused()
    await page.keyboard.press(`${mod}+Home`)
    await page.keyboard.type('zero\n')
    await page.keyboard.press(`${mod}+s`)
    await expect.poll(() => app.read('marked.txt')).toBe(`${bom}zero\r\none\r\ntwo\r\nthree\r\n`)
  })

  test(
    'mixed ends stay with their lines, through review, editor and save',
    { tag: '@long' },
    async ({ app }) => {
      // Most lines end in CRLF, so a line that is changed does too.
      const before = 'one\r\ntwo\nthree\r\nfour\r\nfive'
      const { path, page, answer } = await ask(app, 'mixed.txt', before, 'one\ntwo\nTHREE\nfour\nFIVE')
      await expect(review(page).getByText('Mixed line endings', { exact: true })).toBeVisible()
      // Ends that the agent did not keep are no change of theirs.
      await expect(button(review(page), 'Accept file')).toContainText('2 changes')
      await press(page, 'Reject change 2')
      await press(page, 'Accept file')
      const accepted = 'one\r\ntwo\nTHREE\r\nfour\r\nfive'
      expect(await answer).toEqual(['FILE_SAVED', accepted])
      writeFileSync(path, accepted)
      await expect(notice(page, 'mixed.txt accepted and written.')).toBeVisible()

      await page.getByRole('treeitem', { name: 'mixed.txt' }).dblclick()
      await expect(page.getByRole('textbox', { name: `Editor: ${path}` })).toBeFocused()
      await page.keyboard.press(`${mod}+End`)
      await page.keyboard.type('!')
      await page.keyboard.press(`${mod}+s`)
      await expect.poll(() => app.read('mixed.txt')).toBe(`${accepted}!`)
    },
  )
})

test('a read-only file: the review says so, and nothing is written before or against it', async ({ app }) => {
  const before = 'one\ntwo\nthree\n'
  const path = app.write('locked.txt', before)
  chmodSync(path, 0o444)
  await app.start()
  const { page } = app
  const agent = await app.agent()
  const answer = agent.openDiff(path, 'ONE\ntwo\nTHREE\n')
  await expect(review(page).getByText('Read-only', { exact: true })).toBeVisible()
  await press(page, 'Reject change 1')
  await press(page, 'Accept file')
  expect(await answer).toEqual(['FILE_SAVED', 'one\ntwo\nTHREE\n'])
  // The agent does not write: then the host is asked to, and says what stands in the way.
  const overdue = review(page).getByText('Accepted, but Claude hasn’t written it.')
  await expect(overdue).toBeVisible()
  await button(review(page), 'Write it myself').click()
  await expect(review(page).getByText(/locked\.txt is read-only/)).toBeVisible()
  expect(app.read('locked.txt')).toBe(before)
  chmodSync(path, 0o644)
  await button(review(page), 'Write it myself').click()
  await expect.poll(() => app.read('locked.txt')).toBe('one\ntwo\nTHREE\n')
  await expect(review(page)).toHaveCount(0)
})

test('a file of 100,000 lines is accepted in part, to the letter', async ({ app }) => {
  test.setTimeout(120_000)
  const changed = [10, 50_000, 99_990]
  const linesWith = (which: readonly number[]) =>
    Array.from(
      { length: 100_000 },
      (_, index) => `${which.includes(index) ? 'CHANGED' : 'line'} ${index}\n`,
    ).join('')
  const before = linesWith([])
  const { path, page, answer } = await ask(app, 'long.txt', before, linesWith(changed))
  await expect(button(review(page), 'Accept file')).toContainText('3 changes')
  await press(page, 'Accept change 1')
  await press(page, 'Reject change 2')
  await typeAfter(page, 'CHANGED 99990', ' by hand')
  await press(page, 'Accept file')
  const accepted = linesWith([10, 99_990]).replace('CHANGED 99990', 'CHANGED 99990 by hand')
  const [word, text] = await answer
  expect(word).toBe('FILE_SAVED')
  // Compared as a whole, not shown as one.
  expect(text === accepted).toBe(true)
  expect(readFileSync(path, 'utf8') === before).toBe(true)
  writeFileSync(path, accepted)
  await expect(notice(page, 'long.txt accepted and written.')).toBeVisible()
})

test.describe('asked again', () => {
  test('the edits made to the proposal before are offered, and taken over', async ({ app }) => {
    const before = 'one\ntwo\nthree\nfour\nfive\n'
    const { path, agent, answer, page } = await ask(app, 'list.txt', before, 'ONE\ntwo\nthree\nfour\nfive\n')
    await typeAfter(page, 'ONE', ' of')
    // In one piece, so it is in the journal in one piece too.
    await page.keyboard.insertText(' mine')
    // What the host has not heard of yet it cannot offer.
    await expect.poll(() => holds(join(app.place.data, 'reviews'), ' mine')).toBe(true)
    const second = agent.openDiff(path, 'ONE\ntwo\nthree\nfour\nFIVE\n', 'again')
    expect(await answer).toEqual(['DIFF_REJECTED'])
    await tab(page, 'list.txt').click()
    await expect(proposedText(page)).not.toContainText('ONE of mine')
    await press(page, 'Apply your edits')
    await expect(proposedText(page)).toContainText('ONE of mine')
    await expect(button(review(page), 'Apply your edits')).toHaveCount(0)
    await press(page, 'Accept file')
    expect(await second).toEqual(['FILE_SAVED', 'ONE of mine\ntwo\nthree\nfour\nFIVE\n'])
  })

  test('by a second connection of the same program: one review, one decision, two answers', async ({
    app,
  }) => {
    const before = 'one\ntwo\nthree\n'
    const { path, answer, page } = await ask(app, 'list.txt', before, 'ONE\ntwo\nTHREE\n')
    const other = await app.agent()
    const second = other.openDiff(path, 'ONE\ntwo\nTHREE\n', 'the same')
    await expect(review(page).getByText('Claude (2 connections)')).toBeVisible()
    await expect(tab(page, 'list.txt')).toHaveCount(1)
    await press(page, 'Reject change 1')
    await press(page, 'Accept file')
    const accepted = ['FILE_SAVED', 'one\ntwo\nTHREE\n']
    expect(await Promise.all([answer, second])).toEqual([accepted, accepted])
    expect(existsSync(path) && app.read('list.txt')).toBe(before)
  })
})
