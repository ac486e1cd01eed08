import { cp, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChangeSet, type Text } from '@codemirror/state'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseText, toText } from '../../../shared/text/text-facts'
import { hashContent } from '../files/content-hash'
import type { KeptText } from './backup-file'
import type { Format } from './text-format'
import { Backups } from './backups'
import { VersionedText } from './versioned-text'

let folder: string
let path: string
const opened: Backups[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-file-'))
  path = join(folder, 'file.txt')
})

afterEach(async () => {
  for (const backups of opened.splice(0)) {
    await backups.flush()
    backups.dispose()
  }
  await rm(folder, { recursive: true })
})

const kept = () => join(folder, 'unsaved')

async function open(at = kept(), shortLog?: number): Promise<Backups> {
  const backups = await Backups.open(at, { delay: 60_000, ...(shortLog === undefined ? {} : { shortLog }) })
  opened.push(backups)
  return backups
}

/** A document as the backups see it: a base, and a text with its history. */
class Typed {
  base: Text
  #history: VersionedText
  constructor(base: string) {
    this.base = toText(base)
    this.#history = new VersionedText(this.base, 0, new Map(), 4)
  }

  get text(): string {
    return this.#history.text.toString()
  }

  type(at: number, cut: number, insert: string): void {
    const { length } = this.#history.text
    const from = Math.min(at, length)
    const changes = ChangeSet.of({ from, to: Math.min(length, from + cut), insert: toText(insert) }, length)
    this.#history.apply('page', changes)
  }

  /** The file was saved: what is on disk now is the base of what is typed from here on. */
  save(): void {
    this.base = this.#history.text
  }

  keptText(): KeptText {
    const base = this.base.toString()
    const { text, version } = this.#history
    const since = (from: number) => this.#history.changesSince(from)
    const facts = parseText(base).facts
    return { path, base: this.base, baseHash: hashContent(Buffer.from(base)), facts, text, version, since }
  }
}

async function keep(backups: Backups, typed: Typed): Promise<void> {
  backups.keep(path, () => typed.keptText())
  await backups.flush()
}

/** The text that another start of the app finds in a folder. */
async function recover(at: string): Promise<string | undefined> {
  const backups = await open(at)
  return (await backups.read(path))?.text.toString()
}

async function logOf(at: string): Promise<string> {
  const [name] = (await readdir(at)).filter((one) => one.endsWith('.log'))
  if (name === undefined) throw new Error('there is no log')
  return join(at, name)
}

type Act = { do: 'type'; at: number; cut: number; insert: string } | { do: 'save' | 'lag' }
const typing = fc.record({
  do: fc.constant('type' as const),
  at: fc.nat(40),
  cut: fc.nat(4),
  insert: fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.replaceAll(/\r\n?/g, '\n')),
})
const acts = fc.array(
  fc.oneof<fc.Arbitrary<Act>[]>(
    typing,
    typing,
    typing,
    fc.record({ do: fc.constantFrom('save' as const, 'lag' as const) }),
  ),
  { minLength: 1, maxLength: 12 },
)

/** Types, and keeps each state, but where the backups lag behind the history and must compare. */
function play(typed: Typed, act: Act): void {
  if (act.do === 'type') typed.type(act.at, act.cut, act.insert)
  else if (act.do === 'save') typed.save()
  else for (let i = 0; i < 6; i++) typed.type(i, 0, 'lag')
}

describe('a crash at any point', () => {
  it('loses no record whose write was finished, wherever the log breaks off', async () => {
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        acts,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (base, list, part) => {
          const at = join(kept(), String(round++))
          const backups = await open(at)
          const typed = new Typed(base.replaceAll('\r', ''))
          const states: { length: number; text: string }[] = []
          for (const act of list) {
            play(typed, act)
            await keep(backups, typed)
            states.push({ length: (await readFile(await logOf(at))).length, text: typed.text })
          }
          expect(await recover(at)).toBe(typed.text)
          const first = states[0]?.length ?? 0
          const last = states.at(-1)?.length ?? 0
          const cut = Math.floor(first + (last - first) * part)
          await truncate(await logOf(at), cut)
          const whole = states.findLast(({ length }) => length <= cut)
          // A record that only says what the base is may be cut off behind the text it follows.
          expect(await recover(at)).toBe(whole?.text)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('recovers the newest text, also after a log was written anew and by a later start', async () => {
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.string(), acts, acts, async (base, before, after) => {
        const at = join(kept(), String(round++))
        const typed = new Typed(base.replaceAll('\r', ''))
        for (const list of [before, after]) {
          const backups = await open(at, 200)
          if ((await backups.read(path)) === undefined) expect(list).toBe(before)
          for (const act of list) {
            play(typed, act)
            await keep(backups, typed)
            const copy = `${at}-copy`
            await cp(at, copy, { recursive: true })
            expect(await recover(copy)).toBe(typed.text)
            await rm(copy, { recursive: true })
            const copies = (await readdir(at)).filter((name) => name.endsWith('.copy'))
            expect(copies.length).toBeLessThan(before.length + after.length + 2)
          }
        }
      }),
      { numRuns: 15 },
    )
  })

  it('lets a log grow to four times what it comes to, and no further', async () => {
    const typed = new Typed('one\ntwo\n')
    const backups = await open(kept(), 1000)
    let [size, whole, rewritten] = [0, 0, 0]
    for (let count = 0; count < 200; count++) {
      typed.type(count % 40, count % 3 === 0 ? 1 : 0, 'x')
      await keep(backups, typed)
      const now = (await readFile(await logOf(kept()))).length
      if (now < size) rewritten++
      if (now < size || size === 0) whole = now
      size = now
      // The record that makes it too long is followed at once by writing it anew.
      expect(size).toBeLessThanOrEqual(Math.max(1000, 4 * whole))
    }
    expect(rewritten).toBeGreaterThan(2)
    expect(await recover(kept())).toBe(typed.text)
  })

  it('keeps how the text is to be written, the newest choice, also when a log is written anew', async () => {
    const typed = new Typed('one\n')
    const backups = await open(kept(), 200)
    const choose = async (format: Format) => {
      typed.type(0, 0, 'x'.repeat(60))
      typed.type(0, 58, '')
      backups.keep(path, () => ({ ...typed.keptText(), format }))
      await backups.flush()
      const found = await (await open()).read(path)
      expect([found?.text.toString(), found?.format]).toEqual([typed.text, format])
    }
    for (let count = 0; count < 10; count++) await choose({ eol: 'crlf', bom: count % 2 === 0 })
    await choose({})
    await choose({ encoding: 'latin-1' })
  })

  it('needs no copy of the base while the file on disk still holds it', async () => {
    await writeFile(path, 'one\ntwo\n')
    const typed = new Typed('one\ntwo\n')
    typed.type(0, 0, 'zero\n')
    const backups = await open()
    await keep(backups, typed)
    const copies = (await readdir(kept())).filter((name) => name.endsWith('.copy'))
    expect(copies).toHaveLength(1)
    for (const name of copies) await rm(join(kept(), name))
    expect(await recover(kept())).toBe('zero\none\ntwo\n')
    await writeFile(path, 'another\n')
    expect(await recover(kept())).toBeUndefined()
  })

  it('keeps text whose file is gone with a copy of its own from the first record on', async () => {
    const typed = new Typed('one\n')
    typed.type(0, 0, 'zero\n')
    const backups = await open()
    backups.keep(path, () => ({ ...typed.keptText(), baseHash: null }))
    await backups.flush()
    expect(await recover(kept())).toBe('zero\none\n')
  })

  it('removes every file of a backup that is given up, also one of an earlier run', async () => {
    const typed = new Typed('one\n')
    const first = await open()
    for (const word of ['a', 'b']) {
      typed.type(0, 0, word)
      await keep(first, typed)
      typed.save()
      typed.type(0, 0, word)
      await keep(first, typed)
    }
    const later = await open()
    later.drop(path)
    await later.flush()
    expect(await readdir(kept())).toEqual([])
  })

  it('removes copies that a cut short removal has left', async () => {
    const typed = new Typed('one\n')
    typed.type(0, 0, 'x')
    await keep(await open(), typed)
    await rm(await logOf(kept()))
    await open()
    expect(await readdir(kept())).toEqual([])
  })
})
