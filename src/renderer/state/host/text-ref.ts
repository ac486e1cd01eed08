import type { TextRef } from '../../../shared/contract/define'
import type { HostClient } from './client'

/**
 * The whole text of a reference. A long one is fetched in pieces, and `onProgress` is called for each, in UTF-16 units.
 * Rejects with the RpcError of a piece that doesn't arrive (the link is lost, the handle is forgotten, `signal`
 * aborted): then a new snapshot brings a new reference.
 */
export async function fetchText(
  host: Pick<HostClient, 'call'>,
  ref: TextRef,
  signal?: AbortSignal,
  onProgress?: (progress: { read: number; length: number }) => void,
): Promise<string> {
  if ('text' in ref) return ref.text
  const pieces: string[] = []
  let read = 0
  for (;;) {
    const { piece, done } = await host.call('text.read', { handle: ref.handle, from: read }, signal)
    pieces.push(piece)
    read += piece.length
    onProgress?.({ read, length: ref.length })
    // An empty piece that isn't the last is a bug of the host; asking again would never end.
    if (done || piece.length === 0) return pieces.join('')
  }
}
