import { Text } from '@codemirror/state'
import type { ReviewState } from '../../../shared/contract/review'
import type { Draft, Hunk } from '../../../shared/review/draft'
import type { HostClient } from '../../state/host/client'
import { fetchText } from '../../state/host/text-ref'

export type TextDraft = Extract<ReviewState['draft'], { kind: 'text' }>

/** Progress of a long text is told so often at most, in milliseconds. */
const progressTime = 100

/** A text as drafts have it: its lines end at LF alone. */
export const textOf = (text: string) => Text.of(text.split('\n'))

/**
 * The whole of a draft that a snapshot told, its long parts fetched in pieces; `onProgress` hears how much of them has
 * come, from 0 to 1. Rejects with an RpcError: `failed` where the host has forgotten a part.
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
    // Each piece would be a drawing of its own; the person sees progress well enough so.
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
