import { fork, type ChildProcess } from 'node:child_process'
import { type HttpAddress, HttpPeer } from './http-peer'
import { medianCall, rateInFlight } from './call-rate'
import { startAgentHost } from './measured-host'
import { quantile, type Row, rowOf } from './row'
import serverPath from './streamable-http-server?modulePath'

const kinds = ['limit', 'ours'] as const
type Kind = (typeof kinds)[number]

interface RunningServer extends HttpAddress {
  child: ChildProcess
}

/**
 * Measures MCP over Streamable HTTP from outside: the built app beside a server of bare node:http and JSON. Heap and
 * context are those of our server in a process of its own.
 */
export async function run(): Promise<Row[]> {
  const app = await startAgentHost()
  const limit = await startServer('limit')
  const alone = await startServer('ours')
  const servers = { limit, ours: app.gemini }
  try {
    const connect = await within(
      'connect',
      alternate(8, (kind) => measureConnect(servers[kind])),
    )
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
    const sessions = await within(
      'sessions',
      alternate(4, (kind) => measureSessions(servers[kind])),
    )
    const after = await within(
      '1 MB',
      alternate(7, (kind) => measureNext(servers[kind])),
    )
    const context = await within('context', measureContext(alone))
    const heap = await within('heap', measureHeap())
    return [
      row('connect and initialize (p50)', connect, 'ms', { most: 2 }),
      row('one call after another (p50)', serial, 'ms', { most: 2 }),
      row('16 calls in flight', rate, 'calls/s', { least: 0.5 }),
      row('25 MB openDiff, until it is answered', large, 'ms', null),
      row('1 MB openDiff, then the next call', after, 'ms', { most: 1.5 }),
      rowOf({
        name: '100 sessions at once: answered, for themselves',
        ours: Math.min(...sessions.ours.map(({ answered }) => answered)),
        limit: 100,
        unit: '',
        target: { least: 1 },
      }),
      row(
        '100 sessions at once',
        pick(sessions, ({ rate }) => rate),
        'calls/s',
        { least: 0.35 },
      ),
      rowOf({
        name: '100 sessions at once: p99 of their calls beside the median',
        ours: quantile(
          sessions.ours.map(({ p99 }) => p99),
          0.5,
        ),
        limit: quantile(
          sessions.ours.map(({ p50 }) => p50),
          0.5,
        ),
        target: { most: 3 },
      }),
      row(
        '100 sessions at once: p99 of their calls',
        pick(sessions, ({ p99 }) => p99),
        'ms',
        null,
      ),
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
    limit.child.disconnect()
    alone.child.disconnect()
    await app.end()
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

async function alternate<T>(rounds: number, measure: (kind: Kind) => Promise<T>): Promise<Record<Kind, T[]>> {
  const figures: Record<Kind, T[]> = { limit: [], ours: [] }
  // The first round warms both up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const figure = await measure(kind)
      if (round > 0) figures[kind].push(figure)
    }
  }
  return figures
}

function pick<T>(figures: Record<Kind, T[]>, of: (figure: T) => number): Record<Kind, number[]> {
  return { limit: figures.limit.map(of), ours: figures.ours.map(of) }
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

/** A client that comes: its connection, and the answer to its first message. */
async function measureConnect(server: HttpAddress): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 30; i += 1) {
    const begun = performance.now()
    const peer = await HttpPeer.open(server)
    times.push(performance.now() - begun)
    peer.close()
  }
  return quantile(times, 0.5)
}

async function measureSerial(server: HttpAddress): Promise<number> {
  const peer = await HttpPeer.open(server)
  const median = await medianCall(() => peer.call(), 400)
  peer.close()
  return median
}

async function measureRate(server: HttpAddress): Promise<number> {
  const peer = await HttpPeer.open(server)
  const rate = await rateInFlight(() => peer.call(), { total: 1500, inFlight: 16 })
  peer.close()
  return rate
}

const text = 'a line of text that is neither short nor long, ünicode\n'.repeat(465_000)

async function measureLarge(server: HttpAddress): Promise<number> {
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

/** How long a call takes that comes right behind an openDiff of 1 MB. */
async function measureNext(server: HttpAddress): Promise<number> {
  const peer = await HttpPeer.open(server)
  const filePath = '/nowhere/a.ts'
  const args = { filePath, newContent: text.slice(0, 1024 * 1024) }
  const begun = performance.now()
  const opened = peer.request('tools/call', { name: 'openDiff', arguments: args })
  await peer.request('tools/list', {})
  const time = performance.now() - begun
  await opened
  await peer.call()
  peer.close()
  return time
}

/** 100 sessions that all ask: how many get their own answers, calls a second, and the times of their calls. */
async function measureSessions(
  server: HttpAddress,
): Promise<{ answered: number; rate: number; p50: number; p99: number }> {
  const peers = await Promise.all(Array.from({ length: 100 }, () => HttpPeer.open(server)))
  await Promise.all(peers.map((peer) => peer.listen(() => undefined)))
  const times: number[] = []
  const calls = 21
  const begun = performance.now()
  const answers = await Promise.all(
    peers.map(async (peer) => {
      let last = ''
      for (let i = 0; i < calls; i += 1) {
        const asked = performance.now()
        last = await peer.call()
        times.push(performance.now() - asked)
      }
      return JSON.parse(last) as { id?: number; result?: object }
    }),
  )
  const rate = times.length / ((performance.now() - begun) / 1000)
  for (const peer of peers) peer.close()
  const answered = answers.filter(({ id, result }) => id === calls + 1 && result !== undefined).length
  return { answered, rate, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
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
