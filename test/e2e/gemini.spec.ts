import { readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { HttpPeer } from '../mcp-http-peer'
import { button, notices, type OpenApp, press, proposedText, review, test } from './open-app'

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const proposed = before.replace('two', 'TWO').replace('six', 'SIX')

/** The server that a process's discovery file names: what a command line finds at its start. */
function findServer({ place, pid }: OpenApp): { port: number; token: string; folder: string } {
  const folder = join(place.env()['TMPDIR'] ?? tmpdir(), 'gemini', 'ide')
  const name = readdirSync(folder).find((file) => file.startsWith(`gemini-ide-server-${pid}-`))
  if (name === undefined) throw new Error('there is no discovery file')
  const { port, authToken } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
    port: number
    authToken: string
  }
  return { port, token: authToken, folder }
}

/** An app with one file, and a command line that wants two places of it changed. */
async function ask(app: OpenApp) {
  const path = app.write('app.ts', before)
  await app.start()
  const gemini = await HttpPeer.connect(findServer(app))
  expect(await gemini.openDiff(path, proposed)).toEqual({ content: [] })
  await expect(review(app.page)).toBeVisible()
  return { path, gemini, page: app.page }
}

test('Gemini’s change: one place accepted, one refused; the file is written by the agent', async ({
  app,
}) => {
  const { path, gemini, page } = await ask(app)
  await expect(page.getByRole('button', { name: /^Gemini: 1 connected/ })).toBeVisible()
  await expect(review(page)).toContainText('Gemini')
  await press(page, 'Accept change 1')
  await press(page, 'Reject change 2')
  await press(page, 'Accept file')
  const { params } = await gemini.take('ide/diffAccepted')
  const merged = before.replace('two', 'TWO')
  expect(params).toEqual({ filePath: path, content: merged })
  app.write('app.ts', merged)
  await expect(notices(page)).toContainText('app.ts accepted and written.')
  gemini.cut()
})

test('refused, and refused by closing its tab', { tag: '@long' }, async ({ app }) => {
  const { path, gemini, page } = await ask(app)
  await press(page, 'Reject file')
  expect((await gemini.take('ide/diffRejected')).params).toEqual({ filePath: path })
  await expect(review(page)).toHaveCount(0)
  await gemini.openDiff(path, proposed)
  await expect(review(page)).toBeVisible()
  await page.getByRole('button', { name: 'Close and reject app.ts', includeHidden: true }).click()
  await gemini.take('ide/diffRejected')
  gemini.cut()
})

test('loaded anew in the middle of a review, with the stream broken meanwhile: the answer arrives', async ({
  app,
}) => {
  const { gemini, page } = await ask(app)
  await press(page, 'Reject change 1')
  await app.reload()
  await expect(review(app.page)).toBeVisible()
  gemini.cut()
  await press(app.page, 'Accept file')
  await gemini.listen()
  const { params } = await gemini.take('ide/diffAccepted')
  expect(params['content']).toBe(before.replace('six', 'SIX'))
  gemini.cut()
})

test(
  'a newer proposal takes the place of the first, and is offered the edits made to it',
  { tag: '@long' },
  async ({ app }) => {
    const { path, gemini, page } = await ask(app)
    await proposedText(page).getByText('TWO', { exact: true }).click()
    await page.keyboard.press('End')
    await page.keyboard.type(' and a half')
    await expect(review(page).getByText('Edited')).toBeVisible()
    await gemini.openDiff(path, proposed.replace('SIX', 'SIXTH'))
    await expect(proposedText(page)).toContainText('SIXTH')
    await button(page, 'Apply your edits').click()
    await expect(proposedText(page)).toContainText('TWO and a half')
    await press(page, 'Accept file')
    const { params } = await gemini.take('ide/diffAccepted')
    expect(params['content']).toBe(proposed.replace('SIX', 'SIXTH').replace('TWO', 'TWO and a half'))
    expect(gemini.heard.filter(({ method }) => method.startsWith('ide/diff'))).toEqual([])
    gemini.cut()
  },
)

test('the end of the app rejects what is open, tells it, and takes the files away', async ({ app }) => {
  const { gemini, path } = await ask(app)
  const { folder } = findServer(app)
  const { pid } = app
  const ended = await app.stop()
  expect(ended.code).toBe(0)
  expect((await gemini.take('ide/diffRejected')).params).toEqual({ filePath: path })
  await gemini.until(() => (gemini.streams === 0 ? true : undefined))
  expect(readdirSync(folder).filter((name) => name.includes(`-${pid}-`))).toEqual([])
})
