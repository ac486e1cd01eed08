import type { Origin } from '../../../../shared/review/proposal'
import { decodeText } from '../../../../shared/text/text-facts'
import { hashContent } from '../../files/content-hash'
import type { DiskFile } from '../../files/read-file'

/** Why a write was made without a question here; `person`: they agreed to it where the agent itself asked. */
export type Unquestioned =
  | { kind: 'rule'; pattern: string }
  | { kind: 'mode'; mode: string }
  | { kind: 'person' }

/** What a file held: null if there was none; of bytes that aren't kept, only their hash and how many they are. */
export type Held = Uint8Array | null | { hash: string; size: number }

/** A write that nobody was asked about, for the record: what the file held, and what it holds now. */
export interface Receipt {
  origin: Origin
  realPath: string
  title: string
  before: Held
  /** Null: there is no file. */
  after: Uint8Array | null
  /** When `before` was read, in milliseconds since the epoch. */
  began: number
  /** When it was written, in milliseconds since the epoch. */
  at: number
  by: Unquestioned
}

/** Where receipts go. */
export interface Receipts {
  /** Resolves when it is kept. */
  receive(receipt: Receipt): Promise<void>
}

/** Bytes by their hash. */
export function withoutBytes(bytes: Uint8Array): Exclude<Held, Uint8Array | null> {
  return { hash: hashContent(bytes), size: bytes.length }
}

/** What a receipt says that a path held, as if it were read. */
export function fileOf(realPath: string, held: Held): DiskFile {
  if (held === null) return { kind: 'absent', realPath }
  const isWhole = held instanceof Uint8Array
  const { hash, size } = isWhole ? withoutBytes(held) : held
  const content = isWhole ? decodeText(held) : ({ kind: 'binary', size } as const)
  return { kind: 'file', realPath, hash, size, content, readOnly: false }
}
