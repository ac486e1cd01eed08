import { join } from 'node:path'
import { FileWatcher } from '../src/main/core/files/watcher'
import {
  type ClaudeIdeOptions,
  type ClaudeIdeServer,
  startClaudeIdeServer,
} from '../src/main/protocols/claude-ide/claude-ide-server'
import type { ClaudeFacts, ClaudeIdePorts } from '../src/main/protocols/claude-ide/ports'
import { FrameParser } from '../src/main/protocols/kit/frame-parser'
import type { OpenFile, Selected } from '../src/shared/agent-view'
import type { SentItem } from '../src/shared/contract/context'
import { type Disposable, DisposableStack, Emitter } from '../src/shared/lifetime'
import { fail, succeed } from '../src/shared/result'
import type { Opening, Proposal, WithdrawnReason } from '../src/shared/review/proposal'

/** A review that the test answers. */
export interface Asked {
  proposal: Proposal
  signal: AbortSignal
  answer(opening: Opening): void
}

export const openFile: OpenFile = {
  path: '/p/a b#.ts',
  label: 'a b#.ts',
  languageId: 'typescript',
  isActive: true,
  isDirty: false,
  shownAt: 1,
}

/** An app around the server, as plain as can be: everything that the server does to it is seen. */
export class PlainClaudeApp implements Disposable {
  readonly home: string
  readonly folders: { name: string; path: string }[]
  readonly #owned = new DisposableStack()
  readonly #frames = this.#owned.add(new FrameParser())
  readonly #watcher = this.#owned.add(new FileWatcher())

  asked: Asked[] = []
  onAsked = new Emitter<Asked>()
  selectionChanges = new Emitter<{ atOnce: boolean }>()
  foldersChanged = new Emitter<void>()
  current: Selected | null = null
  latest: Selected | null = null
  /** What the record of the context hears. */
  handed: [agent: string, how: string, item: SentItem][] = []
  unmentionable = ''
  opened: unknown[] = []
  closedTabs: string[] = []
  dirty = new Map<string, boolean>()
  facts: ClaudeFacts[] = []
  said: string[] = []
  log: [string, string, number][] = []
  refused: number[] = []
  questionsClosed: { connection: string; call: string }[] = []
  ended = 0
  turns = 0
  onEnded = new Emitter<void>()

  ports: ClaudeIdePorts = {
    review: {
      open: (proposal, signal) =>
        new Promise((answer) => {
          const asked = { proposal, signal, answer }
          // The desk withdraws what nobody waits for.
          signal.addEventListener('abort', () =>
            answer({ kind: 'withdrawn', reason: signal.reason as WithdrawnReason }),
          )
          this.asked.push(asked)
          this.onAsked.emit(asked)
        }),
      questionClosed: (origin) => this.questionsClosed.push(origin),
    },
    context: {
      seen: () => ({ files: [openFile], current: this.current, latest: this.latest }),
      settle: () => Promise.resolve(),
      onSelection: this.selectionChanges.on,
      mayMention: (path) => path !== this.unmentionable,
      handed: ({ agent }, how, item) => this.handed.push([agent, how, item]),
    },
    editor: {
      open: ({ find, ...request }) => {
        const text = 'first line\nsecond line\n'
        this.opened.push({ ...request, found: find?.(text) })
        if (request.path.endsWith('missing'))
          return Promise.resolve(fail('missing', 'There is no such file.'))
        return Promise.resolve(succeed({ languageId: 'plaintext', lineCount: 3 }))
      },
      dirtyState: (path) => {
        const isDirty = this.dirty.get(path)
        return isDirty === undefined ? undefined : { isDirty, isUntitled: false }
      },
      save: (path) => {
        if (!this.dirty.has(path)) return undefined
        if (path.endsWith('conflict'))
          return Promise.resolve(fail('conflict', 'The file has changed on disk.'))
        this.dirty.set(path, false)
        return Promise.resolve(succeed(undefined))
      },
      closeTab: (label) => {
        this.closedTabs.push(label)
        return Promise.resolve()
      },
    },
    folders: { folders: () => this.folders, onChange: this.foldersChanged.on },
    diagnostics: {
      diagnostics: (path) => {
        const diagnostics = [
          {
            message: 'no',
            severity: 'Error' as const,
            start: { line: 1, character: 0 },
            end: { line: 1, character: 2 },
            source: 'ts',
            code: 7,
          },
        ]
        return Promise.resolve([{ path: path ?? '/all of it', diagnostics }])
      },
    },
    connections: {
      opened: (facts) => {
        this.facts.push(facts)
        const place = this.facts.length - 1
        return {
          update: (more) => (this.facts[place] = more),
          frame: (direction, text, bytes) => this.log.push([direction, text, bytes]),
          say: (message) => this.said.push(message),
          turn: () => (this.turns += 1),
          closed: () => {
            this.ended += 1
            this.onEnded.emit()
          },
        }
      },
      refused: (status) => this.refused.push(status),
    },
  }

  /** Its lock file goes to the home's folder of Claude Code, unless it is told otherwise. */
  constructor(home: string) {
    this.home = home
    this.folders = [{ name: 'project', path: join(home, 'project') }]
  }

  /** The server ends with this. Throws with the failure's code. */
  async start(more: Partial<ClaudeIdeOptions> = {}): Promise<ClaudeIdeServer> {
    const started = await startClaudeIdeServer({
      ports: this.ports,
      frames: this.#frames,
      watcher: this.#watcher,
      version: '9.9.9',
      home: this.home,
      ...more,
    })
    if (!started.ok) throw Object.assign(new Error(started.failure.message), { code: started.failure.code })
    return this.#owned.add(started.value)
  }

  dispose(): void {
    this.#owned.dispose()
  }

  /** The review number `n`, counted from 0, once it is asked. */
  review(n: number): Promise<Asked> {
    const found = this.asked[n]
    if (found) return Promise.resolve(found)
    return new Promise((resolve) => {
      const listening = this.onAsked.on(() => {
        const asked = this.asked[n]
        if (!asked) return
        listening.dispose()
        resolve(asked)
      })
    })
  }
}
