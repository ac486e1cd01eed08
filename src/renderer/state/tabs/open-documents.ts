import { type Disposable, disposable } from '../../../shared/lifetime'

/** What others can ask of a document open in an editor of this page. */
export interface OpenDocument {
  /** True once the host has every change of the page. */
  flush(): Promise<boolean>
  /** The names that its text defines. */
  symbols(): readonly { name: string; line: number }[]
}

/** A name that an open file defines. The line counts from 0. */
export interface OpenSymbol {
  name: string
  path: string
  line: number
}

/** By path, the editors that show the document: two when it is on both sides. */
const documents = new Map<string, readonly OpenDocument[]>()

/** Registers an open document by its path until the result is disposed. */
export function registerDocument(path: string, document: OpenDocument): Disposable {
  documents.set(path, [...(documents.get(path) ?? []), document])
  return disposable(() => {
    const others = (documents.get(path) ?? []).filter((other) => other !== document)
    if (others.length === 0) documents.delete(path)
    else documents.set(path, others)
  })
}

/** Waits until the host has every change of a document; false if one can't be sent. */
export async function flushDocument(path: string): Promise<boolean> {
  const flushed = await Promise.all((documents.get(path) ?? []).map((document) => document.flush()))
  return flushed.every(Boolean)
}

/** Waits until the host has every change of every open document; false if one can't be sent. */
export async function flushDocuments(): Promise<boolean> {
  const flushed = await Promise.all([...documents.values()].flat().map((document) => document.flush()))
  return flushed.every(Boolean)
}

/** The names that the open files define. */
export function openSymbols(): OpenSymbol[] {
  // Two editors of a document show the same text.
  return [...documents].flatMap(
    ([path, [first]]) => first?.symbols().map((symbol) => ({ ...symbol, path })) ?? [],
  )
}
