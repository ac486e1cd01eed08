import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { FakeAgent } from '../e2e/fake-agent'
import { button, mod, press, proposedText, review, runCommand, tab, test } from '../e2e/open-app'
import { linesWith } from '../e2e/thirty-lines'
import { note } from './figures'
import { SmallDisk } from './small-disk'

const before = linesWith([])
const proposed = linesWith([3, 15, 27])

const pasted = `, and more${'\nof the same words over and over'.repeat(500)}`
const wanted = proposed.replace('LINE 27', `LINE 27${pasted}`)

/** The smallest picture: one dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPQz38NAAJaAYpPTFLJAAAAAElFTkSuQmCC'

const isAlive = (pid: number): boolean => process.kill(pid, 0)

test.describe('a data directory that cannot be written', () => {
  const faults: [
    name: string,
    strike: (disk: SmallDisk) => void,
    mend: (disk: SmallDisk) => void,
    words: RegExp,
  ][] = [
    ['a full disk', (disk) => disk.fill(), (disk) => disk.free(), /full/],
    [
      'a disk that is read-only',
      (disk) => disk.lock(true),
      (disk) => disk.lock(false),
      /isn’t writable|can’t be written|read-only/,
    ],
  ]

  for (const [name, strike, mend, words] of faults) {
    test(`${name}: the page says so, no decision goes out unrecorded, and afterwards everything works`, async ({
      app,
    }) => {
      const disk = SmallDisk.mount(app.place.data)
      test.skip('reason' in disk, 'reason' in disk ? disk.reason : '')
      if ('reason' in disk) return
      try {
        const first = app.write('first.txt', before)
        const second = app.write('second.txt', before)
        app.write('other.txt', 'other\n')
        await app.start()
        const { page, pid } = app
        const agent = await app.agent()
        const answers: string[][] = []
        void agent.openDiff(first, proposed, 'first').then((answer) => answers.push(answer))
        await expect(review(page)).toHaveAccessibleName(`Review: ${first}`)
        strike(disk)

        // A proposal that cannot be recorded is either shown or refused, never both.
        const asked = agent.openDiff(second, proposed, 'second').then(
          () => 'answered',
          () => 'refused',
        )
        await expect(page.getByText(words).first()).toBeVisible()
        const shown = tab(page, 'second.txt')
          .waitFor({ timeout: 20_000 })
          .then(
            () => 'shown',
            () => 'neither',
          )
        const came = await Promise.race([asked, shown])
        expect(came).toMatch(/^(shown|refused)$/)

        await tab(page, 'first.txt').click()
        await expect(review(page)).toHaveAccessibleName(`Review: ${first}`)
        // More than fits into the rest of the journal's last block.
        await proposedText(page).getByText('LINE 27', { exact: true }).click()
        await page.keyboard.press('End')
        await page.keyboard.insertText(pasted)
        await press(page, 'Accept file')
        await expect(page.getByText(words).first()).toBeVisible()
        // Opening and switching tabs writes state too.
        await page.getByRole('treeitem', { name: 'other.txt' }).dblclick()
        await expect(tab(page, 'other.txt')).toBeVisible()
        await tab(page, 'first.txt').click()
        await expect(review(page)).toHaveAccessibleName(`Review: ${first}`)
        expect(isAlive(pid)).toBe(true)
        expect(answers).toEqual([])
        expect(await Promise.race([asked, Promise.resolve('waits')])).toBe(
          came === 'shown' ? 'waits' : 'refused',
        )
        await expect(tab(page, 'second.txt')).toHaveCount(came === 'shown' ? 1 : 0)

        mend(disk)
        const accept = button(review(page), 'Accept file')
        await expect(async () => {
          if (answers.length === 0 && (await accept.isVisible())) await accept.click({ timeout: 1_000 })
          expect(answers).toEqual([['FILE_SAVED', wanted]])
        }).toPass({ timeout: 40_000 })
        writeFileSync(first, wanted)
        await expect(tab(page, 'first.txt')).toHaveCount(0)
        await app.crashAndStart()
        await expect(tab(app.page, 'first.txt')).toHaveCount(0)
        await app.page
          .getByRole('navigation', { name: 'Views' })
          .getByRole('button', { name: 'Reviews' })
          .click()
        await button(app.page, 'Undo accepted first.txt').click()
        await expect.poll(() => app.read('first.txt')).toBe(before)
        note({ name: 'disk faults survived', measured: 1 })
      } finally {
        disk.dispose()
      }
    })
  }
})

/** Opens `each` connections to every port and says nothing on them. */
async function openSilent(ports: readonly number[], each: number): Promise<Socket[]> {
  const sockets = ports.flatMap((port) => Array.from({ length: each }, () => connect(port, '127.0.0.1')))
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise((resolve) => {
          socket.once('connect', resolve)
          socket.on('error', resolve)
        }),
    ),
  )
  return sockets
}

const panel = (page: Page) => page.getByRole('region', { name: 'Search', exact: true })

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press(`${mod}+Shift+f`)
  await panel(page).getByRole('textbox', { name: 'Search text' }).fill(words)
}

test('running out of descriptors ends nothing, and everything works again afterwards', async ({
  page,
  app,
}) => {
  const { place } = app
  test.skip(process.platform === 'win32', 'there are no such limits')
  const limited = ['sh', '-c', 'ulimit -n 100 && exec "$@"', 'sh']
  const host = await place.start(undefined, limited)
  const ready = await host.ready()
  const { gemini, sessions } = ready as unknown as { gemini: { port: number }; sessions: { url: string } }
  await page.goto(ready.url)
  await expect(page.getByRole('treeitem', { name: 'hello.txt' })).toBeVisible()
  // What of the page comes after its first frame has come, too: this dialog is the last of it.
  await runCommand(page, 'New conversation')
  await expect(page.getByRole('dialog', { name: 'New conversation' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const ports = [
    ready.claudeIde?.port ?? 0,
    gemini.port,
    Number(new URL(sessions.url).port),
    Number(new URL(ready.url).port),
  ]
  const silent = await openSilent(ports, 150)
  await search(page, 'hello')
  writeFileSync(`${place.project}/another.txt`, 'hello again\n')
  await button(page, 'New terminal').click()
  await page.getByRole('menuitem', { name: 'Shell' }).click()
  // The terminal comes, or the page says why not.
  await expect(
    page
      .getByRole('region', { name: /^Terminal: / })
      .or(page.getByRole('alert'))
      .first(),
  ).toBeVisible()
  expect(isAlive(ready.pid)).toBe(true)
  for (const socket of silent) socket.destroy()
  await expect(async () => {
    const again = button(panel(page), 'Search again')
    if (await again.isVisible()) await again.click()
    await expect(panel(page).getByText('another.txt').first()).toBeVisible({ timeout: 3_000 })
  }).toPass({ timeout: 30_000 })
  const agent = await FakeAgent.connect(place.home)
  agent.kill()
  expect((await host.stop()).code).toBe(0)
  note({ name: 'disk faults survived', measured: 1 })
})

test('files that block hold up neither reviews nor a search nor the end', async ({ app }) => {
  test.skip(process.platform === 'win32', 'there are no such files')
  const path = app.write('list.txt', before)
  const names = Array.from({ length: 6 }, (_, index) => `picture-${index + 1}.png`)
  for (const name of names) app.write(name, Buffer.from(dot, 'base64'))
  await app.start()
  const { page } = app
  for (const name of names) {
    await page.getByRole('treeitem', { name }).dblclick()
    await expect(tab(page, name)).toBeVisible()
  }
  for (const name of names) {
    rmSync(app.path(name))
    execFileSync('mkfifo', [app.path(name)])
  }
  await app.reload()
  for (const name of names) await tab(app.page, name).click()
  const agent = await app.agent()
  for (const name of names) {
    expect(await agent.openDiff(app.path(name), 'text\n')).toEqual([
      expect.stringContaining('is not a regular file'),
    ])
    await agent
      .call('openFile', { filePath: app.path(name), preview: false, startText: '', endText: '' })
      .catch(() => undefined)
  }
  await search(app.page, 'line 30')
  await expect(page.getByRole('tree', { name: 'Results' }).getByText('list.txt').first()).toBeVisible()
  const answer = agent.openDiff(path, proposed)
  await tab(app.page, 'list.txt').click()
  await press(app.page, 'Accept file')
  expect(await answer).toEqual(['FILE_SAVED', proposed])
  const { code, took } = await app.stop()
  expect(code).toBe(0)
  expect(took).toBeLessThan(3_000)
  note({ name: 'disk faults survived', measured: 1 })
})
