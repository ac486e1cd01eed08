import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from './harness'

const folder = fileURLToPath(new URL('../../.cache/review-shots', import.meta.url))

/** Every state of a review, to be looked at: name, query, width and height. */
const shots: [name: string, query: string, width?: number, height?: number][] = [
  ['open', 'state=open'],
  ['open-dark', 'state=open&theme=dark'],
  ['open-high-contrast', 'state=open&theme=high-contrast'],
  ['open-narrow', 'state=open&bare', 700, 700],
  ['side-by-side', 'state=open&bare&layout=side-by-side'],
  ['side-by-side-dark', 'state=decided&bare&layout=side-by-side&theme=dark'],
  ['side-by-side-wrapped', 'state=open&bare&layout=side-by-side&wrap', 900],
  ['side-by-side-narrow', 'state=edited&bare&layout=side-by-side', 700, 700],
  ['side-by-side-long-line', 'state=long&bare&layout=side-by-side', 1000, 400],
  ['side-by-side-removal', 'state=removal&bare&layout=side-by-side', 1000, 700],
  ['side-by-side-new', 'state=new&bare&layout=side-by-side', 1000, 560],
  ['decided', 'state=decided&bare'],
  ['decided-dark', 'state=decided&bare&theme=dark'],
  ['edited', 'state=edited&bare'],
  ['new', 'state=new&bare', 1000, 560],
  ['emptied', 'state=emptied&bare', 1000, 560],
  ['line-ends', 'state=line-ends&bare', 1000, 400],
  ['crlf', 'state=crlf&bare', 1000, 560],
  ['mixed', 'state=mixed&bare', 1000, 400],
  ['white-space', 'state=whitespace&bare&nospace', 1000, 400],
  ['spaces', 'state=spaces&bare', 1000, 560],
  ['binary', 'state=binary&bare', 1000, 400],
  ['queued', 'state=queued', 1000, 560],
  ['awaiting', 'state=awaiting&bare', 1000, 560],
  ['overdue', 'state=overdue&bare', 1000, 560],
  ['orphaned', 'state=orphaned&bare', 1000, 560],
  ['stale', 'state=stale&bare&theme=dark'],
  ['offered', 'state=offered&bare', 1000, 560],
  ['chips', 'state=chips&bare', 1000, 560],
  ['long-line', 'state=long&bare', 1000, 400],
  ['long-line-wrapped', 'state=long&bare&wrap', 1000, 560],
  ['removal', 'state=removal&bare', 1000, 900],
  ['thousand', 'state=thousand&bare&layout=side-by-side'],
  ['right-to-left', 'state=rtl&bare', 1000, 400],
  ['none', 'state=none', 1000, 560],
]

for (const [name, query, width = 1280, height = 860] of shots) {
  test(name, async ({ open, page: blank }) => {
    await mkdir(folder, { recursive: true })
    await blank.setViewportSize({ width, height })
    const page = await open(query)
    const isEmpty = name === 'none'
    await expect(
      isEmpty ? page.getByText('Nothing to review') : page.getByRole('toolbar', { name: 'Changes' }),
    ).toBeVisible()
    // The last of what comes after the first frame is the colour of the code.
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })
}
