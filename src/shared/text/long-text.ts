/** Shorter texts stay in the JSON: quoting them costs nothing. */
const leastLength = 4096

/**
 * A message as a frame: its JSON, and after a line break one long text from `data`'s properties, unquoted. Otherwise a
 * flood of output would be quoted on one side and unquoted on the other, which takes more processor time than
 * everything else on its way. The JSON itself has no line breaks.
 */
export function splitLongText<Message extends { data: unknown }>(message: Message): string {
  const name = longTextIn(message.data)
  if (name === null) return JSON.stringify(message)
  const { [name]: text, ...rest } = message.data as Record<string, unknown>
  return `${JSON.stringify({ ...message, data: rest, apart: name })}\n${text as string}`
}

/** The message of a frame, with the text back in its place. Throws like JSON.parse; the frames are the host's own. */
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

/** The property to send separately. Not a text with half a surrogate pair, which would be lost on the way. */
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
