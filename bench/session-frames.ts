import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { decode } from '@msgpack/msgpack'
import WebSocket from 'ws'
import { startRig } from '../test/session-server-rig'
import { sessionRecords } from '../test/session-files'
import { type Row, quantile, rowOf } from './row'

const messages = 10_000
const rounds = 5

/** What a client asks for, and how it reads it. */
interface Way {
  query: string
  deflate: boolean
  read: (data: Buffer) => unknown
}
const json = (data: Buffer) => JSON.parse(data.toString('utf8')) as unknown
const ways = {
  json: { query: '', deflate: false, read: json },
  'json deflated': { query: '', deflate: true, read: json },
  msgpack: { query: 'format=msgpack', deflate: false, read: (data) => decode(data) },
  'msgpack deflated': { query: 'format=msgpack', deflate: true, read: (data) => decode(data) },
} satisfies Record<string, Way>

/**
 * A session of 10,000 messages from the session server to a client that reads each, as MessagePack beside JSON, with
 * and without permessage-deflate, one after another in each round: bytes on the wire, and time until the last one.
 */
export async function run(): Promise<Row[]> {
  const rig = await startRig()
  try {
    const records = await withSources([...sessionRecords({ messages, compactEvery: 1_000_000 })])
    await rig.make('long', records)
    const last = records.findLast(({ type }) => type === 'user' || type === 'assistant')?.['uuid']
    const took = new Map<string, number[]>()
    const sent = new Map<string, number>()
    for (let round = 0; round <= rounds; round++) {
      for (const [name, way] of Object.entries(ways)) {
        const { time, bytes } = await receive(rig.wsUrl('long', way.query), way, last)
        sent.set(name, bytes)
        // The first round only warms up.
        if (round > 0) took.set(name, [...(took.get(name) ?? []), time])
      }
    }
    const median = (name: keyof typeof ways) => quantile(took.get(name) ?? [], 0.5)
    const megabytes = (name: keyof typeof ways) => (sent.get(name) ?? Number.NaN) / 1e6
    const pairs = [
      ['msgpack', 'json'],
      ['msgpack', 'json deflated'],
      ['msgpack deflated', 'json deflated'],
    ] as const
    return pairs.flatMap(([ours, limit]) => [
      rowOf({
        name: `${ours} beside ${limit}: bytes`,
        ours: megabytes(ours),
        limit: megabytes(limit),
        unit: 'MB',
      }),
      rowOf({ name: `${ours} beside ${limit}: time`, ours: median(ours), limit: median(limit) }),
    ])
  } finally {
    await rig.dispose()
  }
}

/** Results of tools say what they mostly say: source texts, so that compressing them tells something. */
async function withSources(records: readonly Record<string, unknown>[]): Promise<Record<string, unknown>[]> {
  const folder = join(process.cwd(), 'src', 'shared')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts'))
  const sources = (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n')
  let at = 0
  return records.map((record) => {
    const { message } = record as { message?: { content?: { type: string; content?: string }[] } }
    if (!Array.isArray(message?.content)) return record
    const content = message.content.map((part) => {
      if (part.type !== 'tool_result' || part.content === undefined) return part
      const { length } = part.content
      at = at + length > sources.length ? 0 : at + length
      return { ...part, content: sources.slice(at, at + length) }
    })
    return { ...record, message: { ...message, content } }
  })
}

/** Reads until the line with this uuid has come. */
function receive(
  url: string,
  { deflate, read }: Way,
  last: unknown,
): Promise<{ time: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const socket = new WebSocket(url, { perMessageDeflate: deflate })
    let wire: { bytesRead: number } | null = null
    socket.on('upgrade', (response) => {
      wire = response.socket
    })
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      if ((read(data) as { uuid?: unknown }).uuid !== last) return
      const time = performance.now() - begun
      const bytes = wire?.bytesRead ?? Number.NaN
      socket.once('close', () => resolve({ time, bytes }))
      socket.close()
    })
  })
}
