import { join } from 'node:path'
import { z } from 'zod'
import type { ApprovalRecordEntry } from '../../../shared/approval/approval'
import { approvalRecordEntry } from '../../../shared/approval/approval-schemas'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import type { Done } from '../../../shared/result'
import { readJsonFile, writeJsonFile } from '../files/json-file'

/** How many entries are kept. */
export const mostEntries = 500

const recordFile = z.object({ version: z.literal(1), entries: z.array(approvalRecordEntry) })

type Change = (entries: readonly ApprovalRecordEntry[]) => readonly ApprovalRecordEntry[]

/** Changes written together. */
interface Batch {
  changes: Change[]
  done: Promise<Done>
}

/**
 * What agents asked and how it ended, latest last, in DATA/approval-record.json. The file says who asked, what kind of
 * question it was, and who answered; its words stay in memory.
 */
export class ApprovalRecord implements Disposable {
  readonly #path: string
  readonly #changed = new Emitter<void>()
  #entries: readonly ApprovalRecordEntry[]
  #batch: Batch | null = null
  #writing: Promise<unknown> = Promise.resolve()
  readonly onChange = this.#changed.on
  /** What was wrong with the file at the start, as a sentence. */
  readonly problem: string | null

  constructor(dataDirectory: string) {
    this.#path = join(dataDirectory, 'approval-record.json')
    const { value, problem } = readJsonFile(this.#path, recordFile, 'The record of approvals')
    this.#entries = value?.entries ?? []
    this.problem = problem
  }

  get entries(): readonly ApprovalRecordEntry[] {
    return this.#entries
  }

  /** Adds an entry; resolves once it is on disk. If that fails, nothing has been added. */
  add(entry: ApprovalRecordEntry): Promise<Done> {
    return this.#change((entries) => [...entries, entry].slice(-mostEntries))
  }

  /** Corrects how an entry ended. */
  amend(id: string, ended: Pick<ApprovalRecordEntry, 'outcome' | 'by'>): Promise<Done> {
    return this.#change((entries) =>
      entries.map((entry) => (entry.id === id ? { ...entry, ...ended } : entry)),
    )
  }

  /** Resolves when every change has been written or has failed. */
  async flush(): Promise<void> {
    await this.#writing
  }

  dispose(): void {
    this.#changed.dispose()
  }

  #change(change: Change): Promise<Done> {
    if (this.#batch === null) {
      const batch: Batch = { changes: [], done: this.#writing.then(() => this.#write(batch)) }
      this.#batch = batch
      this.#writing = batch.done
    }
    this.#batch.changes.push(change)
    return this.#batch.done
  }

  async #write(batch: Batch): Promise<Done> {
    this.#batch = null
    const entries = batch.changes.reduce((before, change) => change(before), this.#entries)
    const written = await writeJsonFile(this.#path, {
      version: 1,
      entries: entries.map((entry) => ({ ...entry, said: null })),
    })
    if (written.ok) {
      this.#entries = entries
      this.#changed.emit()
    }
    return written
  }
}
