import type { IncomingMessage, ServerResponse } from 'node:http'
import { fail, succeed, type Result } from '../../../shared/result'
import type { RefusalBody } from './loopback-server'

/** How long a refused client may go on sending, in milliseconds, so that it gets to read the refusal. */
const drainTime = 2000

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

/**
 * Refuses a request and closes the connection. For a moment, the rest of the body is still read and dropped: if the
 * connection closed immediately, the answer would be lost with it.
 */
export function refuseUnread(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  { type, text }: RefusalBody,
): void {
  const size = Buffer.byteLength(text)
  response.writeHead(status, { 'content-type': type, 'content-length': size, connection: 'close' })
  response.write(text)
  const close = (): void => void response.end()
  if (request.complete) return close()
  const timer = setTimeout(close, drainTime)
  request.once('close', () => clearTimeout(timer)).once('end', close)
  request.resume()
}
