import fc from 'fast-check'
import { appendFile, mkdtemp, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionRecords } from '../../../../test/session-files'
import { disposable } from '../../../shared/lifetime'
import { SessionTranscript } from '../../../shared/conversation/session-transcript'
import { FileWatcher } from '../files/watcher'
import { LongLines } from './long-lines'
import { SessionFile, type SessionPage } from './session-file'
import { SessionFollower, type SessionEvent } from './session-follower'
import type { FileLine } from './session-line'

let folder = ''
let name = 0
const longLines = new LongLines()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-history-'))
})
afterAll(async () => {
  longLines.dispose()
  await rm(folder, { recursive: true, force: true })
})

const newPath = () => join(folder, `${name++}.jsonl`)
const noWatcher = { watchFile: () => Promise.resolve(disposable(() => undefined)) }
const fileOf = (path: string) => new SessionFile(path, longLines)

function value<T>(result: { ok: true; value: T } | { ok: false; failure: { message: string } }): T {
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

/** A session with a follower and the transcript that a page would have of it. */
class Followed {
  transcript = new SessionTranscript()
  readonly events: SessionEvent[] = []
  readonly session: SessionFile
  readonly follower: SessionFollower
  from = 0

  constructor(path: string, { messages = 3, watcher = noWatcher as Pick<FileWatcher, 'watchFile'> } = {}) {
    this.session = fileOf(path)
    this.follower = new SessionFollower({ session: this.session, watcher, messages })
    this.follower.onEvent((event) => {
      this.events.push(event)
      if (event.kind === 'appended') this.transcript.add(event.lines)
      else if (event.kind === 'anew') this.take(event.page)
    })
  }

  async start(): Promise<this> {
    const page = await this.follower.start()
    if (page.ok) this.take(page.value)
    await this.follower.settled()
    return this
  }

  take(page: SessionPage): void {
    this.transcript = new SessionTranscript()
    this.transcript.add(page.lines)
    this.from = page.from
  }

  /** Everything, with the pages in front. */
  async whole() {
    await this.follower.settled()
    while (this.from > 0) {
      const page = value(await this.session.readBefore(this.from, 4))
      expect(page.from).toBeLessThan(this.from)
      expect(page.to).toBe(this.from)
      this.transcript.add(page.lines)
      this.from = page.from
    }
    return seen(this.transcript)
  }
}

function seen(transcript: SessionTranscript) {
  const { facts, others, activity, queue } = transcript
  return { items: transcript.items(), facts, others, activity, queue }
}

/** What one read of the whole file gives. */
async function oneRead(path: string) {
  const transcript = new SessionTranscript()
  const session = fileOf(path)
  let at = 0
  for (;;) {
    const page = value(await session.readFrom(at, 100_000))
    transcript.add(page.lines)
    if (page.to === at) return seen(transcript)
    at = page.to
  }
}

const texts = (lines: readonly FileLine[]) => lines.map(({ raw }) => raw?.toString('utf8'))
const json = (records: Iterable<unknown>) =>
  [...records].map((record) => `${JSON.stringify(record)}\n`).join('')

describe('a page', () => {
  test('is read from the end, then towards the start', async () => {
    const path = newPath()
    const records = [...sessionRecords({ messages: 300, forkEvery: 7 })]
    await writeFile(path, json(records))
    const session = fileOf(path)
    const last = value(await session.readLast(50))
    expect(last.to).toBe((await stat(path)).size)
    const messages = last.lines.filter(({ record }) =>
      ['user', 'assistant'].includes((record as { type: string }).type),
    )
    expect(messages).toHaveLength(50)
    expect(last.lines[0]).toBe(messages[0])
    const before = value(await session.readBefore(last.from, 50))
    expect(before.to).toBe(last.from)
    const all = [...before.lines, ...last.lines].map(({ record }) => record)
    expect(all).toEqual(records.slice(-all.length))
    expect(texts(last.lines).join('\n')).toBe(json(records.slice(-last.lines.length)).trimEnd())
  })

  test('is empty for an empty file, and a failure for none', async () => {
    const path = newPath()
    await writeFile(path, '')
    expect(value(await fileOf(path).readLast(5))).toMatchObject({ lines: [], from: 0, to: 0, size: 0 })
    expect(await fileOf(newPath()).readLast(5)).toMatchObject({ ok: false, failure: { code: 'absent' } })
  })

  test('has CRLF lines, blank ones, a mark, broken UTF-8 and lines that are no JSON', async () => {
    const path = newPath()
    const broken = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}\r\n')])
    await writeFile(
      path,
      Buffer.concat([Buffer.from('\ufeff{"n":1}\r\n\r\n\n'), broken, Buffer.from('{"cut":\n{"n":2}\n')]),
    )
    const { lines } = value(await fileOf(path).readLast(9))
    expect(lines.map(({ record, flaw }) => flaw ?? record)).toEqual([
      { n: 1 },
      { a: '\ufffd\ufffd' },
      'not-json',
      { n: 2 },
    ])
    expect(lines[2]?.head).toBe('{"cut":')
    expect(lines[1]?.raw).toEqual(broken.subarray(0, -2))
  })

  test('gives a line of 20 MB shortened, and its bytes on demand', async () => {
    const path = newPath()
    const long = JSON.stringify({
      type: 'user',
      uuid: 'long',
      message: { content: 'é'.repeat(10_000_000) },
      parentUuid: 'a',
    })
    await writeFile(path, `{"type":"user","uuid":"a"}\n${long}\n{"type":"user","uuid":"b"}\n`)
    const session = fileOf(path)
    // No more than the long one, so that a page stays bounded.
    const page = value(await session.readLast(3))
    expect(page.lines.map(({ flaw }) => flaw)).toEqual(['shortened', undefined])
    expect(texts(value(await session.readBefore(page.from, 3)).lines)).toEqual(['{"type":"user","uuid":"a"}'])
    const [line] = page.lines
    expect(line).toMatchObject({
      bytes: Buffer.byteLength(long),
      raw: null,
      record: { uuid: 'long', parentUuid: 'a' },
    })
    expect(JSON.stringify(line?.record).length).toBeLessThan(10_000)
    expect(value(await session.readRaw(line?.offset ?? 0, line?.bytes ?? 0)).equals(Buffer.from(long))).toBe(
      true,
    )
    const first = value(await session.readFrom(0))
    expect(first.lines.map(({ offset }) => offset)).toEqual([0])
    expect(value(await session.readFrom(first.to)).lines.map(({ flaw }) => flaw)).toEqual([
      'shortened',
      undefined,
    ])
  })

  test('has a last line without its end only when that is whole', async () => {
    const path = newPath()
    await writeFile(path, '{"n":1}\n{"n":2}')
    expect(value(await fileOf(path).readLast(9))).toMatchObject({
      lines: [{ offset: 0 }, { offset: 8 }],
      to: 8,
      size: 15,
    })
    await writeFile(path, '{"n":1}\n{"n":')
    expect(value(await fileOf(path).readLast(9))).toMatchObject({ lines: [{ offset: 0 }], to: 8, size: 13 })
  })
})

describe('following', () => {
  test('tells what is appended as the system says so, also after another file took its place', async () => {
    const watcher = new FileWatcher({ interval: 20 })
    const path = newPath()
    await writeFile(path, '{"n":1}\n')
    const followed = await new Followed(path, { watcher }).start()
    const told = async (wanted: (event: SessionEvent) => boolean) => {
      await expect.poll(() => followed.events.some(wanted), { timeout: 10_000, interval: 5 }).toBe(true)
    }
    const says = (text: string) => (event: SessionEvent) =>
      event.kind === 'appended' && texts(event.lines).includes(text)
    await appendFile(path, '{"n":2}\n{"n"')
    await told(says('{"n":2}'))
    await appendFile(path, ':3}\n')
    await told(says('{"n":3}'))
    // In one step: between its creation and its first line it would be seen empty.
    const put = async (text: string) => {
      const other = newPath()
      await writeFile(other, text)
      await rename(other, path)
    }
    await put('{"m":1}\n')
    await told((event) => event.kind === 'anew' && texts(event.page.lines).join() === '{"m":1}')
    await appendFile(path, '{"m":2}\n')
    await told(says('{"m":2}'))
    await rm(path)
    await told((event) => event.kind === 'gone')
    await put('{"k":1}\n')
    await told((event) => event.kind === 'anew' && texts(event.page.lines).join() === '{"k":1}')
    followed.follower.dispose()
    watcher.dispose()
  })

  test('begins with a file that comes later', async () => {
    const path = newPath()
    const followed = new Followed(path)
    expect(await followed.follower.start()).toMatchObject({ ok: false, failure: { code: 'absent' } })
    await followed.follower.settled()
    await writeFile(path, '{"type":"user","uuid":"a","message":{"content":"hi"}}\n')
    await followed.follower.settled()
    expect(followed.events.map(({ kind }) => kind)).toEqual(['anew'])
    expect(followed.transcript.length).toBe(1)
  })

  test('notices a file that was written over, and one that was only touched', async () => {
    const path = newPath()
    await writeFile(path, '{"n":1}\n{"n":2}\n')
    const followed = await new Followed(path).start()
    await writeFile(path, '{"n":1}\n{"n":3}\n')
    await followed.follower.settled()
    expect(followed.events.map(({ kind }) => kind)).toEqual(['anew'])
    await writeFile(path, '{"n":1}\n{"n":3}\n')
    await followed.follower.settled()
    expect(followed.events).toHaveLength(1)
  })

  test('whatever is appended, cut off or put in its place, the transcript is that of one read', async () => {
    const source = [...sessionRecords({ messages: 60, forkEvery: 3, compactEvery: 20 })].map((record) =>
      JSON.stringify(record),
    )
    const bytes = Buffer.from(`${source.join('\n')}\n`.replaceAll('able', 'äble'))
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('append' as const),
          length: fc.integer({ min: 1, max: 9000 }),
        }),
      },
      fc.record({ kind: fc.constant('cut' as const), length: fc.integer({ min: 1, max: 20_000 }) }),
      fc.record({ kind: fc.constant('replace' as const), length: fc.integer({ min: 0, max: 30_000 }) }),
      fc.record({ kind: fc.constant('glue' as const), length: fc.integer({ min: 1, max: 50 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(40_000), fc.array(step, { maxLength: 8 }), async (first, steps) => {
        const path = newPath()
        let now = bytes.subarray(0, first)
        await writeFile(path, now)
        const followed = await new Followed(path).start()
        for (const { kind, length } of steps) {
          if (kind === 'append') {
            const more = bytes.subarray(now.length, now.length + length)
            await appendFile(path, more)
            now = Buffer.concat([now, more])
          } else if (kind === 'glue') {
            const more = bytes.subarray(0, length)
            await appendFile(path, more)
            now = Buffer.concat([now, more])
          } else if (kind === 'cut') {
            now = now.subarray(0, Math.max(0, now.length - length))
            await truncate(path, now.length)
          } else {
            now = bytes.subarray(0, length)
            const other = newPath()
            await writeFile(other, now)
            await rename(other, path)
          }
          await followed.follower.settled()
        }
        expect(await followed.whole()).toEqual(await oneRead(path))
        followed.follower.dispose()
        await rm(path)
      }),
      { numRuns: 60 },
    )
  })
})
