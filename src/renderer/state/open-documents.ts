import { type Disposable, disposable } from '../../shared/lifetime'

/** What others may ask of a document that is open in an editor of this page. */
export interface OpenDocument {
  /** True once the host has every change of the page. */
  flush(): Promise<boolean>
  /** Puts the focus into its editor. */
  focus(): void
}

const documents = new Map<string, OpenDocument>()

/** Makes an open document known by its path until the result is disposed. */
export function registerDocument(path: string, document: OpenDocument): Disposable {
  documents.set(path, document)
  return disposable(() => {
    if (documents.get(path) === document) documents.delete(path)
  })
}

/** The open document of a path, where there is one. */
export function openDocument(path: string): OpenDocument | undefined {
  return documents.get(path)
}

/** Waits until the host has every change of every open document; false where one cannot be brought over. */
export async function flushDocuments(): Promise<boolean> {
  const flushed = await Promise.all([...documents.values()].map((document) => document.flush()))
  return flushed.every(Boolean)
}
