import { quantile } from './row'

/** The median time of a call, one after another, in milliseconds. */
export async function medianCall(call: () => Promise<unknown>, count: number): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < count; i += 1) {
    const begun = performance.now()
    await call()
    times.push(performance.now() - begun)
  }
  return quantile(times, 0.5)
}

/** Calls a second, with so many on their way at once. */
export async function rateInFlight(
  call: () => Promise<unknown>,
  { total, inFlight }: { total: number; inFlight: number },
): Promise<number> {
  let begunCalls = 0
  const work = async (): Promise<void> => {
    while (begunCalls < total) {
      begunCalls += 1
      await call()
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: inFlight }, work))
  return total / ((performance.now() - begun) / 1000)
}
