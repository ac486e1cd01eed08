import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../core/net/secret'

/**
 * What the agents of one terminal show. It is made of the server's secret, so that it holds as long as that, and opens
 * nothing in the name of another terminal.
 */
export function tokenFor(secret: string, terminal: string): string {
  return createHmac('sha256', secret).update(terminal).digest('base64url')
}

export function isTokenOf(given: unknown, secret: string, terminal: string): boolean {
  return isSameSecret(given, tokenFor(secret, terminal))
}
