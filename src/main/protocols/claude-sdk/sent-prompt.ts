import type { OutgoingMessage } from '../../../shared/contract/conversations'
import type { SentItem } from '../../../shared/contract/context'
import type { Seen } from '../../../shared/agent-view'
import { isCursor } from '../../../shared/agent-view'
import type { Block } from '../../../shared/conversation/transcript'
import { firstOf } from '../../../shared/rpc/message-pieces'
import { describeSelected } from '../../core/context/sent-record'
import type { SentContent } from './wire-messages'

/** The longest selection that goes along, in UTF-16 units, and the most open files that are named. */
const longestSelection = 64 * 1024
const mostFiles = 50

/** What the person has selected and open, in words for the model, and what is recorded of it; null if that is nothing. */
export function contextWords({ latest, files }: Seen): { text: string; sent: SentItem[] } | null {
  const parts: string[] = []
  const sent: SentItem[] = []
  // Whoever writes a message has left the editor; what they selected there is still meant.
  if (latest) {
    const { path, start, end } = latest
    const text = firstOf(latest.text, longestSelection)
    const lines =
      start.line === end.line ? `line ${start.line + 1}` : `lines ${start.line + 1} to ${end.line + 1}`
    if (isCursor(latest)) parts.push(`The person looks at ${path}.`)
    else parts.push(`The person has selected this, in ${lines} of ${path}:\n${text}`)
    sent.push(describeSelected({ ...latest, text }))
  }
  if (files.length > 0) {
    const paths = files.slice(0, mostFiles).map(({ path }) => path)
    parts.push(`Open in the editor: ${paths.join(', ')}`)
    sent.push({ kind: 'files', paths })
  }
  if (parts.length === 0) return null
  const head = 'From the editor, in case it has to do with the message:'
  // What is selected can't end the reminder early.
  const words = [head, ...parts].join('\n\n').replaceAll('</system-reminder', '<\\/system-reminder')
  return { text: `<system-reminder>\n${words}\n</system-reminder>`, sent }
}

/** A message as it is sent; what the editor shows stands before what was typed. */
export function contentOf({ text, pictures }: OutgoingMessage, context: string | null): SentContent[] {
  const words = (part: string): SentContent => ({ type: 'text', text: part })
  return [
    ...(context === null ? [] : [words(context)]),
    ...pictures.map(({ mediaType, data }): SentContent => ({
      type: 'image',
      source: { type: 'base64', media_type: mediaType, data },
    })),
    ...(text === '' ? [] : [words(text)]),
  ]
}

/** A message as it is shown. */
export function blocksOf({ text, pictures }: OutgoingMessage): Block[] {
  return [
    ...pictures.map(({ mediaType, data }): Block => ({ kind: 'image', mediaType, data, url: null })),
    ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
  ]
}
