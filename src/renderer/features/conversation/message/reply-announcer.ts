import { textOf, type Item, type ReadTranscript } from '../../../../shared/conversation/transcript'

/** So much of a reply is read out; who wants all goes to it. */
const longestSaid = 600

/**
 * Finds out when a reply is finished, so that it is said once. What was there when the conversation was opened is not
 * said, nor is what comes in front of it.
 */
export class ReplyAnnouncer {
  #said: string | null = null
  #isFirst = true

  /** To be asked at each change; gives what is to be said, or null. `isLoading`: the end is not here yet. */
  hear(transcript: ReadTranscript, agent: string, isLoading: boolean): string | null {
    if (isLoading) return null
    const isWorking = transcript.activity === 'working'
    const last = isWorking ? null : lastWord(transcript)
    if (this.#isFirst) {
      this.#isFirst = false
      this.#said = last?.id ?? null
      return null
    }
    if (!last || last.id === this.#said) return null
    this.#said = last.id
    if (last.kind === 'notice') return `${agent} was interrupted.`
    const text = last.kind === 'reply' ? textOf(last.blocks).trim() : ''
    return `${agent}: ${text.length > longestSaid ? `${text.slice(0, longestSaid)} …` : text}`
  }
}

/** The agent's last word since the person's; null where it has said nothing. */
function lastWord(transcript: ReadTranscript): Item | null {
  for (let index = transcript.length - 1; index >= 0; index--) {
    const item = transcript.at(index)
    if (!item || item.kind === 'prompt') return null
    if (item.kind === 'notice') {
      if (item.what === 'interrupted') return item
    } else if (textOf(item.blocks).trim() !== '') return item
  }
  return null
}
