import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test as base } from '@playwright/test'
import { Place, type Ready } from './running-host'

interface Fixtures {
  place: Place
  ready: Ready
  /** A new once-only link, as a second start gets it. */
  link: () => Promise<string>
}

const test = base.extend<Fixtures>({
  place: async ({}, use) => {
    const place = new Place()
    await use(place)
    await place.dispose()
  },
  ready: async ({ place }, use) => {
    const host = await place.start()
    await use(await host.ready())
  },
  link: async ({ place }, use) => {
    await use(async () => {
      const { stdout } = await place.run([place.project, '--headless', '--data-dir', place.data])
      return (JSON.parse(stdout) as Ready).url
    })
  },
})

test('a link works once, and the address keeps neither code nor token', async ({ page, ready, browser }) => {
  await page.goto(ready.url)
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/w\/[\w-]+\/$/)
  const stranger = await browser.newContext()
  const refused = await (await stranger.newPage()).goto(ready.url)
  expect(refused?.status()).toBe(403)
  await stranger.close()
})

test('the cookie alone is not enough, nor is the token', async ({ page, ready, browser, context }) => {
  await page.goto(ready.url)
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  const cookies = await context.cookies()
  expect(cookies).toMatchObject([
    { name: `greenlight-${new URL(ready.url).port}`, httpOnly: true, sameSite: 'Strict', path: '/' },
  ])
  expect(await page.evaluate(() => document.cookie)).toBe('')

  // What another server on this machine would have: it receives the cookie, for cookies ignore ports.
  const thief = await browser.newContext()
  await thief.addCookies(cookies)
  const stolen = await thief.newPage()
  await stolen.goto(page.url())
  await expect(stolen.getByRole('tree', { name: 'Files' })).toHaveCount(0)
  const answer = await stolen.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(new URL('channel', location.href).href.replace('http:', 'ws:'))
        socket.onopen = () =>
          socket.send(JSON.stringify({ t: 'hello', page: 'x', token: '', takeOver: true }))
        socket.onmessage = (event) => resolve(String(event.data))
      }),
  )
  expect(answer).toBe('{"t":"refused"}')
  await thief.close()

  const tokenOnly = await browser.newContext()
  const response = await (await tokenOnly.newPage()).goto(page.url())
  expect(response?.status()).toBe(403)
  await tokenOnly.close()
})

test('a page of another origin cannot open the channel, frame the page or read it', async ({
  page,
  ready,
  context,
}) => {
  await page.goto(ready.url)
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  const evil = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>evil</title>')
  })
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
  const { port } = evil.address() as AddressInfo
  const other = await context.newPage()
  // The same address with another port: the browser sends our cookie there and back.
  await other.goto(`http://127.0.0.1:${port}/`)
  const outcome = await other.evaluate(async (address) => {
    const socket = await new Promise<string>((resolve) => {
      const opened = new WebSocket(`${address.replace('http:', 'ws:')}channel`)
      opened.onopen = () => resolve('open')
      opened.onerror = () => resolve('refused')
    })
    const read = await fetch(address, { credentials: 'include' }).then(
      () => 'read',
      () => 'refused',
    )
    const frame = document.createElement('iframe')
    frame.src = address
    document.body.append(frame)
    await new Promise((resolve) => {
      frame.onload = resolve
    })
    return { socket, read, framed: frame.contentDocument !== null }
  }, page.url())
  expect(outcome).toEqual({ socket: 'refused', read: 'refused', framed: false })
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  evil.close()
})

test('a link followed from another site lets the person in all the same', async ({ page, ready }) => {
  const site = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><a href="${ready.url}">open</a>`)
  })
  await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve))
  const { port } = site.address() as AddressInfo
  await page.goto(`http://localhost:${port}/`)
  await page.getByRole('link', { name: 'open' }).click()
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  site.close()
})

test('a file that leads to the link lets the browser in that opens it', async ({ page, place, ready }) => {
  // As the app hands it to a browser that it starts itself.
  const file = join(place.base, 'link.html')
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${ready.url}">`)
  await page.goto(pathToFileURL(file).href)
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/w\/[\w-]+\/$/)
})

test('the page’s policy lets no inline script run and nothing be fetched from elsewhere', async ({
  page,
  ready,
}) => {
  const response = await page.goto(ready.url)
  expect(response?.headers()['content-security-policy']).toContain("script-src 'self'")
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  const outcome = await page.evaluate(async () => {
    const script = document.createElement('script')
    script.textContent = 'globalThis.inlineRan = true'
    document.body.append(script)
    const fetched = await fetch('http://localhost:1/').then(
      () => 'fetched',
      () => 'refused',
    )
    return { ran: 'inlineRan' in globalThis, fetched }
  })
  expect(outcome).toEqual({ ran: false, fetched: 'refused' })
})

test('a reload keeps the page in, without a new link', async ({ page, ready }) => {
  await page.goto(ready.url)
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
})

test('a second page is told that the window is open elsewhere and takes over whole', async ({
  page,
  ready,
  context,
}) => {
  await page.goto(ready.url)
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  const second = await context.newPage()
  await second.goto(page.url())
  await second.getByRole('button', { name: 'Use here' }).click()
  await expect(second.getByRole('tree', { name: 'Files' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use here' })).toBeVisible()
  await page.getByRole('button', { name: 'Use here' }).click()
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  await expect(second.getByRole('button', { name: 'Use here' })).toBeVisible()
})

test('a new link lets another browser in, which may take over', async ({ page, ready, link, browser }) => {
  await page.goto(ready.url)
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await other.goto(await link())
  await other.getByRole('button', { name: 'Use here' }).click()
  await expect(other.getByRole('tree', { name: 'Files' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use here' })).toBeVisible()
  await elsewhere.close()
})
