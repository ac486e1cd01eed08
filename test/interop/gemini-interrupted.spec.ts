import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, patience, screenOf } from './cli-in-app'
import { replaceIn, tasks, test, withGeminiOutside } from './gemini-in-app'

const before = 'one\ntwo\nthree\n'
const after = 'one\nTWO\nthree\n'

test(
  'the page is loaded anew in the middle of a review: nothing is lost, and the answer arrives',
  { tag: '@long' },
  async ({ gemini }) => {
    gemini.write('app.ts', before)
    gemini.api.setScript(tasks({ 'task-reload': [replaceIn(gemini.path('app.ts'), 'two', 'TWO')] }))
    await gemini.start()
    const terminal = await gemini.openGemini()
    await gemini.prompt(terminal, 'do task-reload')
    await gemini.review('app.ts')
    await gemini.page.reload()
    const review = await gemini.review('app.ts')
    await gemini.connected(1)
    await review.getByRole('button', { name: 'Accept file' }).click()
    await gemini.told('task-reload')
    expect(gemini.read('app.ts')).toBe(after)
  },
)

test('two command lines at once have each their own reviews', { tag: '@long' }, async ({ gemini }) => {
  for (const name of ['a.ts', 'b.ts', 'same.ts']) gemini.write(name, before)
  gemini.api.setScript(
    tasks({
      'task-first': [replaceIn(gemini.path('a.ts'), 'two', 'TWO')],
      'task-second': [replaceIn(gemini.path('b.ts'), 'two', 'TWO')],
    }),
  )
  await gemini.start()
  const one = await gemini.openGemini()
  await gemini.prompt(one, 'do task-first')
  await gemini.review('a.ts')
  const other = await gemini.openGemini(2)
  await gemini.prompt(other, 'do task-second')
  const pending = await gemini.pending()
  await expect(pending.getByRole('listitem')).toHaveCount(2)
  // The one that has waited longer is answered last.
  await pending.getByText('b.ts').click()
  const second = await gemini.review('b.ts')
  await second.getByRole('button', { name: 'Accept file' }).click()
  await gemini.told('task-second')
  expect(gemini.read('b.ts')).toBe(after)
  expect(gemini.read('a.ts')).toBe(before)
  await pending.getByText('a.ts').click()
  const first = await gemini.review('a.ts')
  await first.getByRole('button', { name: 'Accept file' }).click()
  await gemini.told('task-first')
  expect(gemini.read('a.ts')).toBe(after)
})

test('the app quits in the middle of a review: the command line goes on, the files are gone', async ({
  gemini,
}) => {
  gemini.write('app.ts', before)
  gemini.api.setScript(
    tasks({ 'task-quit': [replaceIn(gemini.path('app.ts'), 'two', 'TWO')], 'task-on': [] }),
  )
  await gemini.start()
  await withGeminiOutside(gemini, async (outside, send) => {
    await send('do task-quit')
    await gemini.review('app.ts')
    const begun = Date.now()
    expect(await gemini.stop()).toBe(0)
    expect(Date.now() - begun).toBeLessThan(3000)
    await outside.waitForScreen(/Request cancelled/, patience)
    expect(gemini.read('app.ts')).toBe(before)
    expect(readdirSync(join(gemini.place.temporary, 'gemini', 'ide'))).toEqual([])
    await outside.waitForScreen(/Type your message/, patience)
    await send('do task-on')
    await gemini.told('task-on', 0)
    await outside.waitForScreen(/task-on is done/, patience)
  })
})

test(
  'switched off in the middle of a review, the command line goes on; switched on, it can connect again',
  { tag: '@long' },
  async ({ gemini }) => {
    gemini.write('app.ts', before)
    const change = replaceIn(gemini.path('app.ts'), 'two', 'TWO')
    gemini.api.setScript(tasks({ 'task-off': [change], 'task-alone': [], 'task-again': [change] }))
    await gemini.start()
    const terminal = await gemini.openGemini()
    await gemini.prompt(terminal, 'do task-off')
    await gemini.review('app.ts')
    await gemini.page.getByRole('button', { name: /^Gemini: 1 connected/ }).click()
    const toggle = gemini.page.getByRole('switch', { name: /Gemini CLI/ })
    const address = await gemini.page.getByText(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/).textContent()
    await toggle.click()
    await expect(gemini.page.getByRole('button', { name: 'Gemini: switched off' })).toBeVisible()
    const knocks = await hearKnocks(Number(new URL(address ?? '').port))
    await expect(screenOf(terminal)).toContainText('Request cancelled')
    expect(gemini.read('app.ts')).toBe(before)
    await gemini.prompt(terminal, 'do task-alone')
    await expect(screenOf(terminal)).toContainText('task-alone is done')
    await knocks.twice
    await knocks.stop()
    await toggle.click()
    // Its connection is lost, so it knows the command again; it does not look for us by itself.
    // What it suggests while one types may get in the way of what is typed, so it may take a second time.
    await expect(async () => {
      await gemini.empty(terminal)
      await gemini.prompt(terminal, '/ide enable')
      await expect(gemini.page.getByRole('button', { name: /^Gemini: 1 connected/ })).toBeVisible({
        timeout: 10_000,
      })
    }).toPass()
    // What it had asked before is answered no more, and is still to be thrown away or kept.
    await gemini.page.getByRole('button', { name: 'Discard' }).click()
    await expect(gemini.page.getByRole('region', { name: /^Review: / })).toHaveCount(0)
    await gemini.prompt(terminal, 'do task-again')
    const review = await gemini.review('app.ts')
    await review.getByRole('button', { name: 'Accept file' }).click()
    await gemini.told('task-again')
    expect(gemini.read('app.ts')).toBe(after)
  },
)

/**
 * Listens in the server's place while it is off, and answers nobody. The command line tries twice to have its stream
 * back; a try that comes after it has connected anew makes it think that this connection is lost too.
 */
async function hearKnocks(port: number): Promise<{ twice: Promise<void>; stop(): Promise<void> }> {
  let count = 0
  let resolve: () => void
  const twice = new Promise<void>((done) => (resolve = done))
  const server = createServer((socket) => {
    socket.on('error', () => undefined).destroy()
    if (++count === 2) resolve()
  })
  // The port may be let go a moment after the page says so.
  await expect(async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }).toPass()
  return { twice, stop: () => new Promise((done) => server.close(() => done())) }
}
