import { fork, type ChildProcess } from 'node:child_process'
import { HttpPeer } from './http-peer'
import { medianCall, rateInFlight } from './call-rate'
import { quantile, type Row, rowOf } from './row'
import serverPath from './streamable-http-server?modulePath'

const kinds = ['limit', 'ours'] as const
type Kind = (typeof kinds)[number]

interface RunningServer {
  port: number
  token: string
  child: ChildProcess
}

/** Measures MCP over Streamable HTTP: our companion server beside one of bare node:http and JSON. */
export async function run(): Promise<Row[]> {
  const servers = { limit: await startServer('limit'), ours: await startServer('ours') }
  try {
    const serial = await within(
      'serial',
      alternate(8, (kind) => measureSerial(servers[kind])),
    )
    const rate = await within(
      'rate',
      alternate(5, (kind) => measureRate(servers[kind])),
    )
    const large = await within(
      'large',
      alternate(3, (kind) => measureLarge(servers[kind])),
    )
    const answered = await within('sessions', measureSessions(servers.ours))
    const context = await within('context', measureContext(servers.ours))
    const heap = await within('heap', measureHeap())
    return [
      row('one call after another (p50)', serial, 'ms', { most: 2 }),
      row('16 calls in flight', rate, 'calls/s', { least: 0.5 }),
      row('25 MB openDiff, until it is answered', large, 'ms', null),
      rowOf({
        name: '100 sessions at once: answered, for themselves',
        ours: answered,
        limit: 100,
        unit: '',
        target: { least: 1 },
      }),
      rowOf({
        name: 'heap after collection at call 10,000, beside call 2,000',
        ours: heap.late / 1e6,
        limit: heap.early / 1e6,
        unit: 'MB',
        target: { most: 1.1 },
      }),
      contextRow('p50', quantile(context.waits, 0.5)),
      contextRow('p99', quantile(context.waits, 0.99)),
      rowOf({
        name: 'contextUpdate frames for each burst of changes',
        ours: context.frames / context.waits.length,
        limit: 1,
        unit: '',
        target: { most: 1 },
      }),
    ]
  } finally {
    for (const kind of kinds) servers[kind].child.disconnect()
  }
}

/** A part that takes longer than this, in milliseconds, has stopped. */
const patience = 60_000

/** What does not come to an end is said by its name. */
async function within<T>(part: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`“${part}” did not come to its end`)), patience)
  })
  try {
    return await Promise.race([work, tooLong])
  } finally {
    clearTimeout(timer)
  }
}

async function alternate(
  rounds: number,
  measure: (kind: Kind) => Promise<number>,
): Promise<Record<Kind, number[]>> {
  const figures: Record<Kind, number[]> = { limit: [], ours: [] }
  // The first round warms both up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const figure = await measure(kind)
      if (round > 0) figures[kind].push(figure)
    }
  }
  return figures
}

function row(name: string, figures: Record<Kind, number[]>, unit: string, target: Row['target']): Row {
  const middle = { ours: quantile(figures.ours, 0.5), limit: quantile(figures.limit, 0.5) }
  return rowOf({ name, ...middle, unit, ...(target ? { target } : {}) })
}

function contextRow(which: string, ours: number): Row {
  const name = `contextUpdate after the last change (${which}), beside its rest of 50 ms and 20`
  return rowOf({ name, ours, limit: 70, target: { most: 1 } })
}

async function startServer(kind: Kind): Promise<RunningServer> {
  const stdio: ['ignore', 'inherit', 'inherit', 'ipc'] = ['ignore', 'inherit', 'inherit', 'ipc']
  const child = fork(serverPath, [kind], { stdio, execArgv: ['--expose-gc'] })
  const { port, token } = await message<{ port: number; token: string }>(child, 'port')
  return { port, token, child }
}

function message<T extends object>(child: ChildProcess, field: keyof T & string): Promise<T> {
  return new Promise((resolve, reject) => {
    const hear = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || !(field in value)) return
      child.off('message', hear).off('exit', gone)
      resolve(value as T)
    }
    const gone = (code: number | null): void => reject(new Error(`a measured process ended with ${code}`))
    child.on('message', hear).on('exit', gone)
  })
}

async function measureSerial(server: RunningServer): Promise<number> {
  const peer = await HttpPeer.open(server)
  const median = await medianCall(() => peer.call(), 400)
  peer.close()
  return median
}

async function measureRate(server: RunningServer): Promise<number> {
  const peer = await HttpPeer.open(server)
  const rate = await rateInFlight(() => peer.call(), { total: 1500, inFlight: 16 })
  peer.close()
  return rate
}

const text = 'a line of text that is neither short nor long, ünicode\n'.repeat(465_000)

async function measureLarge(server: RunningServer): Promise<number> {
  const peer = await HttpPeer.open(server)
  const params = { name: 'openDiff', arguments: { filePath: '/nowhere/a.ts', newContent: text } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'large', method: 'tools/call', params })
  const begun = performance.now()
  await peer.post(body)
  const time = performance.now() - begun
  await peer.call()
  peer.close()
  return time
}

/** How many of 100 sessions get their own answers while all of them ask. */
async function measureSessions(server: RunningServer): Promise<number> {
  const peers = await Promise.all(Array.from({ length: 100 }, () => HttpPeer.open(server)))
  await Promise.all(peers.map((peer) => peer.listen(() => undefined)))
  const answers = await Promise.all(
    peers.map(async (peer) => {
      for (let i = 0; i < 20; i += 1) await peer.call()
      return JSON.parse(await peer.call()) as { id?: number; result?: object }
    }),
  )
  for (const peer of peers) peer.close()
  return answers.filter(({ id, result }) => id === 22 && result !== undefined).length
}

/** In a server of its own, so that nothing that other parts have left goes meanwhile. */
async function measureHeap(): Promise<{ early: number; late: number }> {
  const server = await startServer('ours')
  const peer = await HttpPeer.open(server)
  await peer.listen(() => undefined)
  const heapNow = async (): Promise<number> => {
    const told = message<{ heap: number }>(server.child, 'heap')
    server.child.send('heap')
    return (await told).heap
  }
  const call = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 4) await Promise.all([1, 2, 3, 4].map(() => peer.call()))
  }
  await call(2000)
  const early = await heapNow()
  await call(8000)
  const late = await heapNow()
  peer.close()
  server.child.disconnect()
  return { early, late }
}

/** Bursts of changes: how long after the last one the frame comes, in milliseconds, and how many frames came. */
async function measureContext(server: RunningServer): Promise<{ waits: number[]; frames: number }> {
  const peer = await HttpPeer.open(server)
  let frames = 0
  let heard: (at: number) => void = () => undefined
  const first = new Promise<number>((resolve) => (heard = resolve))
  await peer.listen(() => {
    frames += 1
    heard(performance.timeOrigin + performance.now())
  })
  await first
  frames = 0
  const waits: number[] = []
  for (let i = 0; i < 100; i += 1) {
    const arrived = new Promise<number>((resolve) => (heard = resolve))
    const changed = message<{ changedAt: number }>(server.child, 'changedAt')
    server.child.send('burst')
    const { changedAt } = await changed
    waits.push((await arrived) - changedAt)
  }
  // A second frame of the last burst would come by then.
  await new Promise((resolve) => setTimeout(resolve, 200))
  peer.close()
  return { waits, frames }
}
