import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type KeptMessages, type UnsentMessage, unsentMessage } from '../../../shared/contract/conversations'
import { parseJson } from '../../../shared/json'
import { type Disposable, DisposableStack, disposable, Emitter } from '../../../shared/lifetime'
import { hashContent } from '../files/content-hash'
import { writeJsonFile } from '../files/json-file'
import { readIfShort } from '../files/regular-file'
import type { DrivenConversation } from './conversation'

/** Beyond these the oldest are dropped: so many files, and bytes of all of them. */
const mostFiles = 100
const mostBytes = 200 * 1024 * 1024

const unsentFile = z.object({ version: z.literal(1), messages: z.array(unsentMessage) })

/** Stands for whoever writes a draft, as an owner besides the conversations. */
const draft = 'draft'

/**
 * What the person has written and no agent has read, in DATA/unsent-messages: messages that wait in conversations, and
 * pictures of drafts. It outlives a reload, a crash and the end of a conversation, until a page takes it back.
 */
export class UnsentMessages {
  readonly #folder: string
  readonly #problems = new Emitter<string>()
  /** Whose messages still wait where they are. */
  readonly #waiting = new Set<string>()
  readonly #unwritten = new Map<string, readonly UnsentMessage[]>()
  #writing: Promise<void> | null = null
  /** Tells why nothing can be kept, as a sentence. */
  readonly onProblem = this.#problems.on

  constructor(dataDirectory: string) {
    this.#folder = join(dataDirectory, 'unsent-messages')
  }

  /**
   * Keeps what waits in a conversation, until its end; what still waits then can be taken back for its session, or for the
   * one that it goes on from. `next`: for whom it is kept where there is neither.
   */
  follow(id: string, conversation: DrivenConversation, next: string): Disposable {
    this.#waiting.add(id)
    let kept = ''
    let last: string | null = null
    const keep = () => {
      const name = conversation.state.session ?? conversation.from ?? next
      const messages = conversation.waiting.map(({ text, pictures }) => ({
        text,
        pictures: pictures.map((picture) => ({ ...picture, name: '' })),
      }))
      const now = hashContent(JSON.stringify([name, messages]))
      if (now === kept || (messages.length === 0 && kept === '')) return
      kept = messages.length === 0 ? '' : now
      if (last !== null && last !== name) this.#keep(fileOf(last, idOf(id)), [])
      last = name
      this.#keep(fileOf(name, idOf(id)), messages)
    }
    return new DisposableStack(
      conversation.onState(({ queue, session }) => {
        if (queue !== undefined || session !== undefined) keep()
      }),
      disposable(() => this.#waiting.delete(id)),
    )
  }

  /** Keeps the pictures of a draft; none: there is nothing to keep any more. */
  keepDraft(name: string, pictures: UnsentMessage['pictures']): void {
    this.#keep(fileOf(name, idOf(draft)), pictures.length === 0 ? [] : [{ text: '', pictures }])
  }

  /**
   * What is kept for a session or a conversation to come and waits nowhere any more. `had`: what the taker has of it from
   * an earlier answer. Only then it goes, so that nothing is lost with an answer that doesn't arrive; a draft's pictures
   * stay as long as they are the draft's.
   */
  async take(name: string, had: readonly string[] = []): Promise<KeptMessages[]> {
    const staying = new Set([...this.#waiting].map(idOf))
    for (const id of had) if (id !== idOf(draft) && !staying.has(id)) this.#keep(fileOf(name, id), [])
    await this.flush()
    const known = new Set([...had, ...staying].map((id) => fileOf(name, id)))
    const kept: KeptMessages[] = []
    for (const { file } of await this.#files()) {
      if (!file.startsWith(beginningOf(name)) || known.has(file)) continue
      const messages = await this.#read(file)
      const id = file.slice(beginningOf(name).length, -ending.length)
      if (messages) kept.push({ id, messages })
    }
    return kept
  }

  /** How many messages are kept that waited in a conversation when it was over. */
  async leftBy(id: string): Promise<number> {
    await this.flush()
    const own = (await this.#files()).filter(({ file }) => file.endsWith(idOf(id) + ending))
    const left = await Promise.all(own.map(({ file }) => this.#read(file)))
    return left.flatMap((messages) => messages ?? []).length
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  #keep(file: string, messages: readonly UnsentMessage[]): void {
    this.#unwritten.set(file, messages)
    this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    for (;;) {
      const [next] = this.#unwritten
      if (!next) break
      const [file, messages] = next
      this.#unwritten.delete(file)
      if (messages.length === 0) await this.#remove(file)
      else await this.#write(file, messages)
    }
    // At once, so that what comes next begins anew.
    this.#writing = null
  }

  async #write(file: string, messages: readonly UnsentMessage[]): Promise<void> {
    const written = await writeJsonFile(join(this.#folder, file), { version: 1, messages })
    if (!written.ok)
      return this.#problems.emit(
        `What you haven’t sent yet may be lost when Greenlight ends. ${written.failure.message}`,
      )
    let bytes = 0
    for (const [index, older] of (await this.#files()).toReversed().entries()) {
      bytes += older.size
      if (index > 0 && (index >= mostFiles || bytes > mostBytes)) await this.#remove(older.file)
    }
  }

  #remove(file: string): Promise<void> {
    return rm(join(this.#folder, file), { force: true }).catch(() => undefined)
  }

  /** Null where it can't be read. */
  async #read(file: string): Promise<UnsentMessage[] | null> {
    const bytes = await readIfShort(join(this.#folder, file), mostBytes).catch(() => undefined)
    return unsentFile.safeParse(parseJson(bytes?.toString('utf8') ?? '')).data?.messages ?? null
  }

  /** The oldest first. */
  async #files(): Promise<{ file: string; size: number }[]> {
    const names = await readdir(this.#folder).catch(() => [])
    const found = await Promise.all(
      names.map(async (file) => {
        const about = await stat(join(this.#folder, file)).catch(() => null)
        return about ? [{ file, size: about.size, at: about.mtimeMs }] : []
      }),
    )
    return found.flat().sort((a, b) => a.at - b.at)
  }
}

const ending = '.json'

/** For whom the messages are, a session or a conversation that has none yet, and what they are kept by. */
function fileOf(name: string, id: string): string {
  return beginningOf(name) + id + ending
}

/** What somebody's messages are kept by. */
function idOf(owner: string): string {
  return hashContent(owner).slice(0, 16)
}

function beginningOf(name: string): string {
  return `${hashContent(name).slice(0, 32)}-`
}
