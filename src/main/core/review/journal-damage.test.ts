import { ChangeSet } from '@codemirror/state'
import fc from 'fast-check'
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordOf, silent } from '../../../../test/plain-desk'
import { type Draft, type DraftStep, applyStep, startDraft } from '../../../shared/review/draft'
import { stepToJson } from '../../../shared/review/step-json'
import { toText } from '../../../shared/text/text-facts'
import { ReviewJournal } from './journal'

/** Whatever a disk does to a draft: what stood before the damage comes back, and nothing vanishes without a word. */
const id = 'draft'

let folder: string
/** The draft after each of its steps. */
let drafts: Draft[]

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-damage-')))
  const base = 'one\ntwo\nthree\nfour\nfive\n'
  const draft = startDraft(toText(base), toText('ONE\ntwo\nTHREE\nfour\nFIVE\n'))
  const record = recordOf(id, folder, draft)
  const log = new ReviewJournal(join(folder, 'whole'), silent).begin(record)
  drafts = [draft]
  const take = (step: DraftStep) => {
    const stepped = applyStep(drafts.at(-1) ?? draft, step)
    if (!stepped) throw new Error('a step of the test does not fit')
    log.note({ kind: 'step', step: stepToJson(step) })
    drafts.push(stepped.draft)
  }
  const type = (from: number, insert: string) =>
    take({
      kind: 'edit',
      changes: ChangeSet.of({ from, insert }, drafts.at(-1)?.b.length ?? 0),
    })
  take({ kind: 'accept', hunk: 1 })
  for (const [at, letter] of Array.from('typed').entries()) type(5 + at, letter)
  take({ kind: 'reject', hunk: 2 })
  take({ kind: 'undecide', hunk: 1 })
  type(0, 'first\n')
  take({ kind: 'reject', hunk: 3 })
  expect(await log.flush(true)).toBe(true)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

type Damage = (bytes: Buffer, at: number, many: number) => Buffer | null

const garbage = (many: number) => Buffer.from(Array.from({ length: many }, (_, at) => (at * 89 + 7) % 256))
const lines = (bytes: Buffer) => bytes.toString('latin1').split(/(?<=\n)/)
const join1 = (all: string[]) => Buffer.from(all.join(''), 'latin1')

/** Each with a place and a length, so that there are far more than fifty. */
const damages: Record<string, Damage> = {
  'is gone': () => null,
  'is empty': () => Buffer.alloc(0),
  'is cut': (bytes, at) => bytes.subarray(0, at),
  'has lost its beginning': (bytes, at) => bytes.subarray(at),
  'has other bits': (bytes, at) => {
    const damaged = Buffer.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    return damaged
  },
  'has zeros': (bytes, at, many) => Buffer.from(bytes).fill(0, at, Math.min(at + many, bytes.length)),
  'has garbage in it': (bytes, at, many) =>
    Buffer.concat([bytes.subarray(0, at), garbage(many), bytes.subarray(at)]),
  'has garbage over it': (bytes, at, many) => {
    const damaged = Buffer.from(bytes)
    garbage(many).copy(damaged, at)
    return damaged
  },
  'has lost a part': (bytes, at, many) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + many)]),
  'has a part twice': (bytes, at, many) => Buffer.concat([bytes.subarray(0, at + many), bytes.subarray(at)]),
  'has garbage behind it': (bytes, _at, many) => Buffer.concat([bytes, garbage(many)]),
  'is all zeros': (bytes) => Buffer.alloc(bytes.length),
  'is all garbage': (bytes) => garbage(bytes.length),
  'has lost a line': (bytes, at) => {
    const all = lines(bytes)
    all.splice(at % all.length, 1)
    return join1(all)
  },
  'has a line twice': (bytes, at) => {
    const all = lines(bytes)
    const line = at % all.length
    all.splice(line, 0, all[line] ?? '')
    return join1(all)
  },
  'has two lines exchanged': (bytes, at) => {
    const all = lines(bytes)
    const line = at % all.length
    const [one = ''] = all.splice(line, 1)
    all.splice((line + 1) % (all.length + 1), 0, one)
    return join1(all)
  },
  'has an empty line': (bytes, at) => {
    const all = lines(bytes)
    all.splice(at % all.length, 0, '\n')
    return join1(all)
  },
}

/** What comes back after some file of the draft was damaged, and what is said about it. */
async function damage(file: string, kind: string, at: number, many: number) {
  const data = join(folder, 'damaged')
  rmSync(data, { recursive: true, force: true })
  cpSync(join(folder, 'whole'), data, { recursive: true })
  const path = join(data, 'reviews', id, file)
  const bytes = readFileSync(path)
  const damaged = damages[kind]?.(bytes, at % Math.max(1, bytes.length), Math.max(1, many)) ?? null
  if (damaged === null) rmSync(path)
  else writeFileSync(path, damaged)
  const journal = new ReviewJournal(data, silent)
  const [found] = await journal.load()
  const sentences = journal.takeDamage()
  const aside = join(data, 'unreadable-reviews')
  const copies = existsSync(aside) ? readdirSync(aside).map((name) => join(aside, name)) : []
  journal.dispose()
  return { found, sentences, copies, damaged, original: bytes, data }
}

const isAsAfter = (draft: Draft, steps: number) => {
  const expected = drafts[steps]
  return (
    expected !== undefined &&
    expected.a.eq(draft.a) &&
    expected.b.eq(draft.b) &&
    JSON.stringify(expected.hunks) === JSON.stringify(draft.hunks)
  )
}

describe('a damaged draft', () => {
  const files = ['head.json', 'log.ndjson', 'a.txt', 'b.txt']

  it.each(files.flatMap((file) => Object.keys(damages).map((kind) => [file, kind] as const)))(
    'comes back up to the damage, or is told: %s %s',
    async (file, kind) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(5000), fc.integer({ min: 1, max: 60 }), async (at, many) => {
          const { found, sentences, copies, damaged, original } = await damage(file, kind, at, many)
          // What was damaged beyond use is still there, and a sentence says where.
          for (const copy of copies) expect(sentences.join(' ')).toContain(copy)
          if (!found) {
            expect(copies).toHaveLength(1)
            const rest = join(copies[0] ?? '', file)
            expect(damaged === null ? existsSync(rest) : readFileSync(rest).equals(damaged)).toBe(
              damaged !== null,
            )
            // Only a proposal's own texts cannot be made up for.
            expect(['a.txt', 'b.txt']).toContain(file)
            return
          }
          const { content } = found.review.record
          const draft = content.kind === 'text' ? content.draft : null
          const { steps, damage: told } = found.review
          expect(draft && isAsAfter(draft, steps)).toBe(true)
          // A log that ends with a whole line is one to which nothing more was written.
          const isWhole = damaged?.at(-1) === 10 && original.subarray(0, damaged.length).equals(damaged)
          if (steps < drafts.length - 1 && !isWhole) {
            expect(told).not.toBeNull()
            expect(sentences).toEqual([told])
            const rest = join(copies[0] ?? '', file)
            expect(damaged === null || readFileSync(rest).equals(damaged)).toBe(true)
          }
          if (file !== 'log.ndjson') expect(steps).toBe(drafts.length - 1)
        }),
        { numRuns: 4 },
      )
    },
  )

  it('loses no line before the damaged one, and goes on after it', async () => {
    const whole = readFileSync(join(folder, 'whole', 'reviews', id, 'log.ndjson'))
    let end = 0
    for (let line = 0; line < drafts.length; line++) {
      const { found, data } = await damage('log.ndjson', 'has other bits', end + 20, 1)
      // The first line is the head's copy, for which the head itself stands.
      const steps = line === 0 ? drafts.length - 1 : line - 1
      expect(found?.review.steps).toBe(steps)
      const changes = ChangeSet.of({ from: 0, insert: 'later ' }, drafts[steps]?.b.length ?? 0)
      found?.log.note({ kind: 'step', step: stepToJson({ kind: 'edit', changes }) })
      expect(await found?.log.flush()).toBe(true)
      const again = new ReviewJournal(data, silent)
      const [next] = await again.load()
      const content = next?.review.record.content
      expect(content?.kind === 'text' && content.draft.b.toString()).toBe(
        `later ${drafts[steps]?.b.toString() ?? ''}`,
      )
      expect(again.takeDamage()).toEqual([])
      end = whole.indexOf(10, end) + 1
    }
  })

  it('takes its text from the file, where that still holds it', async () => {
    writeFileSync(join(folder, 'a.txt'), drafts[0]?.a.toString() ?? '')
    const { found, sentences } = await damage('a.txt', 'has zeros', 3, 5)
    rmSync(join(folder, 'a.txt'))
    const content = found?.review.record.content
    expect(content?.kind === 'text' && isAsAfter(content.draft, drafts.length - 1)).toBe(true)
    expect(sentences).toEqual([])
  })
})

it('reads a draft of an earlier version, whose lines had no checksums', async () => {
  const data = join(folder, 'old')
  cpSync(join(folder, 'whole'), data, { recursive: true })
  const record = join(data, 'reviews', id)
  const [first = '', ...rest] = readFileSync(join(record, 'log.ndjson'), 'utf8').trimEnd().split('\n')
  const { sums: _, ...head } = JSON.parse(first.slice(17)) as Record<string, unknown>
  writeFileSync(join(record, 'head.json'), JSON.stringify({ ...head, format: 1 }))
  writeFileSync(join(record, 'log.ndjson'), rest.map((line) => `${line.slice(17)}\n`).join(''))
  const open = async () => {
    const [found] = await new ReviewJournal(data, silent).load()
    return found
  }
  const found = await open()
  expect(found?.review.steps).toBe(drafts.length - 1)
  found?.log.note({ kind: 'step', step: { kind: 'accept', hunk: 1 } })
  await found?.log.flush()
  expect((await open())?.review.steps).toBe(drafts.length)
})
