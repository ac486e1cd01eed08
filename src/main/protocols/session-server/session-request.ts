import { isSessionId } from '../../core/history/session-places'
import type { Refusal } from '../../core/net/loopback-server'

/** The path of all sessions. */
export const sessionsPath = '/api/claude/sessions'

/** Which lines of a session a subscriber wants, and where it begins. */
export interface SubscriptionWish {
  /** Begins with so many of the newest messages. */
  last: number | null
  /** Begins behind the message with this uuid. */
  fromUuid: string | null
  /** All lines, also those that serve only the agent itself. */
  all: boolean
  format: 'json' | 'msgpack'
}

/** What a request asks for. */
export type SessionRequest =
  | { kind: 'list' }
  | { kind: 'session'; id: string }
  | { kind: 'subscribe'; id: string; wish: SubscriptionWish }

/** At most so many messages can be asked for at once. */
export const mostMessages = 100_000

const longestUuid = 200

const nowhere: Refusal = { status: 404, message: 'There is nothing at this address.' }
const wrongId: Refusal = { status: 400, message: 'This is no session id.' }

/**
 * Reads a request's target as it was sent. The path is never normalized: anything but a plain id is refused as 400, any
 * other address as 404.
 */
export function readRequest(url: string): SessionRequest | Refusal {
  const [path = '', ...query] = url.split('?')
  if (path === sessionsPath || path === `${sessionsPath}/`) return { kind: 'list' }
  if (!path.startsWith(`${sessionsPath}/`)) return nowhere
  const segments = path.slice(sessionsPath.length + 1).split('/')
  const names = segments.map(decode)
  if (names.some((name) => name === null || /^\.*$|[\\/\0]/.test(name))) return wrongId
  const [id, rest, ...more] = names
  if (typeof id !== 'string' || !isSessionId(id)) return wrongId
  if (rest === undefined) return { kind: 'session', id }
  if (rest !== 'subscribe' || more.length > 0) return nowhere
  const wish = readWish(new URLSearchParams(query.join('?')))
  return 'status' in wish ? wish : { kind: 'subscribe', id, wish }
}

/** The token of a request: from its header, or from its address, since pages in a browser cannot set a header. */
export function tokenOf(url: string, authorization: string | undefined): string | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer
  return new URLSearchParams(url.split('?').slice(1).join('?')).get('token')
}

function readWish(query: URLSearchParams): SubscriptionWish | Refusal {
  const format = query.get('format') ?? 'json'
  if (format !== 'json' && format !== 'msgpack') {
    return { status: 400, message: 'This format is not known. Ask for json or msgpack.' }
  }
  const last = query.get('last')
  const count = last === null ? null : Number(last)
  if (count !== null && (!/^\d+$/.test(last ?? '') || count > mostMessages)) {
    return { status: 400, message: `“last” has to be a number from 0 to ${mostMessages}.` }
  }
  const fromUuid = query.get('fromUuid') || null
  if (fromUuid !== null && fromUuid.length > longestUuid) {
    return { status: 400, message: '“fromUuid” is too long for a uuid.' }
  }
  return { last: count, fromUuid, all: ['1', 'true'].includes(query.get('all') ?? ''), format }
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
