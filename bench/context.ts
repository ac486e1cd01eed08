import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Frame, Peer } from '../test/claude-ide-peer'
import { HttpPeer } from './http-peer'
import { openWindowOn, pageOf, startPlainApp } from '../test/plain-app'
import { type Row, quantile, rowOf } from './row'

/** How long a selection rests before it is told, in milliseconds: nothing can be quicker. */
const pause = 50
const rounds = 60
/** Selections of one burst, as fast as a person drags. */
const burst = 10

/** From the page's last word of a burst of selections to the frame at the agent, through the whole host. */
export async function run(): Promise<Row[]> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-')))
  const folder = join(home, 'project')
  await mkdir(folder)
  const path = join(folder, 'a.ts')
  await writeFile(path, 'const first = 1\n'.repeat(200))
  const app = await startPlainApp(home)
  try {
    const window = await openWindowOn(app, folder)
    const { port, token } = window.parts.folderStates.read([folder]).servers['claude-ide'] ?? {}
    const page = pageOf(window)
    await page.call('tabs.openFile', { path, preview: false })
    await window.openDocuments.get(path)
    const peer = await Peer.connect({ port: port ?? 0, token: token ?? '' })
    const select = (line: number, character: number) => {
      const range = { start: { line, character: 0 }, end: { line, character } }
      return page.call('selection.set', { selection: { path, version: 0, range } })
    }
    const told = (frame: Frame) => frame.method === 'selection_changed'
    const times: number[] = []
    let frames = 0
    for (let round = 0; round < rounds; round += 1) {
      peer.frames.length = 0
      for (let step = 1; step < burst; step += 1) await select(round, step)
      const start = performance.now()
      await select(round, burst)
      await peer.frame(told)
      times.push(performance.now() - start)
      await peer.request('ping', {})
      frames += peer.frames.filter(told).length
    }
    peer.dispose()
    const gemini = await measureGemini(
      window.parts.folderStates.read([folder]).servers['gemini-companion'],
      select,
    )
    const most = { most: (pause + 20) / pause }
    return [
      rowOf({
        name: 'selection to frame, pause of 50 ms (p50)',
        ours: quantile(times, 0.5),
        limit: pause,
        target: most,
      }),
      rowOf({
        name: 'selection to frame, pause of 50 ms (p99)',
        ours: quantile(times, 0.99),
        limit: pause,
        target: most,
      }),
      rowOf({ name: 'frames of one burst', ours: frames / rounds, limit: 1, unit: '', target: { most: 1 } }),
      rowOf({
        name: 'selection to contextUpdate of Gemini (p50)',
        ours: quantile(gemini.times, 0.5),
        limit: pause,
        target: most,
      }),
      rowOf({
        name: 'selection to contextUpdate of Gemini (p99)',
        ours: quantile(gemini.times, 0.99),
        limit: pause,
        target: most,
      }),
      rowOf({
        name: 'contextUpdates of one burst',
        ours: gemini.frames / rounds,
        limit: 1,
        unit: '',
        target: { most: 1 },
      }),
    ]
  } finally {
    await app.shutdown()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The same for what listens on a stream of HTTP. */
async function measureGemini(
  address: { port: number | null; token: string | null } | undefined,
  select: (line: number, character: number) => Promise<unknown>,
): Promise<{ times: number[]; frames: number }> {
  const peer = await HttpPeer.open({ port: address?.port ?? 0, token: address?.token ?? '' })
  const times: number[] = []
  let frames = 0
  let heard: () => void = () => undefined
  const next = () => new Promise<void>((resolve) => (heard = resolve))
  const first = next()
  await peer.listen(() => {
    frames += 1
    heard()
  })
  await first
  frames = 0
  for (let round = 0; round < rounds; round += 1) {
    for (let step = 1; step < burst; step += 1) await select(round + 1, step)
    const told = next()
    const start = performance.now()
    await select(round + 1, burst)
    await told
    times.push(performance.now() - start)
  }
  // A second frame of the last burst would have come by then.
  await new Promise((resolve) => setTimeout(resolve, 4 * pause))
  peer.close()
  return { times, frames }
}
