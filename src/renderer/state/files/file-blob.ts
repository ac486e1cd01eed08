import { type Result, succeed } from '../../../shared/result'
import { attempt } from '../host/calls'

/** The bytes of a file that a tab shows, fetched in pieces until `signal` aborts. */
export async function fetchBlob(path: string, type: string, signal: AbortSignal): Promise<Result<Blob>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let from = 0; ;) {
    const piece = await attempt('pieces.bytes', { path, from }, signal)
    if (!piece.ok) return piece
    const bytes = Uint8Array.from(atob(piece.value.base64), (character) => character.charCodeAt(0))
    parts.push(bytes)
    from += bytes.length
    if (piece.value.done || bytes.length === 0) return succeed(new Blob(parts, { type }))
  }
}
