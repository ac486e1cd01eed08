import headless, { type Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { OutputFeed } from './output-feed'

const opened: { dispose(): void }[] = []
afterEach(() => {
  for (const item of opened.splice(0)) item.dispose()
})

function openFeed({ isHidden = false } = {}) {
  const terminal: Terminal = new headless.Terminal({ cols: 200, rows: 10, allowProposedApi: true })
  const writes: number[] = []
  let drained = 0
  const feed = new OutputFeed(
    {
      write(data, done) {
        writes.push(data.length)
        terminal.write(data, done)
      },
    },
    { isHidden: () => isHidden, drained: () => void drained++ },
  )
  opened.push(feed, terminal)
  return { feed, terminal, writes, drained: () => drained }
}

const parsed = (feed: OutputFeed, data: string) => new Promise<void>((resolve) => feed.add(data, resolve))

test('every piece is parsed, once and in order, and said to be so after it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 12 }),
      async (sizes) => {
        const { feed, terminal, writes } = openFeed()
        const done: number[] = []
        sizes.forEach((size, index) => feed.add('x'.repeat(size), () => done.push(index)))
        await parsed(feed, '\r\nend')
        expect(done).toEqual(sizes.map((_size, index) => index))
        expect(writes.reduce((sum, length) => sum + length, 0)).toBe(
          sizes.reduce((sum, size) => sum + size, 5),
        )
        const { active } = terminal.buffer
        expect(active.getLine(active.baseY + active.cursorY)?.translateToString(true)).toBe('end')
      },
    ),
    { numRuns: 20 },
  )
})

test('much output is given in portions, so that the page gets turns between', async () => {
  const { feed, writes } = openFeed()
  for (let count = 0; count < 45; count++) feed.add('y'.repeat(7_000))
  feed.add('y'.repeat(70_000))
  await parsed(feed, '')
  expect(Math.max(...writes)).toBe(64 << 10)
  expect(Math.min(...writes.slice(1, -1))).toBeGreaterThan(50_000)
})

test('a hidden page gets few turns, and takes all', async () => {
  const { feed, writes } = openFeed({ isHidden: true })
  for (let count = 0; count < 40; count++) feed.add('y'.repeat(8_000))
  await parsed(feed, '')
  expect(writes).toEqual([8_000, 39 * 8_000])
})

test('it is told when nothing is left, after the last piece was said to be parsed', async () => {
  const { feed, drained } = openFeed()
  const seen: number[] = []
  for (let count = 0; count < 5; count++) feed.add('z'.repeat(30_000), () => seen.push(drained()))
  await parsed(feed, '')
  expect(seen).toEqual([0, 0, 0, 0, 0])
  expect(drained()).toBe(1)
  await parsed(feed, 'more')
  expect(drained()).toBe(2)
})

test('what is forgotten is not parsed any more, and what comes then is', async () => {
  const { feed, terminal } = openFeed()
  feed.add('first ')
  feed.add('forgotten')
  feed.clear()
  await parsed(feed, 'last')
  expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('first last')
})
