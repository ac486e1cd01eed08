import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Frame, Peer } from '../test/claude-ide-peer'
import { launchChromium } from './chromium'
import { HttpPeer } from './http-peer'
import { endHost, readReady, startHost } from './measured-host'
import { type Row, quantile, rowOf } from './row'

/** How long a selection rests before it is told, in milliseconds: nothing can be quicker. */
const pause = 50
const rounds = 60
/** Keys of one burst, as fast as a person holds Shift and an arrow. */
const burst = 10

interface Ready {
  url: string
  claudeIde: { port: number; lockFiles: string[] }
  gemini: { port: number; discoveryFiles: string[] }
}

/** When frames came, in milliseconds since the epoch. */
interface Agent {
  times: number[]
  next(): Promise<number>
  close(): void
}

/** From the last key press of a burst in the editor, as the browser stamps it, to the frame at the agent. */
export async function run(): Promise<Row[]> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-')))
  const folder = join(home, 'project')
  await mkdir(folder)
  await writeFile(join(folder, 'a.ts'), 'const first = 1\n'.repeat(2000))
  const host = startHost(home, folder, join(home, 'data'))
  const browser = await launchChromium()
  try {
    const ready = await readReady<Ready>(host)
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
    await page.goto(ready.url)
    await page.getByRole('treeitem', { name: 'a.ts' }).dblclick()
    await page.getByRole('textbox', { name: /^Editor: / }).click()
    await page.evaluate(() =>
      document.addEventListener('keydown', (event) => (window.lastKey = event.timeStamp), { capture: true }),
    )
    const claude = await listenAsClaude(ready)
    const gemini = await listenAsGemini(ready)
    const measured = {
      Claude: await measure(page, claude),
      Gemini: await measure(page, gemini),
    }
    claude.close()
    gemini.close()
    const target = { most: (pause + 20) / pause }
    return Object.entries(measured).flatMap(([name, { times, frames }]) => [
      ...([0.5, 0.99] as const).map((share) =>
        rowOf({
          name: `${name}: key press to frame, of which ${pause} ms rest (p${share * 100})`,
          ours: quantile(times, share),
          limit: pause,
          target,
        }),
      ),
      rowOf({
        name: `${name}: frames of one burst`,
        ours: frames / rounds,
        limit: 1,
        unit: '',
        target: { most: 1 },
      }),
    ])
  } finally {
    await browser.close()
    await endHost(host)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function measure(page: Page, agent: Agent): Promise<{ times: number[]; frames: number }> {
  const times: number[] = []
  let frames = 0
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    agent.times.length = 0
    for (let step = 1; step < burst; step++) await page.keyboard.press('Shift+ArrowDown')
    // What was told before the last key says nothing of it.
    const told = agent.next()
    await page.keyboard.press('Shift+ArrowDown')
    const at = await told
    const pressed = await page.evaluate(() => performance.timeOrigin + window.lastKey)
    // A second frame of this burst would have come by then.
    await new Promise((resolve) => setTimeout(resolve, 3 * pause))
    if (round === 0) continue
    times.push((agent.times.at(-1) ?? at) - pressed)
    frames += agent.times.length
  }
  return { times, frames }
}

const now = () => performance.timeOrigin + performance.now()

function collect(): Pick<Agent, 'times' | 'next'> & { hear(): void } {
  const times: number[] = []
  let heard: (time: number) => void = () => undefined
  return {
    times,
    next: () => new Promise((resolve) => (heard = resolve)),
    hear() {
      times.push(now())
      heard(now())
    },
  }
}

async function listenAsClaude({ claudeIde: { port, lockFiles } }: Ready): Promise<Agent> {
  const { authToken } = JSON.parse(readFileSync(lockFiles[0] ?? '', 'utf8')) as { authToken: string }
  const peer = await Peer.connect({ port, token: authToken })
  const agent = collect()
  peer.socket.on('message', (data: Buffer) => {
    if ((JSON.parse(data.toString()) as Frame).method === 'selection_changed') agent.hear()
  })
  return { ...agent, close: () => peer.dispose() }
}

async function listenAsGemini({ gemini: { port, discoveryFiles } }: Ready): Promise<Agent> {
  const { authToken } = JSON.parse(readFileSync(discoveryFiles[0] ?? '', 'utf8')) as { authToken: string }
  const peer = await HttpPeer.open({ port, token: authToken })
  const agent = collect()
  const first = agent.next()
  await peer.listen(() => agent.hear())
  await first
  return { ...agent, close: () => peer.close() }
}

declare global {
  interface Window {
    lastKey: number
  }
}
