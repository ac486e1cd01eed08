import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { putOnPath } from '../test/program-on-path'
import { endHost, readReady, startHost } from './measured-host'
import { sayAll, stream } from './paced-stream'
import { type Row, middleRound, rowOf } from './row'
import { byRelay, byWebSocket, SdkStreamPeer, type Way } from './sdk-stream-peer'
import parserPath from './sdk-stream-parser?modulePath'
import relayPath from './sdk-stream-relay?modulePath'

const rounds = 3
/** A stream that is measured, and the one before those that are measured warm, in milliseconds. */
const streamed = 5000
const warming = 20_000

/**
 * The processor time of a host with a page on a conversation of 10,000 messages while more is streamed, beside a process
 * that hears the same at the same time and only parses it: both are as warm, on the same busy machine. Told of the first
 * streams, and of those after twenty seconds of another.
 */
export async function streamCost(browser: Browser, carrier: 'WebSocket' | 'stdio'): Promise<Row[]> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-')))
  const [project, data, bin] = [join(home, 'project'), join(home, 'data'), join(home, 'bin')]
  for (const folder of [project, data]) mkdirSync(folder)
  const trusted = { version: 1, folders: [{ path: project, mayRun: true }] }
  writeFileSync(join(data, 'trusted-folders.json'), JSON.stringify(trusted))
  putOnPath(bin, 'claude', relayPath)
  const relays = createServer().listen(0, '127.0.0.1')
  await once(relays, 'listening')
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    BENCH_RELAY_PORT: String((relays.address() as AddressInfo).port),
  }
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  const host = startHost(home, project, data, undefined, env)
  const parser = fork(parserPath, carrier === 'stdio' ? [relayPath] : [], {
    env: { ...process.env, ...env },
  })
  try {
    const ofParser = await wayToParser(parser, carrier, relays)
    const { url, sdk } = await readReady<{ url: string; sdk: { tokenFile: string } }>(host)
    await page.goto(url)
    const ofHost = await wayToHost(page, carrier, relays, sdk.tokenFile)
    const peer = new SdkStreamPeer('bench', ofHost, ofParser)
    await sayAll(peer, page, project)
    const cold = await measure(host, parser, peer)
    await stream(peer, warming)
    const warm = await measure(host, parser, peer)
    peer.close()
    const row = (when: string, figures: Pick<Row, 'ours' | 'limit'>) =>
      rowOf({
        name: `host, ${carrier}, ${when}: processor time of ${streamed / 1000} s of stream, beside parsing it`,
        ...figures,
        target: { most: 1.5 },
      })
    return [row('cold', cold), row('warm', warm)]
  } finally {
    await page.close()
    if (parser.connected) parser.disconnect()
    await endHost(host)
    relays.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The parser listens itself, or has started a program. */
async function wayToParser(parser: ChildProcess, carrier: string, relays: Server): Promise<Way> {
  if (carrier === 'stdio') return nextRelay(relays)
  const [{ port }] = (await once(parser, 'message')) as [{ port: number }]
  return byWebSocket(`ws://127.0.0.1:${port}/`)
}

/** Has the page show a conversation with who comes by WebSocket, or with a program that the host starts. */
async function wayToHost(page: Page, carrier: string, relays: Server, tokenFile: string): Promise<Way> {
  if (carrier === 'stdio') {
    const way = nextRelay(relays)
    await page.getByRole('button', { name: 'New conversation' }).first().click()
    await page.getByRole('button', { name: 'Start conversation' }).click()
    return way
  }
  const way = await byWebSocket(readFileSync(tokenFile, 'utf8').trim())
  await page.getByRole('tab', { name: /^Claude/ }).click()
  return way
}

async function nextRelay(relays: Server): Promise<Way> {
  const [socket] = (await once(relays, 'connection')) as [Socket]
  return byRelay(socket)
}

async function measure(
  host: ChildProcess,
  parser: ChildProcess,
  peer: SdkStreamPeer,
): Promise<Pick<Row, 'ours' | 'limit'>> {
  const both = [host.pid, parser.pid]
  const used = { ours: [] as number[], limit: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    // What it does anyway, with a page open on a conversation, is no cost of the stream.
    const rest = await spentIn(both, () => new Promise((resolve) => setTimeout(resolve, streamed)))
    const spent = await spentIn(both, () => stream(peer, streamed).then(() => peer.sent()))
    const [ofHost = Number.NaN, ofParser = Number.NaN] = spent.map((time, of) => time - (rest[of] ?? 0))
    used.ours.push(ofHost)
    used.limit.push(ofParser)
  }
  return middleRound(used.ours, used.limit)
}

/** The processor time that each process spends while something is done, in milliseconds. */
async function spentIn(
  pids: readonly (number | undefined)[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const before = pids.map(threadsTime)
  await work()
  return pids.map((pid, index) => threadsTime(pid) - (before[index] ?? 0))
}

/** The processor time of all threads of a process, in milliseconds. Linux alone tells. */
export function threadsTime(pid: number | undefined): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const of = (task: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // It has ended meanwhile.
      return 0
    }
  }
  return tasks.reduce((sum, task) => sum + of(task), 0) / 1_000_000
}
