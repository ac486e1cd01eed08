import { type ReadTranscript, textOf } from '../../../../shared/conversation/transcript'

/** Where one is among the person's own earlier messages. */
export interface HistoryPlace {
  /** The item that is shown. */
  item: string
  text: string
}

/**
 * The person's message before or after a place in a conversation; null if there is none that is loaded. Without a place
 * it begins at the end. One that says the same as the one that is shown is passed over.
 */
export function stepHistory(
  transcript: Pick<ReadTranscript, 'length' | 'at' | 'indexOf'>,
  place: HistoryPlace | null,
  direction: -1 | 1,
): { item: string; text: string } | null {
  const from = place === null ? transcript.length : transcript.indexOf(place.item)
  if (from < 0) return null
  for (let index = from + direction; index >= 0 && index < transcript.length; index += direction) {
    const item = transcript.at(index)
    if (item?.kind !== 'prompt' || item.manner === 'agent' || item.manner === 'shell') continue
    const text = textOf(item.blocks)
    if (text.trim() !== '' && text !== place?.text) return { item: item.id, text }
  }
  return null
}
