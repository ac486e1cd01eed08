import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'

/** Chromium as the benchmarks use it, with further switches if given. The caller closes it. */
export function launchChromium(switches: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...switches, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
}
