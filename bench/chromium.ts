import { type Browser, chromium } from '@playwright/test'
import { findTestChromium } from '../scripts/chromium.mjs'

/** Chromium as the benchmarks use it, with further switches if given. The caller closes it. */
export function launchChromium(switches: readonly string[] = []): Promise<Browser> {
  const executablePath = findTestChromium()
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...switches, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
}
