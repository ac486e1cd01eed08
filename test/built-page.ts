import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Page, test as base } from '@playwright/test'
import { build } from 'vite'
import { servePage } from './page-server'

/**
 * Specs on a page of the folder `test/NAME`, which is built once for each worker and served on loopback; a fault in its
 * console fails the test.
 */
export function builtPage(name: string, usual = '') {
  const cache = fileURLToPath(new URL(`../.cache/${name}`, import.meta.url))
  return base.extend<{ open: (query?: string) => Promise<Page> }, { address: string }>({
    address: [
      async ({}, use, { parallelIndex }) => {
        // Workers run side by side, and a build empties its folder first.
        const folder = join(cache, String(parallelIndex))
        const configFile = fileURLToPath(new URL(`${name}/vite.config.ts`, import.meta.url))
        await build({ configFile, build: { outDir: folder }, logLevel: 'warn' })
        const server = await servePage(folder)
        await use(server.address)
        server.dispose()
      },
      { scope: 'worker', timeout: 120_000 },
    ],
    open: async ({ page, address }, use) => {
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      await use(async (query = usual) => {
        await page.goto(`${address}index.html?${query}`)
        return page
      })
      base.expect(faults).toEqual([])
    },
  })
}
