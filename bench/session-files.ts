import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { closeSync, fstatSync, openSync, readSync, statSync, watch } from 'node:fs'
import { appendFile, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileWatcher } from '../src/main/core/files/watcher'
import { LongLines } from '../src/main/core/history/long-lines'
import { SessionFile } from '../src/main/core/history/session-file'
import { SessionFollower } from '../src/main/core/history/session-follower'
import { SessionTranscript } from '../src/shared/conversation/session-transcript'
import type { SourceLine } from '../src/shared/conversation/transcript'
import { sessionRecords, writeSession } from '../test/session-files'
import { type Row, quantile, rowOf } from './row'

const sizes = [1_000, 10_000, 100_000]
const opens = 30
const appends = 60

/**
 * Session files of 1,000, 10,000 and 100,000 messages in the host: opened at the end, followed, and put together as a
 * transcript, beside bare reads and watches of the same files. The page and its frames are measured elsewhere.
 */
export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-bench-sessions-'))
  const longLines = new LongLines()
  const watcher = new FileWatcher()
  try {
    const rows: Row[] = []
    const opened: number[] = []
    const appended: number[] = []
    const held: number[] = []
    for (const messages of sizes) {
      const path = join(folder, `${messages}.jsonl`)
      await writeSession(path, { messages })
      const session = new SessionFile(path, longLines)
      const open_ = await measureOpening(path, session)
      const append = await measureAppending(path, session, watcher)
      const name = messages.toLocaleString('en-US')
      rows.push(rowOf({ name: `${name} messages: open, last 50`, ...open_ }))
      rows.push(rowOf({ name: `${name} messages: appended, told`, ...append }))
      opened.push(open_.ours)
      appended.push(append.ours)
      held.push(await memoryOf(session, watcher))
    }
    const [first = 0, , last = 0] = opened
    rows.push(rowOf({ name: 'open 100,000 beside 1,000', ours: last, limit: first, target: { most: 1.2 } }))
    const [small = 0, , large = 0] = appended
    rows.push(
      rowOf({ name: 'append at 100,000 beside 1,000', ours: large, limit: small, target: { most: 1.2 } }),
    )
    const [few = 0, , many = 0] = held
    const unit = 'MB'
    rows.push(
      rowOf({ name: 'heap at 100,000 beside 1,000', ours: many, limit: few, unit, target: { most: 1.5 } }),
    )
    return [...rows, ...measureTranscript()]
  } finally {
    longLines.dispose()
    watcher.dispose()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The last page as items, beside the last 256 KB read and parsed. */
async function measureOpening(path: string, session: SessionFile): Promise<{ ours: number; limit: number }> {
  const ours: number[] = []
  const limit: number[] = []
  for (let round = 0; round < opens; round++) {
    let start = performance.now()
    const page = await session.readLast(50)
    if (!page.ok) throw new Error(page.failure.message)
    const transcript = new SessionTranscript()
    transcript.add(page.value.lines)
    if (transcript.items().length === 0) throw new Error('nothing was read')
    ours.push(performance.now() - start)
    start = performance.now()
    const file = await open(path, 'r')
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(256 * 1024),
      0,
      256 * 1024,
      Math.max(0, size - 256 * 1024),
    )
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n').slice(1, -1)
    for (const line of lines) JSON.parse(line)
    await file.close()
    limit.push(performance.now() - start)
  }
  return { ours: quantile(ours, 0.5), limit: quantile(limit, 0.5) }
}

/** From a line's writing to its item, beside a bare watch that reads what is new. */
async function measureAppending(path: string, session: SessionFile, watcher: FileWatcher) {
  const follower = new SessionFollower({ session, watcher, messages: 50 })
  const transcript = new SessionTranscript()
  const page = await follower.start()
  if (page.ok) transcript.add(page.value.lines)
  await follower.settled()
  let heard = (): void => undefined
  follower.onEvent((event) => {
    if (event.kind !== 'appended') throw new Error(event.kind)
    transcript.add(event.lines)
    if (transcript.at(transcript.length - 1) !== undefined) heard()
  })
  const ours: number[] = []
  const limit: number[] = []
  for (let round = 0; round < appends; round++) {
    const isBare = round % 2 === 1
    const start = performance.now()
    await new Promise<void>((done) => {
      const end = () => {
        ;(isBare ? limit : ours).push(performance.now() - start)
        done()
      }
      heard = isBare ? () => undefined : end
      if (isBare) bareNotice(path, end)
      void appendFile(path, lineOf(round, transcript))
    })
    await follower.settled()
    // Beyond the watcher's own spacing, so that rounds do not wait for each other.
    await new Promise((rest) => setTimeout(rest, 60))
  }
  follower.dispose()
  return { ours: quantile(ours, 0.5), limit: quantile(limit, 0.5) }
}

function lineOf(round: number, transcript: SessionTranscript): string {
  const last = transcript.at(transcript.length - 1)
  const parentUuid = last?.id.slice(2) ?? null
  const uuid = `new-${round}-${transcript.length}`
  return `${JSON.stringify({ type: 'user', uuid, parentUuid, message: { role: 'user', content: 'more '.repeat(100) } })}\n`
}

/** Watches a file and, at the first notice, reads and parses what is new in it. */
function bareNotice(path: string, heard: () => void): void {
  const before = statSync(path).size
  const watching = watch(path, () => {
    const file = openSync(path, 'r')
    const { size } = fstatSync(file)
    const buffer = Buffer.alloc(size - before)
    readSync(file, buffer, 0, buffer.length, before)
    closeSync(file)
    // A notice may come before its content.
    if (buffer.length === 0) return
    watching.close()
    JSON.parse(buffer.toString('utf8').split('\n')[0] ?? '')
    heard()
  })
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What is held after opening and following, in MB. */
async function memoryOf(session: SessionFile, watcher: FileWatcher): Promise<number> {
  const follower = new SessionFollower({ session, watcher, messages: 50 })
  const page = await follower.start()
  await follower.settled()
  collect()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  follower.dispose()
  if (!page.ok) throw new Error(page.failure.message)
  return (heapUsed + external + arrayBuffers) / 1_000_000
}

/** A transcript of 100,000 messages: a line at its end and a page in front, beside parsing these lines. */
function measureTranscript(): Row[] {
  const lines: SourceLine[] = []
  const texts: string[] = []
  let offset = 0
  for (const record of sessionRecords({ messages: 100_000 })) {
    const text = JSON.stringify(record)
    if (lines.length > 99_000) texts.push(text)
    lines.push({ offset, bytes: text.length, record })
    offset += text.length + 1
  }
  const transcript = new SessionTranscript()
  const [before, now, after] = [lines.slice(0, 100), lines.slice(100, -1000), lines.slice(-1000)]
  let start = performance.now()
  transcript.add(now)
  const whole = performance.now() - start
  start = performance.now()
  for (const line of after) {
    transcript.add([line])
    transcript.at(transcript.length - 1)
  }
  const end = (performance.now() - start) / after.length
  start = performance.now()
  for (const text of texts.slice(-1000)) JSON.parse(text)
  const parsing = (performance.now() - start) / 1000
  start = performance.now()
  transcript.add(before)
  transcript.at(0)
  const front = performance.now() - start
  return [
    rowOf({
      name: 'transcript of 100,000: a line at the end',
      ours: end,
      limit: parsing,
      target: { most: 3 },
    }),
    rowOf({ name: 'transcript of 100,000: a page in front, beside one frame', ours: front, limit: 16.7 }),
    rowOf({ name: 'transcript of 100,000: all at once', ours: whole, limit: parsing * lines.length }),
  ]
}
