// npm run icon: draws resources/icon.svg as resources/icon.png, 512 by 512 with a clear background.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { ensureChromium, findTestChromium } from './chromium.mjs'
import { ensureInstalled } from './installation.mjs'
import { root } from './programs.mjs'

const size = 512

await ensureInstalled()
await ensureChromium()
const executablePath = findTestChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const drawing = readFileSync(join(root, 'resources', 'icon.svg'), 'utf8')
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`)
  await page.screenshot({ path: join(root, 'resources', 'icon.png'), omitBackground: true })
} finally {
  await browser.close()
}
