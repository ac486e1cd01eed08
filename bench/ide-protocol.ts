import { fork, type ChildProcess } from 'node:child_process'
import { Peer, type ServerAddress } from './ide-protocol-peer'
import senderPath from './ide-protocol-sender?modulePath'
import serverPath from './ide-protocol-server?modulePath'
import { medianCall, rateInFlight } from './call-rate'
import { quantile, type Row, rowOf } from './row'

const kinds = ['limit', 'ours'] as const
type Kind = (typeof kinds)[number]
/** One figure per round and kind. */
type Figures = Record<Kind, number[]>

/** A server in a process of its own. */
interface RunningServer extends ServerAddress {
  child: ChildProcess
}

/** Measures the IDE protocol over ws: our server beside one of bare ws and JSON. Takes about a minute. */
export async function run(): Promise<Row[]> {
  const servers = { limit: await startServer('limit'), ours: await startServer('ours') }
  const sender = fork(senderPath, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await message(sender, (value) => value === 'ready')
  try {
    const connect = await alternate(12, (kind) => measureConnect(servers[kind]))
    const serial = await alternate(12, (kind) => measureSerial(servers[kind]))
    const many = await alternate(4, (kind) => measureInFlight(servers[kind]))
    const clients = await alternate(3, (kind) => measureClients(servers[kind]))
    const memory = await alternate(1, (kind) => measureMemory(servers[kind]))
    const large = await alternate(7, (kind) => measureLarge(servers[kind], sender))
    return [
      row('connect, initialize, list (p50)', pick(connect), 'ms', { most: 1.5 }),
      row('one call after another (p50)', pick(serial), 'ms', { most: 1.5 }),
      row('64 calls in flight', pick(many), 'calls/s', null),
      row(
        '100 clients',
        pick(clients, (each) => each.rate),
        'calls/s',
        { least: 0.35 },
      ),
      fairness(clients.ours),
      row('memory after 100 clients', pick(memory), 'MB', { most: 2 }),
      row(
        '10 MB openDiff, then the next call',
        pick(large, (each) => each.next),
        'ms',
        { most: 2 },
      ),
      row(
        "another client's p99 meanwhile, beside the limit's longest wait",
        { ours: large.ours.map((each) => each.p99), limit: large.limit.map((each) => each.longest) },
        'ms',
        { most: 0.25 },
      ),
      row(
        'longest wait of another client meanwhile',
        pick(large, (each) => each.longest),
        'ms',
        null,
      ),
    ]
  } finally {
    sender.kill()
    for (const kind of kinds) servers[kind].child.disconnect()
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

function pick(figures: Figures): Figures
function pick<T>(figures: Record<Kind, T[]>, of: (figure: T) => number): Figures
function pick<T>(figures: Record<Kind, T[]>, of?: (figure: T) => number): Figures {
  const numbers = (list: T[]): number[] => list.map((figure) => (of ? of(figure) : (figure as number)))
  return { limit: numbers(figures.limit), ours: numbers(figures.ours) }
}

function row(name: string, figures: Figures, unit: string, target: Row['target']): Row {
  const middle = { ours: quantile(figures.ours, 0.5), limit: quantile(figures.limit, 0.5) }
  return rowOf({ name, ...middle, unit, ...(target ? { target } : {}) })
}

/** How much worse the slowest of 100 clients has it than the one in the middle; its own limit is 1. */
function fairness(rounds: readonly { slowest: number; median: number }[]): Row {
  const ours = quantile(
    rounds.map((round) => round.slowest),
    0.5,
  )
  const limit = quantile(
    rounds.map((round) => round.median),
    0.5,
  )
  const name = "100 clients: slowest client's p99 beside the median client's"
  return rowOf({ name, ours, limit, target: { most: 3 }, unit: 'ms' })
}

async function startServer(kind: Kind): Promise<RunningServer> {
  const stdio: ['ignore', 'inherit', 'inherit', 'ipc'] = ['ignore', 'inherit', 'inherit', 'ipc']
  const child = fork(serverPath, [kind], { stdio, execArgv: ['--expose-gc'] })
  const address = (await message(child, (value) => hasField(value, 'port'))) as ServerAddress
  return { ...address, child }
}

function hasField(value: unknown, field: string): boolean {
  return typeof value === 'object' && value !== null && field in value
}

function message(child: ChildProcess, wanted: (value: unknown) => boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const hear = (value: unknown): void => {
      if (!wanted(value)) return
      child.off('message', hear).off('exit', gone)
      resolve(value)
    }
    const gone = (code: number | null): void => reject(new Error(`a measured process ended with ${code}`))
    child.on('message', hear).on('exit', gone)
  })
}

async function measureConnect(server: ServerAddress): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 40; i += 1) {
    const begun = performance.now()
    const peer = await Peer.open(server)
    times.push(performance.now() - begun)
    await peer.close()
  }
  return quantile(times, 0.5)
}

async function measureSerial(server: ServerAddress): Promise<number> {
  const peer = await Peer.open(server)
  const median = await medianCall(() => peer.call(), 1500)
  await peer.close()
  return median
}

async function measureInFlight(server: ServerAddress): Promise<number> {
  const peer = await Peer.open(server)
  const rate = await rateInFlight(() => peer.call(), { total: 20_000, inFlight: 64 })
  await peer.close()
  return rate
}

async function measureClients(
  server: ServerAddress,
): Promise<{ rate: number; slowest: number; median: number }> {
  const peers = await Promise.all(Array.from({ length: 100 }, () => Peer.open(server)))
  const calls = 200
  const begun = performance.now()
  const worst = await Promise.all(
    peers.map(async (peer) => {
      const times: number[] = []
      for (let i = 0; i < calls; i += 1) {
        const asked = performance.now()
        await peer.call()
        times.push(performance.now() - asked)
      }
      return quantile(times, 0.99)
    }),
  )
  const rate = (peers.length * calls) / ((performance.now() - begun) / 1000)
  await Promise.all(peers.map((peer) => peer.close()))
  return { rate, slowest: Math.max(...worst), median: quantile(worst, 0.5) }
}

async function measureMemory({ child }: RunningServer): Promise<number> {
  child.send('memory')
  const { memory } = (await message(child, (value) => hasField(value, 'memory'))) as { memory: number }
  return memory / 1024 / 1024
}

/** Another client calls without a pause while the sender has the server take 10 MB. */
async function measureLarge(
  server: ServerAddress,
  sender: ChildProcess,
): Promise<{ next: number; p99: number; longest: number }> {
  const peer = await Peer.open(server)
  const begin = message(sender, (value) => value === 'begin')
  const next = message(sender, (value) => hasField(value, 'next'))
  const done = message(sender, (value) => value === 'done')
  sender.send({ port: server.port, token: server.token })
  await begin
  let over = false
  const waits: number[] = []
  const calling = (async () => {
    while (!over) {
      const asked = performance.now()
      await peer.call()
      waits.push(performance.now() - asked)
      // Lets this process hear the sender between two calls.
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const figure = (await next) as { next: number }
  over = true
  await calling
  await done
  await peer.close()
  return { next: figure.next, p99: quantile(waits, 0.99), longest: quantile(waits, 1) }
}
