import type { Text } from '@codemirror/state'
import type { DocumentMeta } from '../../../shared/contract/documents'
import type { Result } from '../../../shared/result'
import { parseText, toText } from '../../../shared/text/text-facts'
import { type FileFailure, fileFailure } from '../files/file-failure'
import type { ImageType } from '../files/image-kind'
import type { DiskFile, PresentFile } from '../files/read-file'
import type { DiskText, TextDocument } from './document'
import type { FormatRules } from './editor-config'
import type { WireUpdate } from './versioned-text'

/** An open file: its text with a version and how many updates came of each of the latest pages; or why it has none. */
export type DocumentState =
  | {
      kind: 'text'
      version: number
      clients: ReadonlyMap<string, number>
      text: Text
      meta: DocumentMeta
    }
  | { kind: 'binary'; size: number; path: string }
  /** Too long to be held as a text: it is read in pieces. */
  | { kind: 'large'; size: number; path: string }
  /** `stamp` is another one when the picture has changed. */
  | { kind: 'image'; size: number; path: string; type: ImageType; stamp: string }
  | { kind: 'failed'; failure: FileFailure; path: string }

/**
 * What happens to open files, by real path. `updates` lead on from `version`. `state`: the file became something else
 * (text, binary, unreadable), or its history was lost; take it anew. `saved` follows every write to the disk.
 */
export type DocumentEvent =
  | { kind: 'updates'; path: string; version: number; updates: WireUpdate[] }
  | { kind: 'meta'; path: string; meta: DocumentMeta }
  | { kind: 'state'; path: string; state: DocumentState }
  | { kind: 'saved'; path: string; hash: string }
  | { kind: 'opened'; path: string }
  | { kind: 'closed'; path: string }

/** The facts of an open text. */
export function metaOf(
  path: string,
  content: TextDocument,
  { guessed, indent }: Pick<DocumentMeta, 'guessed' | 'indent'>,
): DocumentMeta {
  const { encoding, bom, eol } = content.facts
  const { dirty, readOnly, state: disk } = content
  return { path, encoding, bom, eol, dirty, readOnly, disk, guessed, indent }
}

/**
 * A text as the project's rules take it: one without any line end gets those that it wants, an empty one its encoding
 * too. Others are as they are.
 */
export function adoptRules(disk: DiskText, rules: FormatRules): DiskText {
  if (disk.text.lines > 1) return disk
  const charset = disk.text.length === 0 ? rules.charset : undefined
  return {
    ...disk,
    facts: { ...disk.facts, ...(rules.eol ? { eol: rules.eol } : {}), ...charset },
  }
}

/** What a file that was never there holds. */
export const emptyText: DiskText = { text: toText(''), facts: parseText('').facts, hash: null }

/** A file's text as documents hold it, or undefined for a file that is no text. */
export function diskTextOf(file: PresentFile): DiskText | undefined {
  if (file.content.kind !== 'text') return undefined
  return { text: toText(file.content.text), facts: file.content.facts, hash: file.hash }
}

/** The state of a file that was read and has no text. */
export function withoutText(
  path: string,
  read: Result<DiskFile, FileFailure>,
): Exclude<DocumentState, { kind: 'text' }> {
  if (!read.ok) return { kind: 'failed', path, failure: read.failure }
  if (read.value.kind === 'file') return { kind: 'binary', path, size: read.value.size }
  const { failure } = fileFailure('absent', `${path} was deleted. Close this tab.`)
  return { kind: 'failed', path, failure }
}

/** What a person reads when a save would write over something unseen. */
export function conflictSentence(path: string): string {
  return `${path} changed both on disk and here. Keep your version, use the disk version, or merge them.`
}
