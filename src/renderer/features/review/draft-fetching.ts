import { Text } from '@codemirror/state'
import type { ReviewState } from '../../../shared/contract/review'
import type { Draft, Hunk } from '../../../shared/review/draft'
import type { HostClient } from '../../state/host/client'
import { fetchText } from '../../state/host/text-ref'

export type TextDraft = Extract<ReviewState['draft'], { kind: 'text' }>

/** Progress is reported at most this often, in milliseconds. */
const progressTime = 100

/** A text as in drafts: only LF ends a line. */
export const textOf = (text: string) => Text.of(text.split('\n'))

/**
 * A snapshot's whole draft, with its long parts fetched in pieces; `onProgress` hears how much of them has come, from
 * 0 to 1. Rejects with an RpcError: `failed` if the host has forgotten a part.
 */
export async function fetchDraft(
  host: HostClient,
  draft: TextDraft,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<Draft> {
  const lengths = [draft.a, draft.b].map((ref) => ('length' in ref ? ref.length : 0))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const read = [0, 0]
  let toldAt = performance.now()
  const progress = (index: 0 | 1) => (now: { read: number }) => {
    read[index] = now.read
    const at = performance.now()
    if (at - toldAt < progressTime) return
    toldAt = at
    onProgress(((read[0] ?? 0) + (read[1] ?? 0)) / total)
  }
  const [a, b, hunks] = await Promise.all([
    fetchText(host, draft.a, signal, progress(0)),
    fetchText(host, draft.b, signal, progress(1)),
    fetchHunks(host, draft.hunks, signal),
  ])
  return { a: textOf(a), b: textOf(b), hunks }
}

async function fetchHunks(
  host: HostClient,
  hunks: TextDraft['hunks'],
  signal: AbortSignal,
): Promise<readonly Hunk[]> {
  if (Array.isArray(hunks)) return hunks
  return JSON.parse(await fetchText(host, { ...hunks, length: 0 }, signal)) as Hunk[]
}
