import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'

/**
 * What both ends of a hand-over share: where its socket is written down, and lines of JSON. Free of other modules, for
 * a command that asks has to start in no time.
 */

const longestLine = 500_000

/** The file of a data directory that says where its owner listens. */
export function recordOf(dataDirectory: string): string {
  return join(dataDirectory, 'hand-over.json')
}

/** Where the owner listens; null where nobody has said so. */
export function readAddress(dataDirectory: string): string | null {
  try {
    const record: unknown = JSON.parse(readFileSync(recordOf(dataDirectory), 'utf8'))
    const socket = isRecord(record) ? record['socket'] : null
    return typeof socket === 'string' ? socket : null
  } catch {
    return null
  }
}

/** Calls `hear` with each whole line that comes. A line that never ends closes the socket. */
export function hearLines(socket: Socket, hear: (line: string) => void): void {
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 1)
      hear(line)
    }
    if (text.length > longestLine) socket.destroy()
  })
}

/** A line's object; null when it is none. */
export function parseRecord(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Whether a value is an object with names. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
