import { expect } from '@playwright/test'

/** A place or size on the page once it no longer changes: two readings, a tenth of a second apart, agree. In CSS pixels. */
export async function steady(read: () => Promise<number | undefined>): Promise<number> {
  let latest = Number.NaN
  const isSame = async () => {
    const before = latest
    latest = (await read()) ?? Number.NaN
    return latest === before
  }
  await expect.poll(isSame, { intervals: [100] }).toBe(true)
  return latest
}
