import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, type Page } from '@playwright/test'
import { build } from 'vite'
import type { FakeHost } from './fake-host'

declare global {
  interface Window {
    reviewHost: FakeHost
    show(id: string | null): void
    activate(isActive: boolean): void
  }
}

const built = fileURLToPath(new URL('../../.cache/review-harness', import.meta.url))
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Builds the page once for a worker and serves it on loopback. */
export const test = base.extend<{ open: (query: string) => Promise<Page> }, { address: string }>({
  address: [
    async ({}, use, { parallelIndex }) => {
      // Workers run side by side, and a build empties its folder first.
      const folder = join(built, String(parallelIndex))
      const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url))
      await build({ configFile, build: { outDir: folder }, logLevel: 'warn' })
      const server = await serve(folder)
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      server.close()
      server.closeAllConnections()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  open: async ({ page, address }, use) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await use(async (query) => {
      await page.goto(`${address}index.html?${query}`)
      return page
    })
    base.expect(faults).toEqual([])
  },
})

export { expect } from '@playwright/test'

async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = join(folder, path.replaceAll('..', ''))
    readFile(file).then(
      (body) => {
        response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
        response.end(body)
      },
      () => {
        response.writeHead(path === '/favicon.ico' ? 204 : 404)
        response.end()
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
