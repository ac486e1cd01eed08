import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Download, type Page } from '@playwright/test'
import { SessionWriter, text, tool } from '../conversation-harness/session-writer'
import { SessionServerClient } from '../session-server-client'
import { type OpenApp, button, test } from './open-app'
import { asLines, recordSession } from './recorded-session'

const id = '22222222-2222-4333-8444-555555555555'
const before = 'roses are red\nviolets are red\n'
const after = 'roses are red\nviolets are blue\n'

/** A session in which a file was changed. */
function poem(path: string): SessionWriter {
  const made = new SessionWriter(Date.now() - 60_000)
  made.prompt('Mend the poem, please.')
  made.reply(
    'm1',
    text('It says *red* twice.'),
    tool('t1', 'Edit', { file_path: path, old_string: 'violets are red', new_string: 'violets are blue' }),
  )
  made.result('t1', 'The file has been updated', {
    filePath: path,
    oldString: 'violets are red',
    newString: 'violets are blue',
    originalFile: before,
    structuredPatch: [
      {
        oldStart: 1,
        oldLines: 2,
        newStart: 1,
        newLines: 2,
        lines: [' roses are red', '-violets are red', '+violets are blue'],
      },
    ],
  })
  return made.reply('m2', text('Mended.'))
}

/** The session server as a program on this computer finds it. */
function findSessionServer({ place }: OpenApp): { url: string; token: string } {
  const { url } = JSON.parse(readFileSync(join(place.data, 'session-server.json'), 'utf8')) as { url: string }
  return { url, token: readFileSync(join(place.data, 'session-server.token'), 'utf8').trim() }
}

async function exportAs(page: Page, format: string): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent('download')
  await button(page, 'More for this conversation').click()
  await page.getByRole('menuitem', { name: `Export as ${format} …` }).click()
  const download: Download = await coming
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}

test('another program lists, reads and follows a session, until the person switches that off', async ({
  app,
}) => {
  const path = app.write('poem.txt', after)
  const file = recordSession(app.place, id, poem(path).records)
  await app.start()
  const { page } = app
  const { url, token } = findSessionServer(app)
  const headers = { authorization: `Bearer ${token}` }
  const listed = (await (await fetch(url, { headers })).json()) as { sessions: object[] }
  expect(listed.sessions).toMatchObject([{ id, firstPrompt: 'Mend the poem, please.', isRunning: false }])
  const unknown = await fetch(`${url}/no-such-session`, { headers })
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { type: 'error' }])

  const socket = url.replace('http', 'ws')
  const client = new SessionServerClient(`${socket}/${id}/subscribe?token=${token}`)
  await client.until(({ messages }) => messages.length === 5)
  expect(client.messages.map(({ content }) => content)).toEqual([
    'Mend the poem, please.',
    'It says *red* twice.',
    '',
    '',
    'Mended.',
  ])
  const more = new SessionWriter(Date.now()).prompt('Thank you.', { uuid: 'later' })
  appendFileSync(file, asLines(more.records))
  await client.until(({ messages }) => messages.at(-1)?.content === 'Thank you.')

  // The person sees where it listens, and who reads along; the switch ends both.
  await button(page, 'Connections panel').click()
  const row = page.getByRole('region', { name: 'Server for other programs' })
  await expect(row.getByText(url)).toBeVisible()
  await row.getByRole('switch', { name: 'Let other programs read and follow sessions' }).click()
  await client.closed
  await expect(row.getByText('Off. No port is open.')).toBeVisible()
  expect(client.errors.length).toBeLessThanOrEqual(1)
  await expect(fetch(url, { headers })).rejects.toThrow()
})

test('a change of a session is taken back while nothing else has changed the file, and a session is exported', async ({
  app,
}, info) => {
  const path = app.write('poem.txt', after)
  const file = recordSession(app.place, id, poem(path).records)
  await app.start()
  const { page } = app
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
  await button(page.getByRole('list', { name: 'Sessions' }), 'Mend the poem, please.').click()
  const log = page.getByRole('log', { name: 'Conversation' })
  await expect(log.getByText('Mended.')).toBeVisible()

  // Until its difference is drawn, the button moves under the mouse.
  await expect(log.locator('.cm-line').filter({ hasText: 'violets are blue' }).first()).toBeVisible()
  const restore = async () => {
    await button(log, 'Put back').click()
    await button(page.getByRole('dialog', { name: /^Put poem.txt back/ }), 'Put back').click()
  }
  // Changed since: nothing is written over.
  app.write('poem.txt', `${after}sugar is sweet\n`)
  await restore()
  await expect(log.getByText(/has changed since the agent wrote it/)).toBeVisible()
  expect(app.read('poem.txt')).toBe(`${after}sugar is sweet\n`)
  app.write('poem.txt', after)
  await restore()
  await expect(log.getByText('poem.txt is back to how it was before this change.')).toBeVisible()
  expect(app.read('poem.txt')).toBe(before)
  await page.screenshot({ path: info.outputPath('restored.png') })

  // There the system asks where to.
  if (app.electron) return
  const lines = await exportAs(page, 'JSON lines')
  expect(lines).toEqual({ name: 'Mend-the-poem-please.jsonl', text: readFileSync(file, 'utf8') })
  const markdown = await exportAs(page, 'Markdown')
  expect(markdown.name).toBe('Mend-the-poem-please.md')
  expect(markdown.text).toContain('It says *red* twice.')
  expect(markdown.text).toContain(' roses are red\n-violets are red\n+violets are blue\n')
})
