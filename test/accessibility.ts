import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** What the WCAG's levels A and AA ask for, as far as a program can tell. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Each fault that axe finds within `region`, in a line; of `rules` alone where they are named. Waits until no colour is
 * on its way any more: between two of them the contrast is that of neither.
 */
export async function accessibilityFaults(
  page: Page,
  region?: string,
  rules: readonly string[] = [],
): Promise<string[]> {
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    return Promise.allSettled(ending.map((animation) => animation.finished)).then(() => undefined)
  })
  // The page has no frames of other origins, so the quicker way tells as much; what is well need not be listed.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  axe.options({ resultTypes: ['violations'], preload: false, iframes: false })
  if (region !== undefined) axe.include(region)
  const { violations } = await (rules.length > 0 ? axe.withRules([...rules]) : axe.withTags(tags)).analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} (${failureSummary ?? ''})`,
    ),
  )
}
