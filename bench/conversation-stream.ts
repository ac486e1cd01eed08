import { openBenchPage } from './bench-page'
import { type Row, quantile, rowOf } from './row'
import type {} from './pages/conversation-stream'

const milliseconds = 4000
const rounds = 3
const [short, long] = [2_000, 400_000]

/**
 * 200 pieces a second into the last of 2,000 messages, told every 16 ms as the host does: in the app's conversation and
 * as text in a bare page, in turns. And the same into a message of 400,000 characters beside one of 2,000: what is
 * said already must cost nothing.
 */
export async function run(): Promise<Row[]> {
  const { page, close } = await openBenchPage('conversation-stream')
  try {
    const take = (kind: 'ours' | 'bare', characters: number) =>
      page.evaluate(([which, count, time]) => window.streamBench.stream(which, count, time), [
        kind,
        characters,
        milliseconds,
      ] as const)
    const sample = async (kind: 'ours' | 'bare', characters: number) => {
      const figures = await take(kind, characters)
      if (figures.work.length < 50) throw new Error(`only ${figures.work.length} batches were drawn`)
      return figures
    }
    const ours = { frames: [] as number[], work: [] as number[], long: [] as number[] }
    const bare = { frames: [] as number[], work: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      const own = await sample('ours', short)
      const limit = await sample('bare', short)
      const grown = await sample('ours', long)
      ours.frames.push(...own.frames)
      ours.work.push(...own.work)
      ours.long.push(...grown.work)
      bare.frames.push(...limit.frames)
      bare.work.push(...limit.work)
    }
    return [
      rowOf({
        name: '200 pieces/s, time between frames, p99',
        ours: quantile(ours.frames, 0.99),
        limit: quantile(bare.frames, 0.99),
        target: { most: 2 },
      }),
      rowOf({
        name: '200 pieces/s, piece to painted, p50',
        ours: quantile(ours.work, 0.5),
        limit: quantile(bare.work, 0.5),
        target: null,
      }),
      rowOf({
        name: 'into 400,000 characters, beside 2,000, p50',
        ours: quantile(ours.long, 0.5),
        limit: quantile(ours.work, 0.5),
        target: { most: 1.5 },
      }),
    ]
  } finally {
    await close()
  }
}
