import type { IncomingMessage } from 'node:http'
import { fail, succeed, type Result } from '../../../shared/result'

/**
 * Reads a request's body. Fails with `too-large` as soon as it is known to exceed `limit` bytes (answer 413 and close:
 * the rest is not read) and with `broken-off` if the sender goes away.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Result<Buffer>> {
  const tooLarge = fail('too-large', `The request is larger than ${limit} bytes. Send less at once.`)
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(tooLarge)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = (result: Result<Buffer>): void => {
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      resolve(result)
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size > limit) {
        request.pause()
        return finish(tooLarge)
      }
      chunks.push(chunk)
    }
    const onEnd = (): void => finish(succeed(Buffer.concat(chunks, size)))
    const onBroken = (): void => {
      finish(fail('broken-off', 'The sender closed the connection before the request was complete.'))
    }
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  })
}
