import type { Origin } from '../../../../shared/review/proposal'
import { decodeText } from '../../../../shared/text/text-facts'
import { hashContent } from '../../files/content-hash'
import type { DiskFile } from '../../files/read-file'

/** Why a write was made without a question here; `person`: they agreed to it where the agent itself asked. */
export type Unquestioned =
  | { kind: 'rule'; pattern: string }
  | { kind: 'mode'; mode: string }
  | { kind: 'person' }

/** Bytes that aren't kept: their hash, and how many they are. */
export interface BytesSum {
  hash: string
  size: number
}

/** What a file held; null if there was none. */
export type Held = Uint8Array | null | BytesSum

/** A write that nobody was asked about, for the record: what the file held, and what it holds now. */
export interface Receipt {
  origin: Origin
  realPath: string
  title: string
  before: Held
  after: Held
  /** When `before` was read, in milliseconds since the epoch. */
  began: number
  /** When it was written, in milliseconds since the epoch. */
  at: number
  by: Unquestioned
}

/** Where receipts go. */
export interface Receipts {
  /** Resolves when it is kept, or waits until it can be written. */
  receive(receipt: Receipt): Promise<void>
}

/** Whether all that a file held is known. */
export function isWhole(held: Held): held is Uint8Array | null {
  return held === null || held instanceof Uint8Array
}

/** Whether what a file held can be put back from the record, which keeps texts and no other bytes. */
export function canBePutBack(held: Held): boolean {
  return isWhole(held) && (held === null || decodeText(held).kind === 'text')
}

export function sumOf(held: Uint8Array | BytesSum): BytesSum {
  return held instanceof Uint8Array ? { hash: hashContent(held), size: held.length } : held
}

/** What a receipt says that a path held, as if it were read; bytes that aren't kept as if they were no text. */
export function fileOf(realPath: string, held: Held): DiskFile {
  if (held === null) return { kind: 'absent', realPath }
  const { hash, size } = sumOf(held)
  const content = held instanceof Uint8Array ? decodeText(held) : ({ kind: 'binary', size } as const)
  return { kind: 'file', realPath, hash, size, content, readOnly: false }
}
