import { history, undo } from '@codemirror/commands'
import { ChangeSet, EditorState, type Extension, type Text, type Transaction } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DocumentDelta, DocumentMeta, DocumentState } from '../../../../shared/contract/documents'
import { disposable } from '../../../../shared/lifetime'
import { RpcError, type TopicListener } from '../../../../shared/rpc/rpc'
import { toText } from '../../../../shared/text/text-facts'
import type { HostClient } from '../../../state/host/client'
import { DocumentSync, type TextHolder } from './document-sync'

const path = '/folder/a.txt'
const meta: DocumentMeta = {
  path,
  encoding: 'utf-8',
  bom: false,
  eol: 'lf',
  dirty: false,
  readOnly: false,
  disk: 'same',
  guessed: false,
  indent: null,
}

type Push = { version: number; updates: { clientID: string; changes: unknown[] }[] }

/**
 * The host's side of one document, as the contract has it, on a link that the test holds: frames wait in two queues
 * until `deliver` moves one, and `cut` loses all that are under way.
 */
class FakeHost {
  text: Text
  /** What the document is while it has no text. */
  other: Exclude<DocumentState, { kind: 'text' }> | null = null
  version = 0
  /** How many updates it has of each page. */
  clients: Record<string, number> = {}
  /** Of the page: each is asked for anew when the link is. */
  #subscribers = new Set<TopicListener<DocumentState, DocumentDelta>>()
  /** Those that the host knows on this link; only they hear of changes. */
  #heard = new Set<TopicListener<DocumentState, DocumentDelta>>()
  #toHost: (() => void)[] = []
  #toPage: (() => void)[] = []
  #waiting = new Set<(error: RpcError) => void>()
  longTexts = false
  isLive = true

  constructor(text: string) {
    this.text = toText(text)
  }

  readonly client = {
    call: (name: string, params: never) => this.#call(name, params),
    subscribe: (
      _topic: string,
      _params: unknown,
      subscriber: TopicListener<DocumentState, DocumentDelta>,
    ) => {
      this.#subscribers.add(subscriber)
      this.#toHost.push(() => this.#snapshot(subscriber))
      return disposable(() => {
        this.#subscribers.delete(subscriber)
        this.#heard.delete(subscriber)
      })
    },
  } as unknown as Pick<HostClient, 'call' | 'subscribe'>

  get pending(): number {
    return this.#toHost.length + this.#toPage.length
  }

  /** Moves one frame; those for the host first or last, as the test wants. */
  async deliver(hostFirst = true): Promise<void> {
    const queue = hostFirst === this.#toHost.length > 0 ? this.#toHost : this.#toPage
    ;(queue.shift() ?? this.#toHost.shift() ?? this.#toPage.shift())?.()
    await turn()
  }

  async settle(): Promise<void> {
    for (let step = 0; step < 10_000; step++) {
      await turn()
      if (this.pending === 0) return
      await this.deliver()
    }
    throw new Error('the two never came to rest')
  }

  /** Someone else changes the document. */
  change(changes: ChangeSet): void {
    this.#apply([{ clientID: 'other', changes: changes.toJSON() as unknown[] }])
  }

  insert(at: number, text: string): void {
    this.change(ChangeSet.of({ from: Math.min(at, this.text.length), insert: text }, this.text.length))
  }

  /** Loses every frame under way and fails every call; the new link sends snapshots. */
  async cut(): Promise<void> {
    this.#toHost = []
    this.#toPage = []
    this.#heard.clear()
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const fail of waiting) fail(new RpcError('disconnected', 'cut'))
    await turn()
    for (const subscriber of this.#subscribers) this.#toHost.push(() => this.#snapshot(subscriber))
  }

  /** The host starts again and counts from 0. */
  restart(): void {
    this.version = 0
    this.clients = {}
  }

  /** The file gets another path: the page hears of it first, and of nothing under the old path any more. */
  move(): void {
    this.#heard.clear()
  }

  #snapshot(subscriber: TopicListener<DocumentState, DocumentDelta>): void {
    if (!this.#subscribers.has(subscriber)) return
    this.#heard.add(subscriber)
    const { other } = this
    if (other) {
      this.#toPage.push(() => subscriber.snapshot(other))
      return
    }
    const { version } = this
    const clients = { ...this.clients }
    const whole = this.text.toString()
    const text = this.longTexts ? { handle: whole, length: whole.length } : { text: whole }
    this.#toPage.push(() => subscriber.snapshot({ kind: 'text', version, clients, text, meta }))
  }

  #apply(updates: Push['updates']): void {
    const from = this.version
    for (const { changes, clientID } of updates) {
      this.clients[clientID] = (this.clients[clientID] ?? 0) + 1
      this.text = ChangeSet.fromJSON(changes).apply(this.text)
      this.version++
    }
    for (const subscriber of this.#heard) {
      this.#toPage.push(() => subscriber.delta({ kind: 'updates', version: from, updates }))
    }
  }

  #call(name: string, params: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject)
      const answer = (value: unknown) =>
        this.#toPage.push(() => {
          this.#waiting.delete(reject)
          resolve(value)
        })
      this.#toHost.push(() => {
        if (name === 'text.read') {
          const { handle, from } = params as { handle: string; from: number }
          answer({ piece: handle.slice(from, from + 3), done: from + 3 >= handle.length })
          return
        }
        if (this.other) return answer({ status: 'gone' })
        const push = params as Push
        if (push.version !== this.version) return answer({ status: 'behind' })
        this.#apply(push.updates)
        answer({ status: 'accepted' })
      })
    })
  }
}

/** Lets every promise that can go on go on. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

class Page implements TextHolder {
  state!: EditorState
  readonly sync: DocumentSync

  constructor(host: FakeHost) {
    this.sync = new DocumentSync(
      host.client,
      path,
      'me',
      () => host.isLive,
      (text: Text, sync: Extension) => {
        this.state = EditorState.create({
          doc: text,
          extensions: [history(), sync, EditorState.lineSeparator.of('\n')],
        })
        return this
      },
    )
  }

  dispatch(transaction: Transaction): void {
    this.state = transaction.state
    if (transaction.docChanged) this.sync.changed()
  }

  type(at: number, insert: string): void {
    this.dispatch(this.state.update({ changes: { from: Math.min(at, this.state.doc.length), insert } }))
  }

  get text(): string {
    return this.state.doc.toString()
  }
}

async function opened(text = 'one\ntwo\n'): Promise<{ host: FakeHost; page: Page }> {
  const host = new FakeHost(text)
  const page = new Page(host)
  await host.settle()
  return { host, page }
}

describe('a document in step with the host', () => {
  it('pushes what is typed and confirms it', async () => {
    const { host, page } = await opened()
    page.type(0, 'zero\n')
    expect(page.sync.position).toEqual({ version: 0, confirmed: false })
    await host.settle()
    expect(host.text.toString()).toBe('zero\none\ntwo\n')
    expect(page.sync.position).toEqual({ version: 1, confirmed: true })
  })

  it('rebases what is typed while another change is on its way', async () => {
    const { host, page } = await opened()
    host.insert(8, 'three\n')
    page.type(0, 'zero\n')
    await host.settle()
    expect(page.text).toBe('zero\none\ntwo\nthree\n')
    expect(host.text.toString()).toBe(page.text)
  })

  it('keeps carriage returns at the ends of lines', async () => {
    const { host, page } = await opened('one\r\ntwo\n')
    expect(page.state.doc.lines).toBe(3)
    page.type(0, 'x')
    await host.settle()
    expect(host.text.toString()).toBe('xone\r\ntwo\n')
  })

  it('keeps unconfirmed text when the push was lost', async () => {
    const { host, page } = await opened()
    page.type(0, 'typed ')
    await host.cut()
    host.insert(0, 'meanwhile ')
    await host.settle()
    expect(host.text.toString()).toContain('typed ')
    expect(host.text.toString()).toContain('meanwhile ')
    expect(page.text).toBe(host.text.toString())
  })

  it('does not repeat text whose push arrived without an answer', async () => {
    const { host, page } = await opened()
    page.type(0, 'typed ')
    await host.deliver(true)
    expect(host.text.toString()).toBe('typed one\ntwo\n')
    await host.cut()
    await host.settle()
    expect(host.text.toString()).toBe('typed one\ntwo\n')
    expect(page.text).toBe('typed one\ntwo\n')
  })

  it('does not take the text of another for its own that was never sent', async () => {
    const { host, page } = await opened()
    host.isLive = false
    await host.cut()
    for (const letter of ['/', '/', ' ', 'a']) page.type(page.text.indexOf('one'), letter)
    host.insert(0, '// meanwhile\n')
    host.isLive = true
    await host.settle()
    expect(host.text.toString()).toBe('// meanwhile\n// aone\ntwo\n')
    expect(page.text).toBe(host.text.toString())
  })

  it.each([true, false])(
    'knows whether a letter arrived (%s) although others wrote the same',
    async (arrives) => {
      const { host, page } = await opened()
      page.type(0, '/')
      if (arrives) await host.deliver()
      await host.cut()
      host.insert(0, '// meanwhile\n')
      await host.settle()
      expect(host.text.toString().split('/')).toHaveLength(4)
      expect(page.text).toBe(host.text.toString())
    },
  )

  it('counts from what the host has of this page already', async () => {
    const { host, page } = await opened()
    page.type(0, 'a')
    await host.settle()
    page.sync.dispose()
    const later = new Page(host)
    await host.settle()
    later.type(0, 'b')
    await host.deliver()
    await host.cut()
    await host.settle()
    expect([later.text, host.text.toString()]).toEqual(['baone\ntwo\n', 'baone\ntwo\n'])
  })

  it('goes on after a host that counts anew', async () => {
    const { host, page } = await opened()
    page.type(0, 'a')
    await host.settle()
    page.type(0, 'b')
    host.restart()
    await host.cut()
    await host.settle()
    expect(host.text.toString()).toBe('baone\ntwo\n')
    page.type(0, 'c')
    await host.settle()
    expect(host.text.toString()).toBe('cbaone\ntwo\n')
    expect(page.sync.position).toEqual({ version: 2, confirmed: true })
  })

  it('follows a file that got another path, with what is unconfirmed, the cursor and the undo history', async () => {
    const { host, page } = await opened()
    page.type(0, 'a')
    await host.settle()
    page.dispatch(page.state.update({ selection: { anchor: 3 } }))
    // Arrives, and is never told under the old path.
    page.type(8, 'b')
    await host.deliver()
    host.move()
    host.insert(0, 'x')
    page.type(9, 'c')
    page.sync.follow('/folder/b.txt')
    await host.settle()
    expect(page.text).toBe('xaone\ntwobc\n')
    expect(host.text.toString()).toBe(page.text)
    expect(page.state.selection.main.anchor).toBe(4)
    const dispatch = (transaction: Transaction) => page.dispatch(transaction)
    let undone = 0
    while (undo({ state: page.state, dispatch })) undone += 1
    await host.settle()
    expect(undone).toBeGreaterThan(0)
    expect(host.text.toString()).toBe('xone\ntwo\n')
  })

  it('hears changes that come while a long text is fetched', async () => {
    const host = new FakeHost('a long text that comes in pieces')
    host.longTexts = true
    const page = new Page(host)
    await host.deliver()
    await host.deliver()
    host.insert(0, 'indeed ')
    await host.settle()
    expect(page.text).toBe('indeed a long text that comes in pieces')
  })

  it('answers a flush when the host has all, and when it cannot have it', async () => {
    const { host, page } = await opened()
    // Before the text has come, nothing can have been typed.
    expect(await new Page(new FakeHost('late')).sync.flush()).toBe(true)
    expect(await page.sync.flush()).toBe(true)
    page.type(0, 'x')
    const flushed = page.sync.flush()
    await host.settle()
    expect(await flushed).toBe(true)
    page.type(0, 'y')
    const lost = page.sync.flush()
    await host.cut()
    expect(await lost).toBe(false)
  })

  it('answers a flush at once while the link is lost, whatever was on its way', async () => {
    const { host, page } = await opened()
    page.type(0, 'y')
    host.isLive = false
    await host.cut()
    expect(await page.sync.flush()).toBe(false)
  })

  it('keeps what was never sent in sight while the file cannot be read as text, and sends it afterwards', async () => {
    const { host, page } = await opened()
    page.type(0, 'typed ')
    await host.cut()
    host.other = { kind: 'failed', failure: { code: 'denied', message: 'no' } }
    const flushed = page.sync.flush()
    await host.settle()
    expect(await flushed).toBe(false)
    expect(page.sync.view.getState()).toEqual({ kind: 'unsent' })
    const later = page.sync.flush()
    await host.settle()
    expect(await later).toBe(false)
    host.other = null
    page.sync.takeAgain()
    await host.settle()
    expect(page.sync.view.getState()).toEqual({ kind: 'text', meta })
    expect(host.text.toString()).toBe('typed one\ntwo\n')
    expect(page.sync.position.confirmed).toBe(true)
  })

  it('shows what the file is now where the host has everything', async () => {
    const { host, page } = await opened()
    await host.cut()
    host.other = { kind: 'binary', size: 3, meta: { path } }
    await host.settle()
    expect(page.sync.view.getState()).toEqual(host.other)
  })

  it('brings back by undo what the host was asked to replace', async () => {
    const { host, page } = await opened()
    page.type(0, 'typed ')
    await host.settle()
    page.type(0, 'just ')
    const replaced = page.sync.replace(() => {
      host.change(ChangeSet.of({ from: 0, to: 11 }, host.text.length))
      return host.settle()
    })
    await host.settle()
    await replaced
    await host.settle()
    expect(page.text).toBe('one\ntwo\n')
    expect(host.text.toString()).toBe(page.text)
    undo({ state: page.state, dispatch: (transaction) => page.dispatch(transaction) })
    expect(page.text).toBe('just typed one\ntwo\n')
    await host.settle()
    expect(host.text.toString()).toBe(page.text)
  })

  it('comes to one text that has each mark once, wherever the link is cut', async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('type' as const), at: fc.nat(40) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('other' as const), at: fc.nat(40) }) },
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('deliver' as const), at: fc.nat(1) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut' as const), at: fc.constant(0) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { host, page } = await opened('line one\nline two\n')
        let typed = 0
        let others = 0
        for (const { kind, at } of steps) {
          if (kind === 'type') page.type(at, mark(typed++))
          else if (kind === 'other') host.insert(at, `x${'\n'.repeat(others++ % 2)}`)
          else if (kind === 'deliver') await host.deliver(at === 0)
          else await host.cut()
        }
        await host.settle()
        expect(page.text).toBe(host.text.toString())
        expect(page.sync.position.confirmed).toBe(true)
        for (let count = 0; count < typed; count++) expect(page.text.split(mark(count))).toHaveLength(2)
        expect(page.text.split('x')).toHaveLength(others + 1)
      }),
    )
  })
})

/** One character that occurs nowhere else, so that it can neither be split nor taken for another. */
const mark = (count: number) => String.fromCodePoint(0x4e00 + count)
