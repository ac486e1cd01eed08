import { join } from 'node:path'
import type { Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { servePage } from '../test/page-server'
import { launchChromium } from './chromium'

/** A page that measures itself, open in a Chromium of its own. */
export interface BenchPage {
  readonly page: Page
  /** Ends the browser and the server. */
  close(): Promise<void>
}

/**
 * Builds bench/pages/NAME.tsx with the pages' one HTML, serves it on loopback and opens it. Faults of the page are
 * printed.
 */
export async function openBenchPage(name: string, switches: readonly string[] = []): Promise<BenchPage> {
  const root = join(process.cwd(), 'bench', 'pages')
  const folder = join(process.cwd(), '.cache', 'bench', 'pages', name)
  await build({
    root,
    configFile: false,
    plugins: [react()],
    logLevel: 'warn',
    base: './',
    resolve: { alias: { 'measured-page': join(root, `${name}.tsx`) } },
    build: { outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: 4000 },
  })
  const server = await servePage(folder)
  const browser = await launchChromium(switches)
  const close = async () => {
    await browser.close()
    server.dispose()
  }
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
    page.on('pageerror', (error) => console.error(error))
    await page.goto(`${server.address}index.html`)
    return { page, close }
  } catch (error) {
    await close()
    throw error
  }
}
