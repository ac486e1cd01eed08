/** Shorter texts are not sent apart: quoting them costs nothing. */
const leastLength = 4096

/**
 * A message as a frame: its JSON, and behind a line break the longest part of most frames as it is, a text that is one
 * of `data`'s own properties. A flood of output would otherwise be quoted on one side and unquoted on the other, which
 * takes more of the processors than the rest of its way. JSON itself has no line breaks.
 */
export function splitLongText<Message extends { data: unknown }>(message: Message): string {
  const name = longTextIn(message.data)
  if (name === null) return JSON.stringify(message)
  const { [name]: text, ...rest } = message.data as Record<string, unknown>
  return `${JSON.stringify({ ...message, data: rest, apart: name })}\n${text as string}`
}

/** The message of a frame, the text in its place. Throws as JSON.parse does; the frames are the host's own. */
export function joinLongText(frame: string): unknown {
  const end = frame.indexOf('\n')
  if (end < 0) return JSON.parse(frame)
  const { apart, ...message } = JSON.parse(frame.slice(0, end)) as {
    apart: string
    data: Record<string, unknown>
  }
  message.data[apart] = frame.slice(end + 1)
  return message
}

/** The name of a text to send apart. Not one with half a surrogate pair, which would be lost on the way. */
function longTextIn(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === 'string' && value.length >= leastLength && isWellFormed(value)) return name
  }
  return null
}

function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed()
}
