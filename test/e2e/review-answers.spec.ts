import { existsSync, mkdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { holds } from './held-text'
import {
  button,
  mod,
  notices,
  type OpenApp,
  openShell,
  press,
  proposedText,
  review,
  tab,
  terminalInput,
  terminalScreen,
  test,
  typeAfter,
} from './open-app'
import { linesWith } from './thirty-lines'

const before = linesWith([])
const proposed = linesWith([3, 15, 27])

const notice = (page: Page, text: string) => notices(page).getByText(text)

/** Shows the list of all that waits. */
async function showList(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reviews' }).click()
}

/** An answer's state: what it is once it has come. */
function follow<T>(answer: Promise<T>): { now: T | undefined } {
  const followed: { now: T | undefined } = { now: undefined }
  void answer.then((value) => {
    followed.now = value
  })
  return followed
}

/** An app with one file of thirty lines, and an agent that wants three of them changed. */
async function ask(app: OpenApp, text = proposed) {
  const path = app.write('list.txt', before)
  await app.start()
  const agent = await app.agent()
  const answer = agent.openDiff(path, text)
  await expect(review(app.page)).toBeVisible()
  return { path, agent, answer, page: app.page }
}

test.describe('what does not decide', () => {
  test('a press before the review has been seen for 400 ms, or keys while it has no focus', async ({
    app,
  }) => {
    const path = app.write('list.txt', before)
    await app.start()
    const { page } = app
    await openShell(page)
    // Presses as soon as the button is there, and tells how it stood then.
    const early = page.evaluate(
      () =>
        new Promise<string | null>((resolve) => {
          const look = () => {
            const found = document.querySelector<HTMLButtonElement>('button[aria-label="Accept file"]')
            if (!found) return
            observer.disconnect()
            const state = found.getAttribute('aria-disabled')
            found.click()
            resolve(state)
          }
          const observer = new MutationObserver(look)
          observer.observe(document.body, { childList: true, subtree: true })
        }),
    )
    const agent = await app.agent()
    const answer = follow(agent.openDiff(path, proposed))
    expect(await early).toBe('true')
    await expect(button(review(page), 'Accept file')).toBeEnabled()
    await page.keyboard.press(`${mod}+Enter`)
    await page.keyboard.press(`${mod}+Shift+Backspace`)
    // The host has heard all of it once it answers something else.
    await agent.call('getOpenEditors', {})
    expect(answer.now).toBeUndefined()
    await press(page, 'Accept file')
    await expect.poll(() => answer.now).toEqual(['FILE_SAVED', proposed])
  })

  test('a press on a button that a busy page shows late', async ({ app }) => {
    const path = app.write('list.txt', before)
    await app.start()
    const { page } = app
    // Frames come late: the buttons of a review come after its first one.
    const early = page.evaluate(
      () =>
        new Promise<string | null>((resolve) => {
          const soon = window.requestAnimationFrame.bind(window)
          window.requestAnimationFrame = (run) => Number(setTimeout(() => soon(run), 700))
          const observer = new MutationObserver(() => {
            const found = document.querySelector<HTMLButtonElement>('button[aria-label="Accept file"]')
            if (!found) return
            observer.disconnect()
            window.requestAnimationFrame = soon
            resolve(found.getAttribute('aria-disabled'))
            found.click()
          })
          observer.observe(document.body, { childList: true, subtree: true })
        }),
    )
    const agent = await app.agent()
    const answer = follow(agent.openDiff(path, proposed))
    expect(await early).toBe('true')
    await agent.call('getOpenEditors', {})
    expect(answer.now).toBeUndefined()
    await press(page, 'Accept file')
    await expect.poll(() => answer.now).toEqual(['FILE_SAVED', proposed])
  })

  test('deciding every change: nothing is sent before the file is accepted', async ({ app }) => {
    const { page, agent, answer } = await ask(app)
    const followed = follow(answer)
    for (const name of ['Accept change 1', 'Accept change 2', 'Reject change 3']) await press(page, name)
    await expect(review(page).getByText('All decided')).toBeVisible()
    await agent.call('getOpenEditors', {})
    expect(followed.now).toBeUndefined()
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', linesWith([3, 15])])
  })
})

test.describe('rejecting', () => {
  test('the file', async ({ app }) => {
    const { page, answer } = await ask(app)
    await press(page, 'Reject file')
    expect(await answer).toEqual(['DIFF_REJECTED'])
    await expect(review(page)).toHaveCount(0)
    expect(app.read('list.txt')).toBe(before)
  })

  test('with a note, which is typed into the agent’s prompt and not sent', async ({ app }) => {
    const path = app.write('list.txt', before)
    await app.start()
    const { page } = app
    await openShell(page)
    await page.keyboard.type('echo $$ > ../shell.pid\n')
    const pidFile = join(app.place.base, 'shell.pid')
    await expect.poll(() => (existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : '')).toMatch(/^\d+\n$/)
    const agent = await app.agent(Number(readFileSync(pidFile, 'utf8')))
    const answer = agent.openDiff(path, proposed)
    await expect(button(review(page), 'Accept file')).toBeEnabled()
    await button(review(page), 'More ways to reject').click()
    await page.getByRole('menuitem', { name: 'Reject with a note…' }).click()
    await page.getByRole('textbox', { name: 'Note for Claude' }).fill('touch ../sent')
    await page.keyboard.press('Enter')
    expect(await answer).toEqual(['DIFF_REJECTED'])
    await expect(terminalInput(page)).toBeFocused()
    await expect(terminalScreen(page)).toContainText('touch ../sent')
    expect(existsSync(join(app.place.base, 'sent'))).toBe(false)
    await page.keyboard.press('Enter')
    await expect.poll(() => existsSync(join(app.place.base, 'sent'))).toBe(true)
  })

  test('with a note that is being written when nobody asks any more: it stays to be copied', async ({
    app,
  }) => {
    const path = app.write('list.txt', before)
    await app.start()
    const { page } = app
    const agent = await app.agent()
    const answer = agent.openDiff(path, proposed, 'the tab')
    await expect(button(review(page), 'Accept file')).toBeEnabled()
    await button(review(page), 'More ways to reject').click()
    await page.getByRole('menuitem', { name: 'Reject with a note…' }).click()
    const note = review(page).getByRole('textbox', { name: 'Note for Claude' })
    await note.fill('use the other list')
    const journal = join(app.place.data, 'reviews')
    await expect.poll(() => holds(journal, '"comments"')).toBe(true)
    await agent.call('close_tab', { tab_name: 'the tab' })
    expect(await answer).toEqual(['DIFF_REJECTED'])
    // It is looked for a while how it was answered there.
    await expect(review(page)).toHaveCount(0)
    await tab(page, 'list.txt').click()
    await expect(
      review(page).getByText('Not sent, because nobody asks for this change any more.'),
    ).toBeVisible()
    await expect(note).toHaveValue('use the other list')
    await expect(note).not.toBeFocused()
    await note.press('x')
    await note.press('Enter')
    await expect(note).toHaveValue('use the other list')
    await button(review(page), 'Dismiss').click()
    await expect(note).toHaveCount(0)
    expect(app.read('list.txt')).toBe(before)
  })

  test('by closing the tab, which is said; undone, the change is the person’s to keep', async ({ app }) => {
    const { page, answer } = await ask(app)
    await page.getByRole('button', { name: 'Close and reject list.txt', includeHidden: true }).click()
    expect(await answer).toEqual(['DIFF_REJECTED'])
    expect(app.read('list.txt')).toBe(before)
    await expect(notice(page, 'You closed the tab for list.txt, so its change was rejected.')).toBeVisible()
    await notices(page).getByRole('button', { name: 'Undo' }).click()
    await expect(review(page).getByText('You rejected this change, and Claude has been told.')).toBeVisible()
    await button(review(page), 'Keep as my change').click()
    await expect.poll(() => app.read('list.txt')).toBe(proposed)
  })

  test('every change leaves only rejecting the file', { tag: '@long' }, async ({ app }) => {
    const { page, answer } = await ask(app)
    for (const number of [1, 2, 3]) await press(page, `Reject change ${number}`)
    await expect(button(review(page), 'Accept file')).toBeDisabled()
    await press(page, 'Reject file')
    expect(await answer).toEqual(['DIFF_REJECTED'])
  })

  test('by typing the old text: accepting it keeps nothing', { tag: '@long' }, async ({ app }) => {
    const { page, answer } = await ask(app, linesWith([3]))
    await proposedText(page).getByText('LINE 3', { exact: true }).click()
    await page.keyboard.press('Home')
    for (let count = 0; count < 4; count++) await page.keyboard.press('Delete')
    await page.keyboard.type('line')
    await press(page, 'Accept file')
    expect(await answer).toEqual(['DIFF_REJECTED'])
  })
})

test.describe('files of every kind', () => {
  test('a new file', async ({ app }) => {
    await app.start()
    const { page } = app
    const agent = await app.agent()
    const answer = agent.openDiff(app.path('deep/new.txt'), 'one\ntwo\n')
    await expect(review(page).getByText('New file')).toBeVisible()
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', 'one\ntwo\n'])
    expect(existsSync(app.path('deep'))).toBe(false)
    app.write('deep/new.txt', 'one\ntwo\n')
    await expect(notice(page, 'new.txt accepted and written.')).toBeVisible()
  })

  test('a file that is emptied', { tag: '@long' }, async ({ app }) => {
    const { page, answer } = await ask(app, '')
    await expect(review(page).getByText('This change empties the file.')).toBeVisible()
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', ''])
  })

  test('CRLF, and typed lines end as the file’s do', async ({ app }) => {
    const path = app.write('crlf.txt', linesWith([], '\r\n'))
    await app.start()
    const { page } = app
    const agent = await app.agent()
    const answer = agent.openDiff(path, linesWith([3, 15], '\r\n'))
    await expect(review(page).getByText('CRLF', { exact: true })).toBeVisible()
    await press(page, 'Reject change 1')
    await typeAfter(page, 'LINE 15', '\nmore')
    await press(page, 'Accept file')
    expect(await answer).toEqual([
      'FILE_SAVED',
      linesWith([15], '\r\n').replace('LINE 15', 'LINE 15\r\nmore'),
    ])
  })

  test('no newline at the end', { tag: '@long' }, async ({ app }) => {
    const path = app.write('end.txt', 'one\ntwo\nthree')
    await app.start()
    const { page } = app
    const agent = await app.agent()
    const answer = agent.openDiff(path, 'ONE\ntwo\nTHREE')
    await press(page, 'Reject change 1')
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', 'one\ntwo\nTHREE'])
  })

  test('a binary file is shown as such and answered whole', async ({ app }) => {
    const path = app.write('data.bin', Buffer.from([0, 1, 2, 3, 0, 255]))
    await app.start()
    const { page } = app
    const agent = await app.agent()
    const answer = agent.openDiff(path, 'text\0now')
    await expect(review(page).getByText('This isn’t a text file')).toBeVisible()
    await expect(proposedText(page)).toHaveCount(0)
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', 'text\0now'])
  })

  test('a file outside the folder is marked, and “Accept all” leaves it', async ({ app }) => {
    const inside = app.write('list.txt', before)
    const outside = join(app.place.base, 'outside.txt')
    writeFileSync(outside, before)
    await app.start()
    const { page } = app
    const agent = await app.agent()
    const first = agent.openDiff(outside, proposed, 'outside')
    await expect(review(page).getByText('Outside the folder')).toBeVisible()
    const second = agent.openDiff(inside, proposed, 'inside')
    await showList(page)
    await expect(page.getByRole('list', { name: 'Pending reviews' }).getByRole('listitem')).toHaveCount(2)
    await button(page, 'Accept all').click()
    await button(page, 'Accept 1 file').click()
    expect(await second).toEqual(['FILE_SAVED', proposed])
    const followed = follow(first)
    await agent.call('getOpenEditors', {})
    expect(followed.now).toBeUndefined()
    await expect(
      page
        .getByRole('list', { name: 'Pending reviews' })
        .getByRole('button', { name: 'outside.txt, Claude' }),
    ).toBeVisible()
  })
})

test.describe('several at once', () => {
  test('two agents on one file wait in a queue, and the second sees what the first became', async ({
    app,
  }) => {
    const { page, path, answer } = await ask(app, linesWith([3]))
    const other = await app.agent()
    await expect(page.getByRole('button', { name: 'Claude: 2 connected' })).toBeVisible()
    const second = other.openDiff(path, linesWith([27]), 'other')
    await showList(page)
    const list = page.getByRole('list', { name: 'Pending reviews' })
    await expect(list.getByText('Queued, 2nd in line', { exact: true })).toBeVisible()
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', linesWith([3])])
    writeFileSync(path, linesWith([3]))
    await expect(list.getByText('Queued, 2nd in line', { exact: true })).toHaveCount(0)
    await list.getByRole('button', { name: 'list.txt, Claude' }).click()
    // The base is the disk now: what the first changed is not undone by the second.
    await press(page, 'Accept file')
    expect(await second).toEqual(['FILE_SAVED', linesWith([3, 27])])
  })

  test('Accept all and Reject all ask once more, and answer each', async ({ app }) => {
    const names = ['a.txt', 'b.txt']
    for (const name of names) app.write(name, before)
    await app.start()
    const { page } = app
    const agent = await app.agent()
    await showList(page)
    const accepted = names.map((name) => agent.openDiff(app.path(name), proposed, name))
    await expect(page.getByRole('list', { name: 'Pending reviews' }).getByRole('listitem')).toHaveCount(2)
    await button(page, 'Accept all').click()
    await expect(button(page, 'Cancel')).toBeFocused()
    await button(page, 'Accept 2 files').click()
    for (const answer of accepted) expect(await answer).toEqual(['FILE_SAVED', proposed])
    for (const name of names) app.write(name, proposed)
    await expect(page.getByText('Nothing to review')).toBeVisible()

    const rejected = names.map((name) => agent.openDiff(app.path(name), before, name))
    await expect(page.getByRole('list', { name: 'Pending reviews' }).getByRole('listitem')).toHaveCount(2)
    await button(page, 'Reject all').click()
    await button(page, 'Reject 2 files').click()
    for (const answer of rejected) expect(await answer).toEqual(['DIFF_REJECTED'])
    await expect(page.getByText('Nothing to review')).toBeVisible()
  })

  test('what is asked stays open where the agent begins a turn, as its sub-agents go on asking', async ({
    app,
  }) => {
    const path = app.write('mine.txt', before)
    await app.start()
    const { page } = app
    const agent = await app.agent()
    const answer = agent.openDiff(path, proposed, 'mine')
    await expect(tab(page, 'mine.txt')).toBeVisible()
    const { content } = await agent.call('closeAllDiffTabs', {})
    expect(content[0]?.text).toBe('CLOSED_0_DIFF_TABS')
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', proposed])
  })
})

test.describe('what happens meanwhile', () => {
  test('the file changes: the review stands on the newer text and says so', async ({ app }) => {
    const { page, path, answer } = await ask(app, linesWith([3]))
    const newer = before.replace('line 30', 'line thirty')
    writeFileSync(path, newer)
    await expect(review(page).getByText('File has changed')).toBeVisible()
    await expect(review(page).getByText(/The file changed on disk/)).toBeVisible()
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', newer.replace('line 3\n', 'LINE 3\n')])
    expect(app.read('list.txt')).toBe(newer)
  })

  test('the agent is killed: keep as my change', async ({ app }) => {
    const { page, agent } = await ask(app)
    await press(page, 'Reject change 2')
    agent.kill()
    await expect(review(page).getByText('Claude is disconnected.')).toBeVisible()
    expect(app.read('list.txt')).toBe(before)
    await button(review(page), 'Keep as my change').click()
    await expect.poll(() => app.read('list.txt')).toBe(linesWith([3, 27]))
    await expect(notice(page, 'list.txt written as your change.')).toBeVisible()
    await notices(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => app.read('list.txt')).toBe(before)
  })

  test('the agent is killed: save as patch, then discard', { tag: '@long' }, async ({ app }) => {
    const { page, agent } = await ask(app)
    await press(page, 'Reject change 2')
    agent.kill()
    await button(review(page), 'Save as patch').click()
    await expect.poll(() => existsSync(app.path('list.txt.patch'))).toBe(true)
    expect(app.read('list.txt.patch')).toContain('+LINE 27')
    expect(app.read('list.txt.patch')).not.toContain('LINE 15')
    await button(review(page), 'Discard').click()
    await button(review(page), 'Discard my edits too').click()
    await expect(review(page)).toHaveCount(0)
    expect(app.read('list.txt')).toBe(before)
  })

  test('accepted and not written: write it myself', async ({ app }) => {
    const { page, answer } = await ask(app)
    await press(page, 'Accept file')
    expect((await answer)[0]).toBe('FILE_SAVED')
    await expect(review(page).getByText('Accepted, but Claude hasn’t written it.')).toBeVisible()
    expect(app.read('list.txt')).toBe(before)
    await button(review(page), 'Write it myself').click()
    await expect.poll(() => app.read('list.txt')).toBe(proposed)
    await expect(review(page)).toHaveCount(0)
  })

  test('answered in the terminal: the review closes', async ({ app }) => {
    const path = app.write('list.txt', before)
    await app.start()
    const { page } = app
    await openShell(page)
    const agent = await app.agent()
    const answer = agent.openDiff(path, proposed, 'the tab')
    await expect(review(page)).toBeVisible()
    expect((await agent.call('close_tab', { tab_name: 'the tab' })).content[0]?.text).toBe('TAB_CLOSED')
    expect(await answer).toEqual(['DIFF_REJECTED'])
    await expect(review(page)).toHaveCount(0)
    await expect(terminalInput(page)).toBeFocused()
    expect((await agent.call('close_tab', { tab_name: 'the tab' })).content[0]?.text).toBe('TAB_CLOSED')
  })

  test('something else writes the very change: that is said, and it can be accepted', async ({ app }) => {
    const { page, path, answer } = await ask(app)
    writeFileSync(path, proposed)
    await expect(review(page).getByText('list.txt already has this change')).toBeVisible()
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', proposed])
    await expect(review(page)).toHaveCount(0)
  })

  test('text that is not saved in the editor is mentioned before anything is accepted', async ({ app }) => {
    app.write('list.txt', before)
    await app.start()
    const { page } = app
    await page.getByRole('treeitem', { name: 'list.txt' }).dblclick()
    const editor = page.getByRole('textbox', { name: /^Editor: / })
    await editor.click()
    await page.keyboard.type('mine ')
    await expect(editor).toContainText('mine ')
    const agent = await app.agent()
    void agent.openDiff(app.path('list.txt'), proposed)
    await expect(tab(page, 'list.txt')).toHaveCount(2)
    await tab(page, 'list.txt').last().click()
    await expect(review(page).getByText('You have unsaved changes to list.txt in the editor.')).toBeVisible()
    await tab(page, 'list.txt').first().click()
    await editor.focus()
    await page.keyboard.press(`${mod}+s`)
    await tab(page, 'list.txt').last().click()
    await expect(review(page).getByText('File has changed')).toBeVisible()
    await expect(review(page).getByText('You have unsaved changes')).toHaveCount(0)
  })

  test('the file goes away: that is said, and rejecting leaves it so', async ({ app }) => {
    const { page, path, answer } = await ask(app, linesWith([3]))
    unlinkSync(path)
    await expect(review(page).getByText('File deleted')).toBeVisible()
    await expect(review(page).getByText('list.txt was deleted.')).toBeVisible()
    await expect(review(page).getByText('New file')).toHaveCount(0)
    await press(page, 'Reject file')
    expect(await answer).toEqual(['DIFF_REJECTED'])
    expect(existsSync(path)).toBe(false)
  })
})

test('what cannot be asked for gets a sentence, and the connection lives', async ({ app }) => {
  mkdirSync(app.path('folder'))
  await app.start()
  const agent = await app.agent()
  for (const path of [app.path('folder'), 'relative.txt', '/dev/null']) {
    const answer = await agent.call('openDiff', {
      old_file_path: path,
      new_file_path: path,
      new_file_contents: 'x',
      tab_name: path,
    })
    expect(answer.isError).toBe(true)
    expect(answer.content[0]?.text).toMatch(/\.$/)
  }
  await expect(review(app.page)).toHaveCount(0)
  expect(statSync(app.path('folder')).isDirectory()).toBe(true)
  rmSync(app.path('folder'), { recursive: true })
})
