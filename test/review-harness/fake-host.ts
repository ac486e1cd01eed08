import { ChangeSet, Text } from '@codemirror/state'
import type { Calls, Topics } from '../../src/shared/contract/contract'
import { contract } from '../../src/shared/contract/contract'
import type { DraftStepJson, ReviewDelta, ReviewState, ReviewSummary } from '../../src/shared/contract/review'
import type { Settings } from '../../src/shared/contract/settings'
import { createChannelPair } from '../channel-pair'
import { changesBetween } from '../../src/shared/text/line-diff'
import {
  applyStep,
  baseOf,
  countChanges,
  startDraft,
  type Draft,
  type DraftStep,
} from '../../src/shared/review/draft'
import { areLong, headOf } from '../../src/shared/review/draft-head'
import { disposable } from '../../src/shared/lifetime'
import { fail, succeed } from '../../src/shared/result'
import {
  serveRpc,
  type CallHandlers,
  type RpcClient,
  type Sink,
  type TopicHandlers,
} from '../../src/shared/rpc/rpc'

/** A review as a test begins it. */
export interface Sample {
  summary: Partial<ReviewSummary> & { id: string; path: string }
  base: string
  proposed: string
  facts?: Extract<ReviewState['draft'], { kind: 'text' }>['facts']
  offered?: boolean
  binary?: { sizeBefore: number | null; sizeAfter: number }
  /** Steps that were taken before the page saw it. */
  steps?: readonly DraftStep[]
  /** The text on disk now, when it is no longer the base. */
  disk?: string
}

interface Running {
  summary: ReviewSummary
  draft: Draft
  version: number
  /** How many steps came of each client. */
  clients: Map<string, number>
  sample: Sample
  sinks: Set<Sink<ReviewState, ReviewDelta>>
}

/** The review part of the contract, served in the page itself with the real model of drafts. */
export class FakeHost {
  readonly reviews = new Map<string, Running>()
  decided: Topics['reviews']['snapshot']['decided'] = []
  /** Every deciding call that was let through, in order. */
  readonly calls: { name: string; params: unknown }[] = []
  /** Calls are answered after so many milliseconds. */
  delay = 0
  /** Texts longer than this travel in pieces. */
  longestText = 256 * 1024
  /** Pieces of long texts are given when this resolves. */
  held: Promise<void> | null = null
  readonly #client: RpcClient<Calls, Topics>
  #settings: Settings
  /** The page's own layout, as it was last stored. */
  layout: Record<string, unknown> = {}
  connections: Topics['connections']['snapshot']['connections'] = []
  terminals: Topics['terminals']['snapshot']['terminals'] = []
  #listSinks = new Set<Sink<Topics['reviews']['snapshot'], Topics['reviews']['delta']>>()
  #settingsSinks = new Set<Sink<Settings, Partial<Settings>>>()
  #texts = new Map<string, string>()
  #end: (() => void) | null = null

  constructor(client: RpcClient<Calls, Topics>, samples: readonly Sample[], settings: Partial<Settings>) {
    this.#client = client
    this.#settings = { ...contract.topics.settings.snapshot.parse({}), ...settings }
    for (const sample of samples) this.reviews.set(sample.summary.id, begin(sample))
  }

  /** Gives the page a fresh channel, as after a lost link. */
  connect(): void {
    const [page, host] = createChannelPair()
    const server = serveRpc<Calls, Topics>(host, {
      calls: this.#handlers(),
      topics: this.#topics(),
      schemas: contract,
      report: (name, error) => console.error('fake host', name, error),
    })
    this.#end = () => {
      server.dispose()
      page.close()
    }
    this.#client.attach(page)
  }

  disconnect(): void {
    this.#end?.()
  }

  result(id: string): string {
    return this.#running(id).draft.b.toString()
  }

  reference(id: string): string {
    return this.#running(id).draft.a.toString()
  }

  hunks(id: string): Draft['hunks'] {
    return this.#running(id).draft.hunks
  }

  version(id: string): number {
    return this.#running(id).version
  }

  /** The file changes on disk. */
  rebase(id: string, disk: string): void {
    const running = this.#running(id)
    const changes = changesBetween(baseOf(running.draft), Text.of(disk.split('\n')))
    this.#put(running, { isStale: true })
    this.#apply(running, 'host', [{ kind: 'rebase', changes }])
  }

  /** Changes what the list tells of a review, such as its phase. */
  change(id: string, part: Partial<ReviewSummary>): void {
    this.#put(this.#running(id), part)
  }

  close(id: string, how: string): void {
    const running = this.#running(id)
    for (const sink of running.sinks) sink.delta({ kind: 'closed', how })
    this.reviews.delete(id)
    for (const sink of this.#listSinks) sink.delta({ kind: 'remove', id })
  }

  #running(id: string): Running {
    const running = this.reviews.get(id)
    if (!running) throw new Error(`no review ${id}`)
    return running
  }

  #put(running: Running, part: Partial<ReviewSummary>): void {
    running.summary = { ...running.summary, ...part, revision: running.summary.revision + 1 }
    for (const sink of running.sinks) sink.delta({ kind: 'summary', summary: running.summary })
    for (const sink of this.#listSinks) sink.delta({ kind: 'put', review: running.summary })
  }

  #apply(running: Running, client: string, steps: readonly DraftStep[]): boolean {
    let draft = running.draft
    for (const step of steps) {
      const stepped = applyStep(draft, step)
      if (!stepped) return false
      draft = stepped.draft
    }
    const { version } = running
    running.draft = draft
    running.version += steps.length
    for (const sink of running.sinks) {
      sink.delta({ kind: 'steps', version, client, steps: steps.map(writeStep) })
    }
    this.#put(running, countsOf(draft))
    return true
  }

  #handlers(): CallHandlers<Calls> {
    const decide =
      (name: string, how: string, more: (running: Running) => void = () => {}) =>
      async ({ id, revision, ...rest }: { id: string; revision: number; note?: string | undefined }) => {
        await this.#wait()
        const running = this.reviews.get(id)
        if (!running) return fail('closed', 'This review has ended.')
        if (revision !== running.summary.revision) {
          return fail('old-revision', 'The change has moved on meanwhile. Look at it and decide again.')
        }
        this.calls.push({ name, params: { id, revision, ...rest } })
        more(running)
        if (how !== '') this.close(id, how)
        return succeed({})
      }
    const decideAll =
      (name: string) =>
      async ({ reviews }: { reviews: { id: string; revision: number }[] }) => {
        await this.#wait()
        const fresh = reviews.filter(
          ({ id, revision }) => this.reviews.get(id)?.summary.revision === revision,
        )
        this.calls.push({ name, params: fresh.map(({ id }) => id) })
        for (const { id } of fresh) this.close(id, 'Done.')
        return { done: fresh.length, left: reviews.length - fresh.length }
      }
    const handlers: Partial<CallHandlers<Calls>> = {
      'text.read': async ({ handle, from }) => {
        await this.held
        const text = this.#texts.get(handle) ?? ''
        const piece = text.slice(from, from + this.longestText)
        return { piece, done: from + piece.length >= text.length }
      },
      'review.step': async ({ id, client, version, after, steps }) => {
        await this.#wait()
        const running = this.reviews.get(id)
        if (!running) return { status: 'closed' }
        const have = running.clients.get(client) ?? 0
        const fresh = steps.slice(have - after).map(readStep)
        if (fresh.length === 0) return { status: 'accepted', revision: running.summary.revision }
        if (version + have - after !== running.version) return { status: 'behind' }
        if (!this.#apply(running, client, fresh)) throw new Error('a step does not fit')
        running.clients.set(client, have + fresh.length)
        return { status: 'accepted', revision: running.summary.revision }
      },
      'review.accept': decide('review.accept', '', (running) => {
        this.#put(running, { phase: 'awaiting' })
      }),
      'review.reject': decide('review.reject', 'Rejected. Nothing was written.'),
      'review.keep': decide('review.keep', 'Written as your change.'),
      'review.discard': decide('review.discard', 'Discarded. Nothing was written.'),
      'review.writeMyself': decide('review.writeMyself', 'Accepted and written.'),
      'review.takeOffered': decide('review.takeOffered', ''),
      'review.acceptAll': decideAll('review.acceptAll'),
      'review.rejectAll': decideAll('review.rejectAll'),
      'review.comment': () => succeed({}),
      'review.savePatch': ({ id }) => {
        this.calls.push({ name: 'review.savePatch', params: { id } })
        return succeed({ path: '/home/ada/project/invoice.ts.patch' })
      },
      'review.undo': ({ id }) => {
        this.calls.push({ name: 'review.undo', params: { id } })
        this.decided = this.decided.map((one) => (one.id === id ? { ...one, canUndo: false } : one))
        for (const sink of this.#listSinks) sink.delta({ kind: 'decided', decided: this.decided })
        return succeed({})
      },
      'window.setLayout': ({ layout }) => {
        this.layout = layout
        return {}
      },
      'settings.set': (part) => {
        this.#settings = { ...this.#settings, ...(part as Partial<Settings>) }
        for (const sink of this.#settingsSinks) sink.delta(part as Partial<Settings>)
        return {}
      },
    }
    return handlers as CallHandlers<Calls>
  }

  #topics(): TopicHandlers<Topics> {
    const topics: Partial<TopicHandlers<Topics>> = {
      reviews: (_params, sink) => {
        this.#listSinks.add(sink)
        sink.snapshot({
          reviews: [...this.reviews.values()].map(({ summary }) => summary),
          decided: this.decided,
        })
        return disposable(() => this.#listSinks.delete(sink))
      },
      review: ({ id }, sink) => {
        const running = this.#running(id)
        running.sinks.add(sink)
        sink.snapshot({
          summary: running.summary,
          comments: [],
          earlier: null,
          draft: this.#draftState(running),
        })
        return disposable(() => running.sinks.delete(sink))
      },
      window: (_params, sink) => {
        sink.snapshot({
          version: '0',
          host: 'browser',
          platform: 'linux',
          homeDirectory: '/home/ada',
          folders: [{ path: '/home/ada/project', name: 'project' }],
          untrusted: [],
          recentFolders: [],
          branch: 'main',
          layout: this.layout,
        })
        return disposable(() => {})
      },
      connections: (_params, sink) => {
        sink.snapshot({ connections: this.connections, servers: [] })
        return disposable(() => {})
      },
      terminals: (_params, sink) => {
        sink.snapshot({ terminals: this.terminals, profiles: [] })
        return disposable(() => {})
      },
      settings: (_params, sink) => {
        this.#settingsSinks.add(sink as Sink<Settings, Partial<Settings>>)
        sink.snapshot(this.#settings)
        return disposable(() => this.#settingsSinks.delete(sink as Sink<Settings, Partial<Settings>>))
      },
    }
    // What a review does not need never tells anything.
    const silent = Object.keys(contract.topics).map((name) => [name, () => disposable(() => {})])
    return { ...Object.fromEntries(silent), ...topics } as TopicHandlers<Topics>
  }

  #draftState(running: Running): ReviewState['draft'] {
    const { sample, draft, version } = running
    if (sample.binary) return { kind: 'binary', ...sample.binary }
    return {
      kind: 'text',
      version,
      clients: Object.fromEntries(running.clients),
      a: this.#reference(draft.a.toString()),
      b: this.#reference(draft.b.toString()),
      hunks: areLong(draft.hunks) ? this.#hold(JSON.stringify(draft.hunks)) : [...draft.hunks],
      ...this.#headOf(draft),
      facts: sample.facts ?? { encoding: 'utf-8', bom: false, eol: 'lf' },
      offered: sample.offered ?? false,
      lineEndsOnly: draft.hunks.length === 0 && !running.summary.isNew,
    }
  }

  #reference(text: string): { text: string } | { handle: string; length: number } {
    return text.length <= this.longestText ? { text } : { ...this.#hold(text), length: text.length }
  }

  #hold(text: string): { handle: string } {
    const handle = `text-${this.#texts.size}`
    this.#texts.set(handle, text)
    return { handle }
  }

  /** What goes before the rest of a long draft, as the app sends it. */
  #headOf(draft: Draft): Pick<Extract<ReviewState['draft'], { kind: 'text' }>, 'head'> {
    const isLong = Math.max(draft.a.length, draft.b.length) > this.longestText || areLong(draft.hunks)
    const head = isLong ? headOf(draft) : null
    if (!head) return {}
    const lines = Math.max(draft.a.lines, draft.b.lines)
    return { head: { a: head.a.toString(), b: head.b.toString(), hunks: [...head.hunks], lines } }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.delay))
  }
}

function begin(sample: Sample): Running {
  let draft = startDraft(Text.of(sample.base.split('\n')), Text.of(sample.proposed.split('\n')))
  let version = 0
  const take = (step: DraftStep) => {
    draft = applyStep(draft, step)?.draft ?? draft
    version++
  }
  for (const step of sample.steps ?? []) take(step)
  if (sample.disk !== undefined) {
    take({ kind: 'rebase', changes: changesBetween(baseOf(draft), Text.of(sample.disk.split('\n'))) })
  }
  const { path } = sample.summary
  const summary: ReviewSummary = {
    name: path.slice(path.lastIndexOf('/') + 1),
    folder: path.replace('/home/ada/project/', '').split('/').slice(0, -1).join('/'),
    agent: 'Claude',
    dialect: 'claude-ide',
    connection: 'c1',
    title: 'change',
    phase: 'open',
    effect: 'agent',
    content: sample.binary ? 'binary' : 'text',
    isNew: false,
    isOutside: false,
    isReadOnly: false,
    isStale: sample.disk !== undefined,
    askedAt: Date.now() - 130_000,
    problem: null,
    revision: 1,
    ...countsOf(draft),
    ...sample.summary,
  }
  return { summary, draft, version, sample, clients: new Map(), sinks: new Set() }
}

function countsOf(
  draft: Draft,
): Pick<ReviewSummary, 'addedLines' | 'removedLines' | 'changes' | 'decided' | 'written'> {
  const linesOf = (text: string) =>
    text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  let [addedLines, removedLines] = [0, 0]
  for (const hunk of draft.hunks) {
    addedLines += linesOf(draft.b.sliceString(hunk.fromB, hunk.toB))
    removedLines += linesOf(draft.a.sliceString(hunk.fromA, hunk.toA))
  }
  const { total, decided, written } = countChanges(draft)
  return { addedLines, removedLines, changes: total, decided, written }
}

function readStep(step: DraftStepJson): DraftStep {
  if (step.kind === 'renew') throw new Error('no sample writes a file again')
  return step.kind === 'edit' || step.kind === 'rebase'
    ? { kind: step.kind, changes: ChangeSet.fromJSON(step.changes) }
    : step
}

function writeStep(step: DraftStep): DraftStepJson {
  if (step.kind === 'renew') throw new Error('no sample writes a file again')
  return step.kind === 'edit' || step.kind === 'rebase'
    ? { kind: step.kind, changes: step.changes.toJSON() as unknown[] }
    : step
}
