import type { Origin } from '../../../../shared/review/proposal'

/** Why a write was made without a question here; `person`: they agreed to it where the agent itself asked. */
export type Unquestioned =
  | { kind: 'rule'; pattern: string }
  | { kind: 'mode'; mode: string }
  | { kind: 'person' }

/** A write that nobody was asked about, for the record: what the file held, and what it holds now. */
export interface Receipt {
  origin: Origin
  realPath: string
  title: string
  /** Null: there was no file. */
  before: Uint8Array | null
  /** Null: there is no file. */
  after: Uint8Array | null
  /** When it was written, in milliseconds since the epoch. */
  at: number
  by: Unquestioned
}

/** Where receipts go. */
export interface Receipts {
  /** Resolves when it is kept. */
  receive(receipt: Receipt): Promise<void>
}
