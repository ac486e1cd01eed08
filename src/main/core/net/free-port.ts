import { randomInt } from 'node:crypto'
import type { Server } from 'node:http'
import { fail, succeed, type Result } from '../../../shared/result'

/** Which port to listen on: exactly one (0: any that the system gives), or any in a range. */
export type PortChoice = number | PortRange

/** A port from `from` to `to`, inclusive: `kept` if it is free, else a random one. */
export interface PortRange {
  from: number
  to: number
  kept?: number
}

/**
 * Where the servers for agents listen. Claude Code expects an editor on 10000 to 65535. From 32768 on, Linux gives ports
 * to outgoing connections (macOS and Windows from 49152), so a port that is to be the same after a restart could be taken.
 */
export const serverPorts = { from: 10_000, to: 32_767 } as const

/** How many random ports are tried before giving up. */
const tries = 50

/**
 * Makes a server listen on 127.0.0.1. Fails with `port-taken` if every port tried is in use, and with `cannot-listen`
 * on any other error.
 */
export async function listenOnLoopback(server: Server, choice: PortChoice): Promise<Result<number>> {
  for (const port of candidates(choice)) {
    const listening = await tryPort(server, port)
    if (listening.ok) return listening
    if (listening.failure.code !== 'port-taken' || typeof choice === 'number') return listening
  }
  return fail('port-taken', 'No free port was found. Close some programs and try again.')
}

function* candidates(choice: PortChoice): Generator<number> {
  if (typeof choice === 'number') {
    yield choice
    return
  }
  const { from, to, kept } = choice
  if (kept !== undefined && Number.isInteger(kept) && kept >= from && kept <= to) yield kept
  for (let i = 0; i < tries; i += 1) yield randomInt(from, to + 1)
}

function tryPort(server: Server, port: number): Promise<Result<number>> {
  return new Promise((resolve) => {
    const onListening = (): void => {
      server.off('error', onError)
      const address = server.address()
      resolve(succeed(typeof address === 'object' && address !== null ? address.port : port))
    }
    const onError = (error: NodeJS.ErrnoException): void => {
      server.off('listening', onListening)
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') {
        resolve(fail('port-taken', `Port ${port} is in use or reserved. Choose another one.`))
      } else {
        const why = error.code ?? 'unknown error'
        resolve(fail('cannot-listen', `Can’t listen on port ${port} (${why}). Choose another one.`))
      }
    }
    server.once('listening', onListening)
    server.once('error', onError)
    server.listen({ host: '127.0.0.1', port, exclusive: true })
  })
}
