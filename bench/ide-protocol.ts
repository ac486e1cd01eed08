import { fork, type ChildProcess } from 'node:child_process'
import { Peer, type ServerAddress } from './ide-protocol-peer'
import floodPath from './ide-protocol-flood?modulePath'
import senderPath from './ide-protocol-sender?modulePath'
import serverPath from './ide-protocol-server?modulePath'
import { medianCall, rateInFlight } from './call-rate'
import { residentMemory, startAgentHost } from './measured-host'
import { quantile, type Row, rowOf } from './row'

const kinds = ['limit', 'ours'] as const
type Kind = (typeof kinds)[number]
/** One figure per round and kind. */
type Figures = Record<Kind, number[]>

/** A server in a process of its own. */
interface RunningServer extends ServerAddress {
  child: ChildProcess
}

/**
 * Measures the IDE protocol over ws from outside: the built app beside a server of bare ws and JSON. Takes about two
 * minutes.
 */
export async function run(): Promise<Row[]> {
  const app = await startAgentHost()
  const servers = { limit: await startLimit(), ours: { ...app.claude, child: app.host } }
  const sender = await startSender(senderPath)
  const flooder = await startSender(floodPath)
  try {
    const memory = {
      limit: [await measureMemory(servers.limit)],
      ours: [await measureMemory(servers.ours)],
    }
    const first = {
      limit: [(await measureLarge(servers.limit, sender, 1)).next],
      ours: [(await measureLarge(servers.ours, sender, 1)).next],
    }
    const connect = await alternate(12, (kind) => measureConnect(servers[kind]))
    const serial = await alternate(12, (kind) => measureSerial(servers[kind]))
    const many = await alternate(4, (kind) => measureInFlight(servers[kind]))
    const clients = await alternate(3, (kind) => measureClients(servers[kind]))
    const middling = await alternate(7, (kind) => measureLarge(servers[kind], sender, 1))
    const large = await alternate(7, (kind) => measureLarge(servers[kind], sender, 10))
    const flood = await alternate(2, (kind) => measureFlood(servers[kind], flooder, 6000))
    const early = residentMemory(app.host.pid)
    await measureFlood(servers.ours, flooder, 60_000)
    const late = residentMemory(app.host.pid)
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
      row('memory that 100 clients take', memory, 'MB', { most: 2 }),
      row('the first openDiff of 1 MB, then the next call', first, 'ms', null),
      row(
        '1 MB openDiff, then the next call',
        pick(middling, (each) => each.next),
        'ms',
        { most: 1.5 },
      ),
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
      row('another client while one floods the server (p99)', pick(flood), 'ms', { most: 3 }),
      rowOf({
        name: 'memory after a flood of 80,000 bad messages, beside that after 20,000',
        ours: late,
        limit: early,
        unit: 'MB',
        target: { most: 1.5 },
      }),
    ]
  } finally {
    sender.kill()
    flooder.kill()
    servers.limit.child.disconnect()
    await app.end()
  }
}

async function startSender(path: string): Promise<ChildProcess> {
  const sender = fork(path, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await message(sender, (value) => value === 'ready')
  return sender
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

async function startLimit(): Promise<RunningServer> {
  const child = fork(serverPath, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
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

/** How much more memory 100 clients take that have just come and have called a little. */
async function measureMemory({ child, ...server }: RunningServer): Promise<number> {
  const before = residentMemory(child.pid)
  const peers = await Promise.all(Array.from({ length: 100 }, () => Peer.open(server)))
  await Promise.all(peers.map((peer) => medianCall(() => peer.call(), 20)))
  const after = residentMemory(child.pid)
  await Promise.all(peers.map((peer) => peer.close()))
  return after - before
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

/** Another client calls without a pause while the sender has the server take a large text. */
async function measureLarge(
  server: ServerAddress,
  sender: ChildProcess,
  megabytes: number,
): Promise<{ next: number; p99: number; longest: number }> {
  const next = message(sender, (value) => hasField(value, 'next'))
  const done = message(sender, (value) => value === 'done')
  const waits = await callMeanwhile(server, next, () => begin(sender, { megabytes }, server))
  const figure = (await next) as { next: number }
  await done
  return { next: figure.next, p99: quantile(waits, 0.99), longest: quantile(waits, 1) }
}

/** What another client waits for its answers at worst while one sends only what is refused. */
async function measureFlood(server: ServerAddress, flooder: ChildProcess, messages: number): Promise<number> {
  const done = message(flooder, (value) => value === 'done')
  const waits = await callMeanwhile(server, done, () => begin(flooder, { messages }, server))
  return quantile(waits, 0.99)
}

/** Has a sender begin; resolves when it does. */
function begin(sender: ChildProcess, what: object, { port, token }: ServerAddress): Promise<unknown> {
  const begun = message(sender, (value) => value === 'begin')
  sender.send({ ...what, address: { port, token } })
  return begun
}

/** Calls one after another from when something has begun until it is over. Gives the times of the calls. */
async function callMeanwhile(
  server: ServerAddress,
  end: Promise<unknown>,
  begun: () => Promise<unknown>,
): Promise<number[]> {
  const peer = await Peer.open(server)
  let over = false
  void end.then(() => (over = true))
  await begun()
  const waits: number[] = []
  while (!over) {
    const asked = performance.now()
    await peer.call()
    waits.push(performance.now() - asked)
    // Lets this process hear the sender between two calls.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await peer.close()
  return waits
}
