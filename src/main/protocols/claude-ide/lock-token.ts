import { createHmac, randomUUID } from 'node:crypto'
import { isSameSecret } from '../../core/net/secret'

/**
 * A token for a lock file, from the secret that is kept for the folders. Each start of the server writes a new one, for
 * a command line that has given up on an address never tries that address again with the same token, not even when its
 * user asks for it; and all of them stay good, for one that has not given up comes back with the token it had
 * (docs/protocols/claude-code.md).
 */
export function makeLockToken(secret: string): string {
  const nonce = randomUUID()
  return `${nonce}.${proof(nonce, secret)}`
}

/** Whether a token was made from the secret, or is it, as in lock files of earlier builds. Its time tells nothing. */
export function isLockToken(given: unknown, secret: string): boolean {
  if (typeof given !== 'string') return false
  const [nonce = ''] = given.split('.', 1)
  return isSameSecret(given, `${nonce}.${proof(nonce, secret)}`) || isSameSecret(given, secret)
}

function proof(nonce: string, secret: string): string {
  return createHmac('sha256', secret).update(`claude-ide ${nonce}`).digest('hex')
}
