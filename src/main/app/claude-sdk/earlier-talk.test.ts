import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SessionWriter, text } from '../../../../test/conversation-harness/session-writer'
import { SessionFile } from '../../core/history/session-file'
import { earlierTalk } from './earlier-talk'

let home: string
beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'greenlight-earlier-'))))
afterEach(() => rm(home, { recursive: true }))

/** What was said in a session with these lines. */
async function talkOf(records: readonly unknown[]) {
  const path = join(home, 'session.jsonl')
  await writeFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  // No line here is long.
  const file = new SessionFile(path, { read: () => Promise.reject(new Error('long')) })
  return earlierTalk(() => Promise.resolve(file), { session: 's', isFork: false, upTo: null })
}

test('before each prompt is the message that it follows, not one of a way that was left', async () => {
  const writer = new SessionWriter(0).prompt('Hello').reply('m1', text('Yes?'))
  const asked = writer.last
  writer.prompt('Do it one way').reply('m2', text('Done.'))
  const left = writer.last
  writer.from(asked).system('informational').prompt('Do it another way').reply('m3', text('Done, too.'))
  const { before, last } = await talkOf(writer.records)
  expect(left).not.toBe(asked)
  expect(before).toEqual([
    ['u:u0', null],
    ['u:u2', asked],
    ['u:u5', asked],
  ])
  expect(last).toBe(writer.last)
})

test('a prompt whose place isn’t in what is read can’t be gone on from', async () => {
  const writer = new SessionWriter(0).prompt('Hello').reply('m1', text('Yes?')).prompt('Do it')
  const { before } = await talkOf(writer.records.slice(2))
  expect(before).toEqual([])
})
