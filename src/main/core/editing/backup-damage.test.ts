import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseText } from '../../../shared/text/text-facts'
import { hashContent } from '../files/content-hash'
import { applyLog, readLog, recordsOf, writeRecords } from './backup-log'
import { Backups } from './backups'

/** Whatever a disk does to unsaved text: what was typed before the damage comes back, and a sentence says the rest. */
const path = '/home/ada/notes.txt'
const baseText = 'the first line\nthe last\n'
const base = Text.of(baseText.split('\n'))

let folder: string
/** The text after each write. */
let texts: string[]
let logName: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-backup-damage-'))
  const backups = await Backups.open(join(folder, 'whole', 'unsaved'), { delay: 0 })
  texts = []
  let text = base
  for (const word of ['some ', 'words ', 'that ', 'nobody ', 'has ', 'saved ', 'yet ']) {
    text = ChangeSet.of({ from: 0, insert: word }, text.length).apply(text)
    texts.push(text.toString())
    const now = text
    backups.keep(path, () => ({ path, base, baseHash: 'h', facts: parseText(baseText).facts, text: now }))
    await backups.flush()
  }
  backups.dispose()
  logName = readdirSync(join(folder, 'whole', 'unsaved')).find((name) => name.endsWith('.log')) ?? ''
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Opens a copy of the folder after a file in it was damaged. */
async function damage(name: string, change: (bytes: Buffer) => Buffer) {
  const data = join(folder, 'damaged')
  rmSync(data, { recursive: true, force: true })
  cpSync(join(folder, 'whole'), data, { recursive: true })
  const file = join(data, 'unsaved', name)
  const damaged = change(readFileSync(file))
  writeFileSync(file, damaged)
  const backups = await Backups.open(join(data, 'unsaved'))
  const sentences = backups.takeDamage()
  // What is told once is not found again.
  const again = await Backups.open(join(data, 'unsaved'))
  expect(again.takeDamage()).toEqual([])
  again.dispose()
  backups.onFailure(({ message }) => sentences.push(message))
  const found = await backups.read(path)
  backups.dispose()
  const aside = join(data, 'unreadable-unsaved')
  const copies = existsSync(aside) ? readdirSync(aside).map((one) => join(aside, one)) : []
  return { text: found?.text.toString(), sentences, copies, damaged }
}

const garbage = (many: number) => Buffer.from(Array.from({ length: many }, (_, at) => (at * 89 + 7) % 256))
const kinds: Record<string, (bytes: Buffer, at: number, many: number) => Buffer> = {
  'other bits': (bytes, at) => {
    const damaged = Buffer.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    return damaged
  },
  'garbage in it': (bytes, at, many) =>
    Buffer.concat([bytes.subarray(0, at), garbage(many), bytes.subarray(at)]),
  zeros: (bytes, at, many) => Buffer.from(bytes).fill(0, at, Math.min(at + many, bytes.length)),
  'a part lost': (bytes, at, many) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + many)]),
  'a cut end': (bytes, at) => bytes.subarray(0, at),
  'a line lost': (bytes, at) => {
    const lines = bytes.toString('latin1').split(/(?<=\n)/)
    // The last one leaves a log that was never written further.
    lines.splice(at % (lines.length - 1), 1)
    return Buffer.from(lines.join(''), 'latin1')
  },
  'a line twice': (bytes, at) => {
    const lines = bytes.toString('latin1').split(/(?<=\n)/)
    const line = at % lines.length
    lines.splice(line, 0, lines[line] ?? '')
    return Buffer.from(lines.join(''), 'latin1')
  },
}

describe('unsaved text', () => {
  it.each(Object.keys(kinds))('comes back up to the damage of its log, and is told: %s', async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(3000), fc.integer({ min: 1, max: 40 }), async (place, many) => {
        const whole = readFileSync(join(folder, 'whole', 'unsaved', logName))
        const at = place % whole.length
        const { text, sentences, copies, damaged } = await damage(
          logName,
          (bytes) => kinds[kind]?.(bytes, at, many) ?? bytes,
        )
        const isEnd = damaged.at(-1) === 10 && whole.subarray(0, damaged.length).equals(damaged)
        if (damaged.equals(whole) || isEnd) return
        // The text is as after one of the writes, or as it began; nothing at all only without the log's beginning.
        if (text !== undefined) expect([baseText, ...texts]).toContain(text)
        expect(sentences).toHaveLength(1)
        expect(copies).toHaveLength(1)
        expect(sentences[0]).toContain(copies[0])
        expect(readFileSync(join(copies[0] ?? '', logName)).equals(damaged)).toBe(true)
        const firstLine = whole.indexOf(10)
        if (at > firstLine && kind !== 'a line lost' && kind !== 'a line twice') expect(text).toBeDefined()
      }),
      { numRuns: 30 },
    )
  })

  it('is set aside and told where the copy of what it began as is damaged', async () => {
    const copy = readdirSync(join(folder, 'whole', 'unsaved')).find((name) => name.endsWith('.copy')) ?? ''
    const { text, sentences, copies } = await damage(copy, (bytes) => Buffer.from(bytes).fill(0, 4, 8))
    expect(text).toBeUndefined()
    expect(sentences).toEqual([expect.stringContaining(copies[0] ?? 'nowhere')])
    expect(sentences[0]).toContain(path)
    expect(readdirSync(copies[0] ?? '')).toContain(logName)
  })

  it.each([
    ['empty', (bytes: Buffer) => bytes.subarray(0, 0)],
    ['cut to an even length', (bytes: Buffer) => bytes.subarray(0, 10)],
    ['cut to an odd length', (bytes: Buffer) => bytes.subarray(0, 11)],
  ])('comes back whole from the file on disk where the copy is %s', async (_, cut) => {
    const file = join(folder, 'on-disk.txt')
    const data = join(folder, 'with-file')
    writeFileSync(file, baseText)
    const backups = await Backups.open(data, { delay: 0 })
    const text = ChangeSet.of({ from: 0, insert: 'typed ' }, base.length).apply(base)
    const baseHash = hashContent(baseText)
    backups.keep(file, () => ({ path: file, base, baseHash, facts: parseText(baseText).facts, text }))
    await backups.flush()
    backups.dispose()
    const copy = readdirSync(data).find((name) => name.endsWith('.copy')) ?? ''
    writeFileSync(join(data, copy), cut(readFileSync(join(data, copy))))
    const again = await Backups.open(data)
    expect((await again.read(file))?.text.toString()).toBe(text.toString())
    again.dispose()
    rmSync(data, { recursive: true })
  })

  it('that is long loses only what comes after the damage', async () => {
    const long = Array.from({ length: 2000 }, (_, at) => `line ${at} of what was pasted`)
    const changes = ChangeSet.of({ from: 4, insert: Text.of(long) }, base.length)
    const { text } = writeRecords([
      { kind: 'start', path, base: { copy: 1, baseHash: 'h', facts: parseText(baseText).facts } },
      ...recordsOf(changes),
    ])
    const half = text.length / 2
    const log = readLog(`${text.slice(0, half)}garbage${text.slice(half)}`)
    expect(log?.end).toBeLessThan(text.length)
    const found = log && applyLog(log, base)?.toString()
    const whole = changes.apply(base).toString()
    let same = 0
    while (found?.[same] === whole[same] && same < whole.length) same++
    expect(same).toBeGreaterThan(whole.length / 2 - 8192)
  })
})

it('changes in pieces come to the same text, whatever they are', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.integer({ min: 1, max: 14_000 }).map((n) => 'ab\ncd'.repeat(n / 5)),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(10), fc.nat(5), word), { maxLength: 6 }), (edits) => {
      let from = 0
      const changes = ChangeSet.of(
        edits.flatMap(([gap, removed, insert]) => {
          const start = from + gap
          const to = Math.min(start + removed, 60)
          if (start > 60) return []
          from = to + 1
          return [{ from: start, to, insert: Text.of(insert.split('\n')) }]
        }),
        60,
      )
      let text = Text.of(['x'.repeat(60)])
      const whole = changes.apply(text)
      for (const record of recordsOf(changes))
        if (record.kind === 'changes') text = record.changes.apply(text)
      expect(text.eq(whole)).toBe(true)
    }),
  )
})
