import type { Origin } from '../../../shared/review/proposal'

/** Why a write was made without a question. */
export type Unquestioned = { kind: 'rule'; pattern: string } | { kind: 'mode'; mode: string }

/** A write that nobody was asked about, for the record: what the file held, and what it holds now. */
export interface Receipt {
  origin: Origin
  /** As the agent named it. */
  path: string
  realPath: string
  title: string
  /** Null: there was no file. */
  before: Uint8Array | null
  /** Null: there is no file. */
  after: Uint8Array | null
  /** When it was written, in milliseconds since the epoch. */
  at: number
  by: Unquestioned
  /** The prompt that the turn began with; null if it isn't known. */
  turn: string | null
}

/** Where receipts go. */
export interface Receipts {
  /** Resolves when it is kept. */
  receive(receipt: Receipt): Promise<void>
}
