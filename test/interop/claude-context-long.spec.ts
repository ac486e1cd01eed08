import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from './claude-in-app'
import { expect } from './cli-in-app'

test('off for longer than the command line tries: its /ide connects it anew', async ({ claude }) => {
  await claude.start()
  const terminal = await claude.openClaude()
  const { page } = claude
  await page.getByRole('button', { name: 'Connections panel' }).click()
  const connections = page.getByRole('region', { name: 'Connections' })
  const port = Number(/ws:\/\/127\.0\.0\.1:(\d+)/.exec(await connections.innerText())?.[1])
  const connect = page.getByRole('switch', { name: 'Let Claude Code connect' })
  await connect.click()
  await expect(connections).toContainText('Its port is closed')
  // It tries five times: at once, after about 1, 3 and 8 seconds, and for the last time after 14 to 17.
  const off = Date.now()
  let lastTry = off
  const nobody = createServer((socket) => {
    lastTry = Date.now()
    socket.destroy()
  })
  // The port may be let go a moment after the page says so.
  await expect(async () => {
    nobody.listen(port, '127.0.0.1')
    await once(nobody, 'listening')
  }).toPass()
  await expect.poll(() => lastTry - off).toBeGreaterThan(12_000)
  await new Promise((resolve) => nobody.close(resolve))
  await connect.click()
  await expect(page.getByRole('button', { name: 'Claude: not connected' })).toBeVisible()
  await claude.prompt(terminal, '/ide')
  await claude.answer(terminal, 'Enter', 'Connect to an IDE')
  await claude.answer(terminal, 'Enter', 'Connect to your IDE automatically?')
  await claude.connected(1)
})
