import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { succeed } from '../../../../shared/result'
import { readQuery } from '../../../../shared/conversation/session-query'
import { findRipgrep } from '../../platform/ripgrep'
import { RecordsBeside } from '../records-beside'
import { mostHitsOfSession, readHits } from './session-hits'
import { type SearchNews, SessionSearch, type SessionSearchOptions } from './session-search'

let root = ''
let folder = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'greenlight-session-search-'))
  folder = join(root, '-work')
  await mkdir(folder)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const program = findRipgrep(process.env) ?? 'rg'
const pathOf = (id: string) => join(folder, `${id}.jsonl`)

function open(
  typed: string,
  ids: readonly string[],
  more: Partial<SessionSearchOptions> = {},
): SessionSearch {
  const query = readQuery(typed)
  if (!query) throw new Error('nothing was asked')
  return new SessionSearch({
    ...{ program, typed, query, recordsBeside: new RecordsBeside() },
    sessions: ids.map((id) => ({ id, path: pathOf(id) })),
    readHits: async (task) => succeed(await readHits(task)),
    ...more,
  })
}

/** All that a search tells, and what it said last. */
async function outcome(search: SessionSearch): Promise<SearchNews & { told: SearchNews[] }> {
  const told: SearchNews[] = []
  search.onNews((news) => told.push(news))
  await search.run()
  const found = told.flatMap((news) => news.found)
  return { ...search.state, found, told }
}

const find = (typed: string, ids: readonly string[]) => outcome(open(typed, ids))
const texts = ({ found }: SearchNews) => found.map(({ id, hits }) => [id, ...hits.map(({ text }) => text)])

const user = (uuid: string, content: unknown, timestamp = 1000) => ({
  ...{ type: 'user', uuid, parentUuid: null, timestamp, cwd: '/work' },
  message: { role: 'user', content },
})
const json = (records: Iterable<unknown>) =>
  [...records].map((record) => `${JSON.stringify(record)}\n`).join('')

// What follows is a search of another kind: the records are made together with what of them is said, and where.

/** A text that somebody can read, and the names of the lines that lead to it, the innermost last. */
interface Said {
  text: string
  at: readonly string[]
}

/** A file's records and what is said in them. */
class Script {
  readonly records: object[] = []
  readonly said: Said[] = []
  readonly #name: string
  readonly #above: readonly string[]

  constructor(name: string, above: readonly string[] = []) {
    this.#name = name
    this.#above = above
  }

  add(kind: Kind, text: string): void {
    const uuid = this.#next()
    const said = (...spoken: string[]) =>
      this.said.push(...spoken.map((one) => ({ text: one, at: [...this.#above, uuid] })))
    const sub = this.#above.length > 0 ? { isSidechain: true, agentId: this.#name } : {}
    const reply = (part: object, id = uuid) => ({
      ...{ type: 'assistant', uuid: id, ...sub, message: { id: `m-${id}`, content: [part] } },
    })
    switch (kind) {
      case 'prompt':
        said(text)
        return void this.records.push({ ...user(uuid, text), ...sub })
      case 'reply':
        said(text)
        return void this.records.push(reply({ type: 'text', text }))
      case 'thought':
        said(text)
        return void this.records.push(reply({ type: 'thinking', thinking: text }))
      case 'notice':
        said(text)
        return void this.records.push({ type: 'system', uuid, ...sub, content: text })
      case 'tool': {
        // What it gives is shown where it is.
        said(`Bash\n${text}\n${text}`, text)
        const input = { command: text, deep: [{ 1: text }] }
        const result = { type: 'tool_result', tool_use_id: `call-${uuid}`, content: [{ type: 'text', text }] }
        this.records.push(reply({ type: 'tool_use', id: `call-${uuid}`, name: 'Bash', input }))
        return void this.records.push({ ...user(this.#next(), [result]), ...sub })
      }
      case 'serving':
        return void this.records.push(
          { type: 'last-prompt', lastPrompt: text },
          { type: 'custom-title', customTitle: text },
          { type: 'attachment', attachment: { type: 'skill_listing', content: text } },
          { type: 'progress', data: { message: text } },
          { ...user(this.#next(), text), isMeta: true },
          { type: 'file-history-snapshot', snapshot: text },
          { ...user(this.#next(), [{ type: 'tool_result', content: [] }]), toolUseResult: { stdout: text } },
        )
      case 'foreign':
        // As old versions write what sub-agents say.
        if (this.#above.length > 0) return
        return void this.records.push({ ...user(uuid, text), isSidechain: true, agentId: 'inner' })
    }
  }

  /** A tool starts a sub-agent; `isNoted`: nothing but its notes tells. */
  start(agent: string, isNoted: boolean): Script {
    const uuid = this.#next()
    const call = `call-${uuid}`
    const part = { type: 'tool_use', id: call, name: 'Agent', input: {} }
    this.records.push({ type: 'assistant', uuid, message: { id: `m-${uuid}`, content: [part] } })
    this.said.push({ text: 'Agent', at: [...this.#above, uuid] })
    const result = { type: 'tool_result', tool_use_id: call, content: [] }
    const detail = isNoted ? {} : { toolUseResult: { agentId: agent } }
    this.records.push({ ...user(this.#next(), [result]), ...detail })
    return new Script(agent, [...this.#above, uuid])
  }

  #next(): string {
    return `${this.#name}-line-${this.records.length}`
  }
}

const kinds = ['prompt', 'reply', 'thought', 'notice', 'tool', 'serving', 'foreign'] as const
type Kind = (typeof kinds)[number]

/** Ways to write the same JSON. */
const writings: ((text: string) => string)[] = [
  (text) => text,
  // As Python does.
  (text) => escape(text, /[\u007f-\uffff]/g),
  // As for HTML.
  (text) =>
    escape(text, /[<>&'+=`\u007f-\uffff]/g).replaceAll(
      /\\u[\da-f]{4}/g,
      (one) => `\\u${one.slice(2).toUpperCase()}`,
    ),
  (text) => text.replaceAll('/', '\\/'),
]

/** Writes characters by their numbers, as far as they are not part of another sign of JSON; not in names, which end with a digit. */
function escape(text: string, which: RegExp): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) =>
    /\d"$/.test(string)
      ? string
      : string.replaceAll(/\\u[\da-f]{4}|\\.|[^\\]/g, (one) =>
          one.length > 1
            ? one
            : one.replace(which, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
        ),
  )
}

/** Whether a text holds all of these in any case, whatever white space is in them. */
function holdsAll(text: string, terms: readonly string[]): boolean {
  const plain = (one: string) => one.replaceAll(/\s+/g, ' ').toLowerCase()
  return terms.every((term) => plain(text).includes(plain(term)))
}

const signs = [
  'a',
  'B',
  'c',
  'ü',
  'É',
  'ж',
  '😀',
  ' ',
  '\n',
  '\t',
  '\r\n',
  '\\',
  '/',
  '.',
  '$',
  '&',
  "'",
  '\u001b',
  '0',
]
const inner = fc.string({ unit: fc.constantFrom(...signs, '"'), maxLength: 12 })
const spoken = inner.map((text) => `a${text}b`)
const term = fc
  .string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 4 })
  .map((text) => text.trim())
  .filter((text) => text !== '')
const things = fc.array(fc.tuple(fc.constantFrom(...kinds), spoken), { maxLength: 8 })

test('whatever is said, and however it is written, a search finds it where it stands, and nothing else', async () => {
  let run = 0
  let hits = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        own: things,
        noted: things,
        named: things,
        beside: things,
        deep: things,
        writing: fc.nat(writings.length - 1),
        typed: fc.array(term, { minLength: 1, maxLength: 3 }),
        taken: fc.nat(),
        from: fc.nat(8),
        ends: fc.boolean(),
      }),
      async ({ own, noted, named, beside, deep, writing, typed, taken, from, ends }) => {
        const id = `s${++run}`
        const main = new Script(id)
        for (const [kind, text] of own) main.add(kind, text)
        const agents = {
          [`n${run}`]: main.start(`n${run}`, true),
          [`m${run}`]: main.start(`m${run}`, false),
          [`b${run}`]: main.start(`b${run}`, false),
        }
        const [first, second, third] = Object.values(agents)
        for (const [kind, text] of noted) first?.add(kind, text)
        for (const [kind, text] of named) second?.add(kind, text)
        for (const [kind, text] of beside) third?.add(kind, text)
        const inside = second?.start(`d${run}`, false)
        for (const [kind, text] of deep) inside?.add(kind, text)
        const write = (path: string, records: readonly object[]) => {
          const text = (writings[writing] ?? String)(json(records))
          return writeFile(path, ends ? text : text.trimEnd())
        }
        await write(pathOf(id), main.records)
        const records = join(folder, id, 'subagents')
        await mkdir(records, { recursive: true })
        const call =
          first?.said.length === undefined
            ? ''
            : `call-${main.said.find(({ text }) => text === 'Agent')?.at[0]}`
        await writeFile(join(records, `agent-n${run}.meta.json`), JSON.stringify({ toolUseId: call }))
        await write(join(records, `agent-n${run}.jsonl`), first?.records ?? [])
        await write(join(records, `agent-m${run}.jsonl`), second?.records ?? [])
        await write(join(records, `agent-d${run}.jsonl`), inside?.records ?? [])
        const old = (third?.records ?? []).map((record) => ({ ...record, sessionId: id }))
        await writeFile(join(folder, `agent-b${run}.jsonl`), json(old))
        // Nothing leads to this one.
        await write(join(records, `agent-lost${run}.jsonl`), first?.records ?? [])

        const all = [main, ...Object.values(agents), ...(inside ? [inside] : [])].flatMap(({ said }) => said)
        // Most of what is looked for is a part of what was said.
        const source = all[taken % all.length]?.text ?? ''
        const part = (source.replaceAll('"', ' ').match(/./gsu) ?? [])
          .slice(from, from + 4)
          .join('')
          .trim()
        const terms = part === '' || taken % 4 === 0 ? typed : [part, ...typed.slice(2)]
        const query = terms.map((one) => (/\s/.test(one) ? `"${one}"` : one)).join(' ')

        const expected = all.filter(({ text }) => holdsAll(text, terms)).map(({ at }) => at.join(' > '))
        const news = await find(query, [id])
        expect(news.phase).toBe('done')
        const found = news.found.flatMap(({ hits: its }) =>
          its.map(({ uuid, inside: way }) => [uuid, ...way.map((step) => step.uuid)].join(' > ')),
        )
        expect(found.sort()).toEqual(expected.sort().slice(0, mostHitsOfSession))
        hits += found.length
      },
    ),
    // Each try writes several files and starts a program.
    { numRuns: fc.readConfigureGlobal().numRuns ?? 60 },
  )
  expect(hits).toBeGreaterThan(10)
})

test('hits come from the newest session first, with their place, time and marks', async () => {
  await writeFile(pathOf('old'), json([user('a', 'The lamp of the GREENHOUSE flickers', 5)]))
  const before = json([user('b', 'no word of it')])
  await writeFile(pathOf('new'), before + json([user('c', 'a greenhouse,\nand its lamp', 7)]))
  const news = await find('lamp greenhouse', ['new', 'old'])
  expect(news).toMatchObject({ phase: 'done', searched: 2, of: 2 })
  expect(texts(news)).toEqual([
    ['new', 'a greenhouse, and its lamp'],
    ['old', 'The lamp of the GREENHOUSE flickers'],
  ])
  expect(news.found[0]?.hits[0]).toMatchObject({
    ...{ uuid: 'c', offset: before.length, at: 7, speaker: 'you' },
    marks: [
      { from: 2, to: 12 },
      { from: 22, to: 26 },
    ],
  })
  expect(texts(await find('flickers word', ['new', 'old']))).toEqual([])
})

test('of many hits in a session the newest are told, and all in all no more than 500', async () => {
  const many = json(Array.from({ length: 80 }, (_, at) => user(`u${at}`, `lamp number ${at}`, at)))
  const ids = Array.from({ length: 14 }, (_, at) => `s${at}`)
  for (const id of ids) await writeFile(pathOf(id), many)
  const news = await find('lamp', ids)
  expect(news.phase).toBe('cut')
  expect(news.found.flatMap(({ hits }) => hits)).toHaveLength(500)
  expect(news.found[0]?.isCut).toBe(true)
  expect(news.found[0]?.hits).toHaveLength(mostHitsOfSession)
  expect(news.found[0]?.hits[0]?.uuid).toBe('u79')
  // The first are told before the last are found.
  expect(news.told.length).toBeGreaterThan(1)
  expect(news.told[0]?.phase).toBe('running')
})

test('a line of megabytes is searched, and one of a file’s bytes that is no text hides nothing', async () => {
  const long = user('long', [
    { type: 'text', text: 'a lamp' },
    { type: 'image', source: { data: 'x'.repeat(6_000_000) } },
  ])
  const odd = Buffer.concat([
    Buffer.from('\ufeff'),
    Buffer.from(json([user('first', 'lamp one')])),
    Buffer.of(0, 0xff, 10),
  ])
  await writeFile(pathOf('one'), Buffer.concat([odd, Buffer.from(json([long, user('last', 'lamp two')]))]))
  const { found } = await find('lamp', ['one'])
  expect(found[0]?.hits.map(({ uuid }) => uuid)).toEqual(['last', 'long', 'first'])
  expect(found[0]?.hits.map(({ offset }) => offset).at(-1)).toBe(0)
})

test('of lines with one name the first counts, and a result is shown where its tool is, however far', async () => {
  const call = { type: 'tool_use', id: 'call', name: 'Read', input: {} }
  const between = Array.from({ length: 300 }, (_, at) => user(`u${at}`, 'x'.repeat(8000)))
  const result = user('result', [{ type: 'tool_result', tool_use_id: 'call', content: 'the lamp' }])
  const lines = [
    user('twice', 'lamp'),
    { type: 'assistant', uuid: 'use', message: { id: 'm', content: [call] } },
    ...between,
    user('twice', 'lamp'),
    result,
  ]
  await writeFile(pathOf('one'), json(lines))
  const { found } = await find('lamp', ['one'])
  expect(found[0]?.hits.map(({ uuid, offset }) => [uuid, offset])).toEqual([
    ['use', json(lines.slice(0, 1)).length],
    ['twice', 0],
  ])
})

test('one that is ended tells nothing more, and without ripgrep it says so', async () => {
  await writeFile(pathOf('one'), json([user('a', 'lamp')]))
  const ended = open('lamp', ['one'])
  const running = outcome(ended)
  ended.dispose()
  expect((await running).told).toEqual([])
  const missing = await outcome(open('lamp', ['one'], { program: join(root, 'no-rg') }))
  expect(missing.phase).toBe('no-program')
  // A program that breaks off has not found nothing.
  if (process.platform === 'win32') return
  await writeFile(join(root, 'rg'), '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 })
  expect((await outcome(open('lamp', ['one'], { program: join(root, 'rg') }))).phase).toBe('failed')
})

test('files that are gone, or cannot be read, hold nothing', async () => {
  await writeFile(pathOf('one'), json([user('a', 'lamp')]))
  await mkdir(pathOf('two'))
  expect(texts(await find('lamp', ['gone', 'two', 'one']))).toEqual([['one', 'lamp']])
})
