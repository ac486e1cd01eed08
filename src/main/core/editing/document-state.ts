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

/** An open file: its text with its version and how many updates each recent page has pushed; or why it has none. */
export type DocumentState =
  | {
      kind: 'text'
      version: number
      clients: ReadonlyMap<string, number>
      text: Text
      meta: DocumentMeta
    }
  | { kind: 'binary'; size: number; path: string }
  /** Too large to be held as text; read in pieces. */
  | { kind: 'large'; size: number; path: string }
  /** `stamp` changes when the picture does. */
  | { kind: 'image'; size: number; path: string; type: ImageType; stamp: string }
  | { kind: 'failed'; failure: FileFailure; path: string }

/**
 * Events of open files, by real path. `updates` follow `version`. `state`: the file became something else (text,
 * binary, unreadable), or its history was lost, so take it again. `saved` follows every write to the disk.
 */
export type DocumentEvent =
  | { kind: 'updates'; path: string; version: number; updates: WireUpdate[] }
  | { kind: 'meta'; path: string; meta: DocumentMeta }
  | { kind: 'state'; path: string; state: DocumentState }
  | { kind: 'saved'; path: string; hash: string }
  | { kind: 'opened'; path: string }
  | { kind: 'closed'; path: string }

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
 * Applies the project's rules to a text that doesn't decide for itself: without line breaks it gets the project's line
 * endings, and if empty also its encoding.
 */
export function adoptRules(disk: DiskText, rules: FormatRules): DiskText {
  if (disk.text.lines > 1) return disk
  const charset = disk.text.length === 0 ? rules.charset : undefined
  return {
    ...disk,
    facts: { ...disk.facts, ...(rules.eol ? { eol: rules.eol } : {}), ...charset },
  }
}

/** The content of a file that never existed. */
export const emptyText: DiskText = { text: toText(''), facts: parseText('').facts, hash: null }

/** A file's text as documents hold it; undefined if the file isn't text. */
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

/** Shown when a save would overwrite something the person hasn't seen. */
export function conflictSentence(path: string): string {
  return `${path} changed both on disk and here. Keep your version, use the disk version, or merge them.`
}
