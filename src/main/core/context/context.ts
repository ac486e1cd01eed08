import { isDeepStrictEqual } from 'node:util'
import type { SentEntry, SentItem } from '../../../shared/contract/context'
import {
  type EditorFacts,
  type OpenFile,
  type Policy,
  type Seen,
  type Sharing,
  type Withheld,
  nothingSeen,
  see,
  whyFileWithheld,
  whyUntold,
} from '../../../shared/agent-view'
import { type Disposable, DisposableStack, Emitter, type Listen } from '../../../shared/lifetime'
import { DenyRuleFiles, type WatchFile } from './deny-rule-files'
import { type AskIgnored, IgnoredFiles } from './ignored-files'
import { PathRules, anchorPatterns, slashed } from '../files/path-rules'
import { type Receiver, SentRecord } from './sent-record'

/** The editor's state, whether agents may see it or not; `shownAt` is added here. */
export interface EditorNow {
  files: readonly Omit<OpenFile, 'shownAt'>[]
  current: EditorFacts['current']
  latest: EditorFacts['latest']
}

/** What outlives the app, kept for the window's folders. */
export interface ContextMemory {
  sharing: Sharing
  /** Symbolic links through which files were opened, with their targets. */
  names: readonly { name: string; path: string }[]
}

/** How many paths are remembered with what was found out about them. */
const mostRemembered = 5000
/** How many symbolic links are remembered; the newest are kept. */
const mostNames = 200

/** What the room needs from the rest of the app. */
export interface ContextParts {
  editor: { now(): EditorNow; onChange: Listen<void> }
  /** The window's folders; real paths. */
  folders(): readonly string[]
  home: string
  /** Where Claude Code keeps the person's settings. */
  configFolder: string
  /** Patterns that are never shared, and whether files that git ignores are never shared. */
  settings: { get(): { patterns: readonly string[]; ignored: boolean }; onChange: Listen<void> }
  memory: { read(): ContextMemory; write(memory: ContextMemory): void }
  watch: WatchFile
  askIgnored: AskIgnored
  now?: () => number
}

/** What agents see differently. `atOnce`: the person took something away or gave it, so nobody waits for a pause. */
export interface SeenChange {
  current: boolean
  files: boolean
  atOnce: boolean
}

/**
 * What agents may see of one window, and what they were given: the one source for every dialect. Until the rules of the
 * folders are known, nothing is seen.
 */
export class Context implements Disposable {
  readonly record: SentRecord
  readonly #parts: ContextParts
  readonly #owned = new DisposableStack()
  readonly #denyRules: DenyRuleFiles
  readonly #ignored: IgnoredFiles
  readonly #seenChanges = new Emitter<SeenChange>()
  readonly #changes = new Emitter<void>()
  /** Agents may see something else now. */
  readonly onSeen = this.#seenChanges.on
  /** Facts, rules or switches changed, whether agents see it or not. */
  readonly onChange = this.#changes.on
  /** Other names under which files were opened: a rule on a symbolic link's name also holds for its target. */
  readonly #names = new Map<string, Set<string>>()
  readonly #shown = new Map<string, number>()
  /** What was found out about paths since the rules last changed. */
  readonly #exclusions = new Map<string, Withheld | null>()
  readonly #now: () => number
  #rules = new PathRules([])
  #sharing: Sharing
  #facts: EditorFacts = { files: [], current: null, latest: null }
  #seen: Seen = nothingSeen
  #active: string | null = null
  #lastMoment = 0
  #loading = 0
  #isReady = false

  constructor(parts: ContextParts) {
    this.#parts = parts
    this.#now = parts.now ?? Date.now
    this.record = this.#owned.add(new SentRecord(this.#now))
    this.#denyRules = this.#owned.add(new DenyRuleFiles(parts.watch))
    this.#ignored = this.#owned.add(new IgnoredFiles(parts.askIgnored, parts.watch))
    this.#sharing = this.#recall()
    this.#owned.add(this.#denyRules.onChange(() => this.#ruleAnew()))
    this.#owned.add(this.#ignored.onChange(() => this.#update('word')))
    this.#owned.add(parts.settings.onChange(() => this.#ruleAnew()))
    this.#owned.add(parts.editor.onChange(() => this.#update('facts')))
  }

  /** Reads the rules of the window's folders; call it again when these change. Nothing is seen before. */
  async start(): Promise<void> {
    this.#loading += 1
    this.#isReady = false
    this.#sharing = this.#recall()
    this.#update('word')
    const { folders, home, configFolder } = this.#parts
    await this.#denyRules.follow(folders(), home, configFolder)
    this.#loading -= 1
    this.#isReady = this.#loading === 0
    this.#ruleAnew()
  }

  /** What agents may see now. Read it when sending, not earlier. */
  get seen(): Seen {
    return this.#seen
  }

  /** Everything there is, for the person only. */
  get facts(): EditorFacts {
    return this.#facts
  }

  get sharing(): Sharing {
    return this.#sharing
  }

  /** The deny rules from agents' settings files that apply here. */
  get denyRules(): { rule: string; file: string }[] {
    const spelled = this.#denyRules.lists.flatMap(({ rules, file }) =>
      rules.map((rule) => ({ rule: rule.spelled, file: file ?? '' })),
    )
    return [...new Map(spelled.map((rule) => [`${rule.file}\n${rule.rule}`, rule])).values()]
  }

  get problems(): string[] {
    return this.#denyRules.problems
  }

  /** Changes what is shared. Agents are told immediately. */
  share(change: Partial<Sharing>): void {
    this.#sharing = { ...this.#sharing, ...change }
    // It takes effect before it is saved: a disk that refuses must not keep anything shared.
    this.#update('word')
    this.#keep()
  }

  /** Why agents don't see that a file is open; null if they may. */
  whyFileWithheld(path: string): Withheld | null {
    return whyFileWithheld(path, this.policy)
  }

  /** Why agents may be told nothing about a path, even when the person mentions it; null if they may. */
  whyUntold(path: string): Withheld | null {
    return whyUntold(path, this.policy)
  }

  /** Finds out what `whyUntold` has to know about a path that may not be open. */
  async learn(path: string): Promise<void> {
    if (this.#parts.settings.get().ignored) await this.#ignored.learn([path])
  }

  /** A file was opened under a name that is not its real path. */
  addName(name: string, path: string): void {
    if (name === path || this.#names.get(path)?.has(name)) return
    this.#remember(name, path)
    this.#update('word')
    this.#keep()
  }

  sent(receiver: Receiver, how: SentEntry['how'], item: SentItem): void {
    this.record.add(receiver, how, item)
  }

  /** Decides about each path and switch. */
  readonly policy: Policy = (() => {
    const context = this as Context
    return {
      get sharing() {
        return context.#sharing
      },
      exclusionOf: (path: string) => context.#exclusionOf(path),
    }
  })()

  dispose(): void {
    this.#owned.dispose()
    this.#seenChanges.dispose()
    this.#changes.dispose()
  }

  #recall(): Sharing {
    const { sharing, names } = this.#parts.memory.read()
    for (const { name, path } of names) this.#remember(name, path)
    return sharing
  }

  #remember(name: string, path: string): void {
    this.#names.set(path, new Set([...(this.#names.get(path) ?? []), name]))
  }

  #keep(): void {
    const names = [...this.#names].flatMap(([path, all]) => [...all].map((name) => ({ name, path })))
    this.#parts.memory.write({ sharing: this.#sharing, names: names.slice(-mostNames) })
  }

  #exclusionOf(path: string): Withheld | null {
    const known = this.#exclusions.get(path)
    if (known !== undefined) return known
    const found = this.#findExclusion(path)
    if (this.#exclusions.size > mostRemembered) this.#exclusions.clear()
    this.#exclusions.set(path, found)
    return found
  }

  #findExclusion(path: string): Withheld | null {
    if (!this.#isReady) return { kind: 'unknown' }
    for (const name of [path, ...(this.#names.get(path) ?? [])]) {
      const match = this.#rules.match(slashed(name))
      if (match === 'too-deep') return { kind: 'unknown' }
      if (match) return { kind: 'excluded', ...match }
    }
    if (!this.#parts.settings.get().ignored) return null
    switch (this.#ignored.wordOn(path)) {
      case 'ignored':
        return { kind: 'ignored-by-git' }
      case 'unknown':
        return { kind: 'unknown' }
      case 'not-ignored':
        return null
    }
  }

  #ruleAnew(): void {
    const { settings, folders } = this.#parts
    const bases = folders().map((folder) => slashed(folder))
    const own = anchorPatterns(settings.get().patterns, bases, this.#denyRules.homes)
    this.#rules = new PathRules([...own, ...this.#denyRules.lists])
    this.#update('word')
  }

  /** Looks at everything again, and tells what has changed. */
  #update(cause: 'facts' | 'word'): void {
    if (cause === 'word') this.#exclusions.clear()
    this.#facts = this.#stamp(this.#parts.editor.now())
    const before = this.#seen
    const seen = see(this.#facts, this.policy)
    this.#seen = seen
    const current = !isDeepStrictEqual(before.current, seen.current)
    const files = !isDeepStrictEqual(before.files, seen.files)
    if (current || files) {
      this.#seenChanges.emit({ current, files, atOnce: cause === 'word' || this.#hasClosed(before) })
    }
    this.#changes.emit()
  }

  /** Whether something that agents saw is no longer open. */
  #hasClosed(before: Seen): boolean {
    const open = new Set(this.#facts.files.map(({ path }) => path))
    const { current, files } = before
    return (current !== null && !open.has(current.path)) || files.some(({ path }) => !open.has(path))
  }

  /** Now, but later than the last moment, so that no two files share one. */
  #moment(): number {
    this.#lastMoment = Math.max(this.#now(), this.#lastMoment + 1)
    return this.#lastMoment
  }

  #stamp({ files, current, latest }: EditorNow): EditorFacts {
    const open = new Set(files.map(({ path }) => path))
    for (const path of this.#shown.keys()) if (!open.has(path)) this.#shown.delete(path)
    const active = files.find(({ isActive }) => isActive)?.path ?? null
    for (const { path } of files) if (!this.#shown.has(path)) this.#shown.set(path, this.#moment())
    if (active !== null && active !== this.#active) this.#shown.set(active, this.#moment())
    this.#active = active
    return {
      files: files.map((file) => ({ ...file, shownAt: this.#shown.get(file.path) ?? 0 })),
      current,
      latest,
    }
  }
}
