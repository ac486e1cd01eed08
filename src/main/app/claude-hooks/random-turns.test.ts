import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import { expect, test, vi } from 'vitest'
import { Chance, seed } from '../../../../test/chaos/chance'
import { Peer } from '../../../../test/claude-ide-peer'
import { afterTool, beforeTool, decisionIn, HookPeer } from '../../../../test/hook-peer'
import { logTo, openWindowOn, pageOf, readyOf, startPlainApp } from '../../../../test/plain-app'
import {
  notebookText,
  type RandomChange,
  randomCell,
  randomChange,
  randomKind,
  randomText,
  rawOf,
  wordsIn,
} from '../../../../test/random-changes'
import type { Hunk } from '../../../shared/review/draft'
import { hashContent } from '../../core/files/content-hash'
import { createMemorySettingsStore } from '../../../../test/memory-settings'
import { proposedBy } from '../../protocols/claude-tools/edit-tools'
import type { App } from '../app'
import { claudeIde } from '../claude-ide/claude-ide'
import type { WindowHost } from '../window-host'
import { printRecord } from '../wiring/print-record'
import { claudeHooks } from './claude-hooks'

/**
 * Random tools, modes, rules and decisions, against the real app: no rejected text is ever in a file, and the record of
 * writes tells of each file what it holds, to the byte. What asks is no Claude Code, but does what it is told as that does
 * (test/interop/claude-edit-tools.test.ts). Repeat a run by its seed: GREENLIGHT_CHAOS_SEED=N.
 */
const turns = process.env['GREENLIGHT_LONG'] === undefined ? 300 : 1000

const overlaps = [
  ...['mode, while asked', 'mode, before it is written', 'mode, once it is written'],
  'Bash, once it is written',
]
const kindsOfTurns = [
  ...['Edit', 'Write'].flatMap((tool) =>
    ['reviewed', 'reviewed, linked', 'by a rule', 'by the mode'].map((way) => `${tool} ${way}`),
  ),
  ...['NotebookEdit reviewed', 'whole', 'in part', 'edited', 'rejected', 'put back', 'two at once', 'Bash'],
  ...overlaps,
]
const modes = ['default', 'acceptEdits', 'auto', 'bypassPermissions', 'dontAsk']
const linked = '00000000-0000-4000-8000-00000000000a'
const unlinked = '00000000-0000-4000-8000-00000000000b'
const another = '00000000-0000-4000-8000-00000000000c'
const patience = { timeout: 10_000, interval: 5 }

/** What stands in the record of a write, as it is exported. */
interface Line {
  path: string
  how: string
  before: { sha256?: string | null }
  written?: { sha256: string | null } | null
  takenBack?: string
}

class RandomTurns {
  readonly #chance = new Chance('gate')
  readonly #home = realpathSync(mkdtempSync(join(tmpdir(), 'random-turns-')))
  readonly #project = join(this.#home, 'project')
  readonly #settings = createMemorySettingsStore({
    reviewPathRules: [
      { pattern: 'docs/**', answer: 'write' },
      { pattern: 'asked/**', answer: 'ask' },
      { pattern: 'never/**', answer: 'never' },
    ],
  })
  readonly #reports: unknown[] = []
  /** What each file holds, as it must; null: there is none. */
  readonly #files = new Map<string, string | null>()
  /** The hash of what each held at the beginning. */
  readonly #first = new Map<string, string>()
  /** What the last file that was written held before. */
  #before: string | null = null
  readonly #rejected = new Set<string>()
  /** What came about, and how often. */
  readonly counts = new Map<string, number>()
  #app!: App
  #window!: WindowHost
  #page!: ReturnType<typeof pageOf>
  #peer!: HookPeer
  #ide!: Peer
  #turn = 0
  #changes = 0
  #calls = 0

  async begin(): Promise<void> {
    this.#app = await startPlainApp(this.#home, {
      dialects: [claudeIde, claudeHooks],
      settingsStore: this.#settings,
      log: logTo(this.#reports),
    })
    this.#window = await openWindowOn(this.#app, this.#project)
    this.#page = pageOf(this.#window)
    const open = this.#window.dialects.find(({ facts }) => facts.id === 'claude-hooks')?.open
    const { port } = (open?.readiness() ?? { port: 0 }) as { port: number }
    const token = open?.variables('t1')['GREENLIGHT_HOOK_TOKEN'] ?? ''
    this.#peer = new HookPeer(`http://127.0.0.1:${port}/hook`, { terminal: 't1', token })
    const { claudeIde: ide } = readyOf(this.#window)
    const { authToken } = JSON.parse(readFileSync(ide?.lockFiles[0] ?? '', 'utf8')) as { authToken: string }
    this.#ide = await Peer.connect({ port: ide?.port ?? 0, token: authToken })
    this.#ide.send({ jsonrpc: '2.0', method: 'ide_connected', params: { pid: process.pid } })
    await vi.waitFor(() => expect(this.#window.connections.proposing().size).toBe(1), patience)
  }

  /** The files of the first turn, and the note by which this process is in the linked session. */
  prepare(): void {
    const note = join(this.#home, '.claude', 'sessions', `${process.pid}.json`)
    mkdirSync(dirname(note), { recursive: true })
    writeFileSync(note, JSON.stringify({ pid: process.pid, sessionId: linked }))
    for (const folder of ['src', 'docs', 'asked', 'never'])
      for (let at = 0; at < (folder === 'src' ? 6 : 2); at++) {
        const text = rawOf(randomText(this.#chance, `${folder}${at}`), randomKind(this.#chance))
        this.#put(join(folder, `${at}.txt`), text)
      }
    this.#put('src/book.ipynb', notebookText(['a = 1', 'b = 2', 'c = 3']))
  }

  async end(): Promise<void> {
    this.#ide.dispose()
    await this.#app.shutdown()
    expect(this.#reports).toEqual([])
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 })
  }

  async turn(number: number): Promise<void> {
    this.#turn = number
    const roll = this.#chance.next()
    // What is rare comes in its turn, for a run is to have all of it.
    if (number % 60 === 59) await this.#command()
    else if (number % 15 === 7) await this.#overlapping()
    else if (roll < 0.08) await this.#both()
    else if (roll < 0.15) await this.#byRule()
    else if (roll < 0.19) await this.#refused()
    else if (roll < 0.31) await this.#byMode()
    else if (roll < 0.37) await this.#interrupted()
    else await this.#reviewed(this.#change(this.#pickFile()))
    this.#look()
    if (number % 10 === 9) await this.reconcile()
  }

  /** A change that the person decides on. */
  async #reviewed(change: RandomChange, more: Record<string, unknown> = {}): Promise<void> {
    const isLinked = change.tool !== 'NotebookEdit' && this.#isPlain(change) && this.#chance.next() < 0.4
    const call = this.#call(change, { session_id: isLinked ? linked : unlinked, ...more })
    this.#count(`${change.tool} reviewed${isLinked ? ', linked' : ''}`)
    if (isLinked) {
      expect((await this.#told(call))['permissionDecision']).toBe('ask')
      return this.#overLink(change, call)
    }
    const called = this.#peer.send(call)
    const expected = await this.#decide(await this.#asked(change))
    await this.#do(change, call, decisionIn(await called.answer), expected)
  }

  /** What Claude Code does when its hook says `ask`: openDiff, and what that answers is what it writes. */
  async #overLink(change: RandomChange, call: Record<string, unknown>): Promise<void> {
    const path = pathIn(change)
    const proposed = this.#proposed(change)
    const tab = `tab ${this.#turn}`
    const answer = this.#ide.diff(path, proposed, tab)
    const expected = await this.#decide(await this.#asked(change))
    const [word, text] = (await answer) as [string, string | undefined]
    expect(word).toBe(expected === null ? 'DIFF_REJECTED' : 'FILE_SAVED')
    if (text !== undefined && expected !== null) {
      this.#write(path, text, expected)
      await this.#peer.ask(afterTool(call))
    }
    await this.#ide.call('close_tab', { tab_name: tab })
  }

  /** Two sub-agents ask at once. */
  async #both(): Promise<void> {
    const [one, other] = [this.#change('src/0.txt'), this.#change('src/1.txt')]
    this.#count('two at once')
    const calls = [one, other].map((change, at) => ({
      change,
      call: this.#call(change, { agent_id: `a${at}` }),
    }))
    const waiting = calls.map(({ change, call }) => ({ change, call, called: this.#peer.send(call) }))
    for (const { change, call, called } of this.#chance.some(waiting, 2)) {
      const expected = await this.#decide(await this.#asked(change))
      await this.#do(change, call, decisionIn(await called.answer), expected)
    }
  }

  /** A rule lets it through; now and then the person puts it back. */
  async #byRule(): Promise<void> {
    const name = this.#chance.pick(['docs/0.txt', 'docs/1.txt', `docs/new${this.#turn}.txt`])
    const change = this.#change(name)
    const before = this.#files.get(name) ?? null
    const call = this.#call(change)
    this.#count(`${change.tool} by a rule`)
    const decision = await this.#told(call)
    expect(decision['permissionDecision']).toBe('allow')
    await this.#do(change, call, decision, this.#proposed(change))
    if (this.#chance.next() < 0.7) return
    this.#count('put back')
    const { entries } = await this.#page.call('record.page', { text: '', limit: 50 })
    const entry = entries.find(({ path }) => path === this.#at(name))
    expect(entry).toMatchObject({ how: 'let-through', canUndo: true })
    expect(await this.#page.call('review.undo', { id: entry?.id ?? '' })).toMatchObject({ ok: true })
    this.#files.set(name, before)
    this.#reject(change, before)
  }

  async #refused(): Promise<void> {
    const change = this.#change(this.#chance.pick(['never/0.txt', 'never/1.txt', 'never/new.txt']))
    this.#count(`${change.tool} refused by a rule`)
    const { permissionDecision, permissionDecisionReason } = await this.#told(this.#call(change))
    expect([permissionDecision, permissionDecisionReason]).toEqual([
      'deny',
      expect.stringContaining('never/**'),
    ])
    this.#reject(change)
  }

  /** While a change waits for the person or for its outcome, the same file is written unasked. */
  async #overlapping(): Promise<void> {
    const name = this.#chance.pick(['src/2.txt', 'src/3.txt', `src/over${this.#turn}.txt`])
    const [when] = overlaps.toSorted((one, other) => this.#times(one) - this.#times(other))
    const change = this.#change(name)
    const call = this.#call(change)
    const called = this.#peer.send(call)
    const id = await this.#asked(change)
    if (when === 'mode, while asked') await this.#writeUnasked(name, when)
    const expected = await this.#decide(id)
    const decision = decisionIn(await called.answer)
    if (expected === null) return this.#do(change, call, decision, null)
    // What the tool has read is overwritten all the same, as a new file is that has just appeared.
    if (when === 'mode, before it is written') await this.#writeUnasked(name, when)
    this.#write(this.#at(name), expected, expected)
    if (when === 'mode, once it is written') await this.#lookedAt(await this.#writeUnasked(name, when))
    const told = this.#peer.ask(afterTool(call, { tool_input: decision['updatedInput'] ?? change.input }))
    if (when === 'Bash, once it is written') await this.#overwrite(name, when)
    await told
  }

  /** Another session writes a file as its mode says. */
  async #writeUnasked(name: string, when: string): Promise<RandomChange> {
    this.#count(when)
    this.#settings.set({ reviewWhich: 'mode' })
    const change = this.#change(name)
    const call = this.#call(change, { permission_mode: 'acceptEdits', session_id: another })
    await this.#do(change, call, await this.#told(call), this.#proposed(change))
    this.#settings.set({ reviewWhich: 'every' })
    return change
  }

  /** A command writes a file whose review may not have seen yet what it led to. That is then all it knows of. */
  async #overwrite(name: string, when: string): Promise<void> {
    this.#count(when)
    const change = await this.#runCommand(name)
    const path = this.#at(name)
    const of = () => this.#desk.summaries().filter((one) => one.path === path)
    await vi.waitFor(() => expect(of().filter(({ effect }) => effect !== 'written')).toEqual([]), patience)
    await this.#window.changes.flush()
    if (of().length > 0) await this.#lookedAt(change)
  }

  /** The mode decides: it is written at once, and looked at afterwards. */
  async #byMode(): Promise<void> {
    this.#settings.set({ reviewWhich: 'mode' })
    const change = this.#change(this.#pickFile())
    const mode = this.#chance.pick(['acceptEdits', 'bypassPermissions'])
    const call = this.#call(change, { permission_mode: mode })
    this.#count(`${change.tool} by the mode`)
    // What is asked about whatever the mode says, is.
    const isAsked = pathIn(change).includes('/asked/')
    const called = this.#peer.send(call)
    const decided = isAsked ? await this.#decide(await this.#asked(change)) : this.#proposed(change)
    await this.#do(change, call, decisionIn(await called.answer), decided)
    this.#settings.set({ reviewWhich: 'every' })
    if (!isAsked) await this.#lookedAt(change)
  }

  /** A command writes a file; nobody was asked. */
  async #command(): Promise<void> {
    const name = this.#chance.pick(['src/0.txt', 'src/1.txt', 'src/2.txt'])
    this.#count('Bash')
    // What a review has left there is known only once it is over.
    await this.#rest()
    await this.#window.changes.flush()
    await this.#lookedAt(await this.#runCommand(name))
  }

  async #runCommand(name: string): Promise<RandomChange> {
    const change = this.#change(name)
    const command = `write ${name}`
    const call = beforeTool('Bash', { command }, { tool_use_id: `bash_${this.#turn}`, session_id: unlinked })
    expect(await this.#told(call)).toEqual({})
    this.#write(this.#at(name), this.#proposed(change), this.#proposed(change))
    await this.#peer.ask(afterTool(call))
    return change
  }

  /** Waits until nothing is open. */
  #rest(): Promise<void> {
    return vi.waitFor(() => expect(this.#desk.summaries()).toEqual([]), patience)
  }

  /** The person hears of it afterwards, and keeps it, in part or whole, or has it put back. */
  async #lookedAt(change: RandomChange): Promise<void> {
    const path = pathIn(change)
    const before = this.#before
    const review = await vi.waitFor(() => {
      const found = this.#desk.summaries().find((one) => one.path === path && one.effect === 'written')
      if (!found) throw new Error(`${path} is not looked at`)
      return found
    }, patience)
    const expected = await this.#decide(review.id)
    const name = this.#nameOf(path)
    this.#files.set(name, expected ?? before)
    await vi.waitFor(() => this.#look(), patience)
  }

  /** Esc: nobody waits for the answer any more. */
  async #interrupted(): Promise<void> {
    const change = this.#change(this.#pickFile())
    this.#count(`${change.tool} interrupted`)
    const called = this.#peer.send(this.#call(change))
    const id = await this.#asked(change)
    if (this.#chance.next() < 0.3) await this.#step(id, (hunks) => hunks.slice(0, 1))
    called.hangUp()
    this.#reject(change)
    await vi.waitFor(() => expect(this.#desk.summary(id)?.phase ?? 'orphaned').toBe('orphaned'), patience)
    const summary = this.#desk.summary(id)
    if (summary)
      expect(await this.#page.call('review.discard', { id, revision: summary.revision })).toMatchObject({
        ok: true,
      })
  }

  /** Decides on a review in some way; gives what the file must hold afterwards, or null if nothing is to be written. */
  async #decide(id: string): Promise<string | null> {
    const content = this.#desk.content(id)?.content
    if (content?.kind !== 'text') throw new Error('no text is reviewed')
    const path = this.#desk.summary(id)?.path ?? ''
    const isNotebook = path.endsWith('.ipynb')
    const [a, b] = [content.draft.a.toString(), content.draft.b.toString()]
    const { hunks } = content.draft
    const roll = this.#chance.next()
    if (roll < 0.22) {
      this.#count('rejected')
      this.#rejectIn(hunks, a)
      const note = roll < 0.06 ? { note: 'Not like this.' } : {}
      await this.#answer('review.reject', id, note)
      return null
    }
    let text = b
    if (roll < 0.55 && !isNotebook && hunks.length > 0) {
      this.#count('in part')
      const left = await this.#step(id, (all) => this.#chance.some(all, this.#chance.between(1, all.length)))
      const isLeft = new Set(left.map(({ number }) => number))
      text = merged(a, b, hunks, isLeft)
      this.#rejectIn(left, text)
    } else if (roll < 0.68 && !isNotebook) {
      this.#count('edited')
      const place = this.#desk.content(id)?.content
      if (place?.kind !== 'text') throw new Error('no text is reviewed')
      const at = place.draft.b.line(this.#chance.between(1, place.draft.b.lines)).from
      const typed = `typed ${this.#turn}`
      const rest = b.length - at
      const changes = [...(at > 0 ? [at] : []), [0, typed, ''], ...(rest > 0 ? [rest] : [])]
      await this.#push(id, [{ kind: 'edit', changes }])
      text = `${b.slice(0, at)}${typed}\n${b.slice(at)}`
    } else this.#count('whole')
    await this.#answer('review.accept', id)
    return text === a ? null : inFile(text, content.facts)
  }

  async #answer(call: 'review.accept' | 'review.reject', id: string, more: object = {}): Promise<void> {
    const revision = this.#desk.summary(id)?.revision ?? 0
    expect(await this.#page.call(call, { id, revision, ...more })).toMatchObject({ ok: true })
  }

  /** Rejects some changes of a review; gives them. */
  async #step(id: string, choose: (hunks: readonly Hunk[]) => readonly Hunk[]): Promise<readonly Hunk[]> {
    const content = this.#desk.content(id)?.content
    const chosen = content?.kind === 'text' ? choose(content.draft.hunks) : []
    if (chosen.length > 0)
      await this.#push(
        id,
        chosen.map(({ number }) => ({ kind: 'reject', hunk: number })),
      )
    return chosen
  }

  async #push(id: string, steps: object[]): Promise<void> {
    const content = this.#desk.content(id)?.content
    const version = content?.kind === 'text' ? content.version : 0
    const push = { id, client: `c${this.#turn}${id}`, version, after: 0, steps } as never
    expect(await this.#page.call('review.step', push)).toMatchObject({ status: 'accepted' })
  }

  /** No new word of a change may ever be in a file. */
  #reject(change: RandomChange, before = this.#read(pathIn(change))): void {
    const had = new Set(wordsIn(before ?? ''))
    for (const word of wordsIn(JSON.stringify(change.input))) if (!had.has(word)) this.#rejected.add(word)
  }

  /** No word of these changes may be, unless the text that is written has it elsewhere. */
  #rejectIn(hunks: readonly Hunk[], written: string): void {
    const has = new Set(wordsIn(written))
    for (const word of hunks.flatMap(({ proposed }) => wordsIn(proposed)))
      if (!has.has(word)) this.#rejected.add(word)
  }

  /** What is decided without the person; a call that they are asked about is broken off. */
  async #told(call: Record<string, unknown>): Promise<Record<string, unknown>> {
    const called = this.#peer.send(call)
    const timer = setTimeout(() => called.hangUp(), patience.timeout)
    try {
      return decisionIn(await called.answer)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Does what the answer of a hook says, as Claude Code does; `expected`: what the file must hold then. */
  async #do(
    change: RandomChange,
    call: Record<string, unknown>,
    decision: Record<string, unknown>,
    expected: string | null,
  ): Promise<void> {
    const { permissionDecision: word, updatedInput: input = change.input } = decision
    if (expected === null) return expect(word).toBe('deny')
    if (word === 'deny') throw new Error(String(decision['permissionDecisionReason']))
    const path = pathIn(change)
    const now = proposedBy(change.tool, input, this.#read(path))
    if (!now.ok) throw new Error(now.failure.message)
    this.#write(path, now.value.proposed, expected)
    await this.#peer.ask(afterTool(call, { tool_input: input }))
  }

  #write(path: string, text: string, expected: string): void {
    expect(text).toBe(expected)
    this.#before = this.#read(path)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    this.#files.set(this.#nameOf(path), expected)
  }

  /** The review that asks about a change. */
  #asked(change: RandomChange): Promise<string> {
    return vi.waitFor(() => {
      const found = this.#desk
        .summaries()
        .find(({ path, phase }) => path === pathIn(change) && phase === 'open')
      if (!found) throw new Error(`${pathIn(change)} is not asked about`)
      return found.id
    }, patience)
  }

  #proposed(change: RandomChange): string {
    const proposed = proposedBy(change.tool, change.input, this.#read(pathIn(change)))
    if (!proposed.ok) throw new Error(proposed.failure.message)
    return proposed.value.proposed
  }

  #change(name: string): RandomChange {
    const number = (this.#changes += 1)
    return name.endsWith('.ipynb')
      ? randomCell(this.#chance, this.#at(name), 3, number)
      : randomChange(this.#chance, this.#at(name), this.#files.get(name) ?? null, number)
  }

  #pickFile(): string {
    const known = [...this.#files.keys()].filter((name) => /^(src|asked)/.test(name))
    const roll = this.#chance.next()
    if (roll < 0.1) return 'src/book.ipynb'
    return roll < 0.2 ? `src/deep/new${this.#turn}.txt` : this.#chance.pick(known)
  }

  /** As openDiff shows it and Claude Code writes it, whichever tool asks. */
  #isPlain({ input }: RandomChange): boolean {
    const raw = this.#read(String(input['file_path']))
    const texts = [raw ?? '', String(input['content'] ?? ''), String(input['new_string'] ?? '')]
    return texts.every((text) => !/[\r\ufeff]/.test(text))
  }

  #call({ tool, input }: RandomChange, more: Record<string, unknown> = {}): Record<string, unknown> {
    const given = {
      permission_mode: this.#chance.pick(modes),
      session_id: unlinked,
      cwd: this.#project,
      ...more,
    }
    return beforeTool(tool, input, { tool_use_id: `toolu_${(this.#calls += 1)}`, ...given })
  }

  /** What the files hold is what was accepted, and nothing that was rejected. */
  #look(): void {
    for (const [name, expected] of this.#files) {
      const text = this.#read(this.#at(name))
      expect(text, name).toBe(expected)
      expect(
        wordsIn(text ?? '').filter((word) => this.#rejected.has(word)),
        name,
      ).toEqual([])
    }
  }

  /** Once nothing is open: follows each file through the record to what it holds. */
  async reconcile(): Promise<void> {
    await this.#rest()
    const { lines } = await this.#page.call('record.lines', { texts: false })
    this.#follow(lines.trimEnd().split('\n'))
  }

  /** The same from the folder, as `greenlight record` does, whether an app runs or not. */
  async reconcileOnDisk(): Promise<void> {
    const lines: string[] = []
    for await (const line of printRecord(join(this.#home, 'data'), null, { kind: 'json', texts: false }))
      lines.push(line)
    this.#follow(lines)
  }

  #follow(newestFirst: readonly string[]): void {
    const held = new Map<string, string | null>()
    for (const line of newestFirst.toReversed()) {
      const { path, before, written, takenBack, how } = JSON.parse(line) as Line
      if (!written) continue
      const known = held.has(path) ? held.get(path) : this.#first.get(this.#nameOf(path))
      expect(before.sha256, `before ${how} of ${path}`).toBe(known ?? null)
      held.set(path, takenBack === undefined ? written.sha256 : (before.sha256 ?? null))
    }
    for (const [path, hash] of held) {
      const text = this.#read(path)
      expect(text === null ? null : hashContent(Buffer.from(text)), path).toBe(hash)
    }
    for (const [name, text] of this.#files)
      if (!held.has(this.#at(name)))
        expect(text === null ? null : hashContent(Buffer.from(text)), name).toBe(
          this.#first.get(name) ?? null,
        )
  }

  #put(name: string, text: string): void {
    mkdirSync(dirname(this.#at(name)), { recursive: true })
    writeFileSync(this.#at(name), text)
    this.#files.set(name, text)
    this.#first.set(name, hashContent(Buffer.from(text)))
  }

  #read(path: string): string | null {
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  }

  #at(name: string): string {
    return join(this.#project, name)
  }

  #nameOf(path: string): string {
    return path.slice(this.#project.length + 1)
  }

  get #desk() {
    return this.#window.parts.desk
  }

  #count(what: string): void {
    this.counts.set(what, this.#times(what) + 1)
  }

  #times(what: string): number {
    return this.counts.get(what) ?? 0
  }
}

function pathIn({ tool, input }: RandomChange): string {
  return String(input[tool === 'NotebookEdit' ? 'notebook_path' : 'file_path'])
}

/** The proposal without some of its changes. */
function merged(a: string, b: string, hunks: readonly Hunk[], isLeft: ReadonlySet<number>): string {
  let [text, at] = ['', 0]
  for (const { number, fromA, toA, fromB, toB } of hunks) {
    text += b.slice(at, fromB) + (isLeft.has(number) ? a.slice(fromA, toA) : b.slice(fromB, toB))
    at = toB
  }
  return text + b.slice(at)
}

function inFile(text: string, { eol, bom }: { eol: string; bom: boolean }): string {
  return `${bom ? '\ufeff' : ''}${eol === 'crlf' ? text.replaceAll('\n', '\r\n') : text}`
}

test(`${turns} random turns: nothing rejected is written, and the record knows each byte`, async () => {
  const suite = new RandomTurns()
  suite.prepare()
  await suite.begin()
  let at = 0
  try {
    for (; at < turns; at++) {
      await suite.turn(at)
      // The record is the same for the app that follows.
      if (at % 100 !== 99) continue
      await suite.reconcile()
      await suite.end()
      await suite.reconcileOnDisk()
      await suite.begin()
    }
    await suite.reconcile()
    await suite.end()
  } catch (error) {
    throw new Error(`turn ${at}, GREENLIGHT_CHAOS_SEED=${seed}`, { cause: error })
  } finally {
    suite.remove()
  }
  // Of all that there is, each came about.
  expect([...suite.counts.keys()]).toEqual(expect.arrayContaining(kindsOfTurns))
}, 600_000)
