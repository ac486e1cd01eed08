import { openBenchPage } from './bench-page'
import { type Row, middleRound, quantile, rowOf } from './row'
import type { StreamKind } from './pages/conversation-stream'

const milliseconds = 4000
const rounds = 3
const [least, short, long, most] = [2_000, 10_000, 200_000, 400_000]

/**
 * 200 pieces a second into the last of 2,000 messages, told every 16 ms as the host does: in the app's conversation and
 * as text in a bare page, in turns. And the same into long messages beside short ones, of prose and of one block of
 * code: what is said already must cost nothing. That is told by the clock and by the processor time of the page's
 * thread, which what else the machine does leaves alone.
 */
export async function run(): Promise<Row[]> {
  const { page, close } = await openBenchPage('conversation-stream')
  try {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const processor = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
    }
    const sample = async (kind: StreamKind, characters: number) => {
      await page.evaluate(([which, count]) => window.streamBench.open(which, count), [
        kind,
        characters,
      ] as const)
      const before = await processor()
      const figures = await page.evaluate((time) => window.streamBench.stream(time), milliseconds)
      const used = (await processor()) - before
      if (figures.work.length < 30) throw new Error(`only ${figures.work.length} batches were drawn`)
      return { ...figures, used: used / figures.work.length }
    }
    const clock = { ours: [] as number[], bare: [] as number[], long: [] as number[] }
    const frames = { ours: [] as number[], bare: [] as number[] }
    const used = {
      short: [] as number[],
      long: [] as number[],
      shortCode: [] as number[],
      longCode: [] as number[],
    }
    for (let round = 0; round < rounds; round++) {
      const ours = await sample('ours', least)
      const bare = await sample('bare', least)
      frames.ours.push(...ours.frames)
      frames.bare.push(...bare.frames)
      clock.ours.push(...ours.work)
      clock.bare.push(...bare.work)
      clock.long.push(...(await sample('ours', most)).work)
      used.short.push((await sample('ours', short)).used)
      used.long.push((await sample('ours', long)).used)
      used.shortCode.push((await sample('code', short)).used)
      used.longCode.push((await sample('code', long)).used)
    }
    return [
      rowOf({
        name: '200 pieces/s, time between frames, p99',
        ours: quantile(frames.ours, 0.99),
        limit: quantile(frames.bare, 0.99),
        target: { most: 2 },
      }),
      rowOf({
        name: '200 pieces/s, piece to painted, p50',
        ours: quantile(clock.ours, 0.5),
        limit: quantile(clock.bare, 0.5),
        target: null,
      }),
      rowOf({
        name: 'into 400,000 characters, beside 2,000, p50',
        ours: quantile(clock.long, 0.5),
        limit: quantile(clock.ours, 0.5),
        target: { most: 1.5 },
      }),
      rowOf({
        name: 'processor time of a delta: into 200,000 characters, beside 10,000',
        ...middleRound(used.long, used.short),
        target: { most: 1.2 },
      }),
      rowOf({
        name: 'processor time of a delta: the same in one block of code',
        ...middleRound(used.longCode, used.shortCode),
        target: { most: 1.2 },
      }),
    ]
  } finally {
    await close()
  }
}
