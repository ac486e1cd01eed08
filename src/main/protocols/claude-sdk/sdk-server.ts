import { randomBytes, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { WebSocketServer } from 'ws'
import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { type Result, succeed, withoutValue } from '../../../shared/result'
import { openLoopbackServer, type Refusal, type TakeUpgrade } from '../../core/net/loopback-server'
import { isSameSecret } from '../../core/net/secret'
import type { ConnectionEntry, ConnectionFacts, KeptAddress } from '../kit/connection'
import { socketServerOptions } from '../kit/mcp-socket'
import { writeToken } from '../kit/token-file'
import { maxMessage, SdkSocket } from './sdk-socket'
import { removeLeftFiles, serverFile } from './server-files'
import { serverPorts } from '../../core/net/free-port'

/** More clients at once are refused. */
const mostClients = 50

/** What this server needs of the app. */
export interface SdkServerPorts {
  opened(facts: ConnectionFacts): ConnectionEntry
  refused(status: number, message: string): void
  /** The process at the other end of a connection, if the system tells. */
  processAt(clientPort: number, serverPort: number): Promise<number | undefined>
  /** Talks with a client that has connected; disposed of when the server ends. */
  converse(client: SdkClient): Disposable
}

/** A client that has connected. */
export interface SdkClient {
  readonly id: string
  readonly socket: SdkSocket
  /** Its process, if the system tells. */
  readonly pid: Promise<number | undefined>
  /** The uuid of the last message that it had to send before it was cut off; null if it connects for the first time. */
  readonly lastSaid: string | null
  /** More is known about it. */
  known(more: Partial<Pick<ConnectionFacts, 'agent' | 'version'>>): void
  /** For whoever listens to its socket: the connection is over. */
  gone(): void
}

/** A running server: one per window. Its disposal closes every connection, removes its file and frees the port. */
export interface SdkServer extends Disposable, KeptAddress {
  /** Without the secret. */
  readonly url: string
  /** The file that holds the address with its secret. */
  readonly tokenFile: string
  /** How many are connected. */
  readonly clients: number
  rewriteFiles(): Promise<Result<void>>
  /** Settles when the port is free again after disposal. */
  readonly closed: Promise<void>
}

/**
 * Starts the server that programs of Claude Code's stream protocol connect to by WebSocket (docs/protocols/claude-sdk.md).
 * The secret is the address's path, for these programs send no header of their own.
 */
export async function startSdkServer(options: {
  ports: SdkServerPorts
  /** Where the file with the address is written. */
  folder: string
  kept?: KeptAddress
}): Promise<Result<SdkServer>> {
  const { ports, folder, kept } = options
  const token = kept?.token ?? randomBytes(32).toString('base64url')
  const owned = new DisposableStack()
  const clients = new Set<Disposable>()
  const upgrader = new WebSocketServer({
    ...socketServerOptions,
    // Nobody else checks what its frames hold.
    skipUTF8Validation: false,
    maxPayload: maxMessage,
  })

  const onUpgrade = (request: IncomingMessage): Refusal | TakeUpgrade => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    if (!isSameSecret(path.slice(1), token)) return unknownSecret
    if (clients.size >= mostClients) return tooMany
    const lastSaid = request.headers['x-last-request-id']
    const pid = ports.processAt(request.socket.remotePort ?? 0, server.port)
    return (socket, head) =>
      upgrader.handleUpgrade(request, socket, head, (webSocket) => {
        let facts: ConnectionFacts = { id: randomUUID(), agent: 'A program', since: Date.now() }
        const entry = ports.opened(facts)
        const update = (more: Partial<ConnectionFacts>) => {
          facts = { ...facts, ...more }
          entry.update(facts)
        }
        const sdkSocket = new SdkSocket(webSocket, entry.frame)
        const forget = disposable(() => {
          clients.delete(client)
          entry.closed()
        })
        const client = disposable(() => {
          conversation.dispose()
          sdkSocket.close(1001, 'The server stops.')
          forget.dispose()
        })
        clients.add(client)
        const conversation = ports.converse({
          ...{ id: facts.id, socket: sdkSocket, pid },
          lastSaid: typeof lastSaid === 'string' && lastSaid !== '' ? lastSaid : null,
          known: update,
          gone: () => forget.dispose(),
        })
        void pid.then((found) => found !== undefined && clients.has(client) && update({ pid: found }))
      })
  }

  const opened = await openLoopbackServer({
    port: kept === undefined ? serverPorts : { ...serverPorts, kept: kept.port },
    origins: 'none',
    onUpgrade,
    onRefused: ({ status, message }) => ports.refused(status, message),
  })
  if (!opened.ok) return opened
  const server = owned.add(opened.value)
  const url = `ws://127.0.0.1:${server.port}`
  const tokenFile = serverFile(folder, server.port)
  const rewriteFiles = async () => withoutValue(await writeToken(tokenFile, `${url}/${token}`))
  owned.add(disposable(() => rmSync(tokenFile, { force: true })))
  const written = await rewriteFiles()
  if (!written.ok) {
    owned.dispose()
    return written
  }
  await removeLeftFiles(folder)
  // Last in, first out: clients go before the file and the port.
  owned.add(disposable(() => [...clients].forEach((client) => client.dispose())))

  return succeed({
    ...{ url, tokenFile, token, port: server.port, closed: server.closed },
    get clients() {
      return clients.size
    },
    rewriteFiles: async () => {
      const again = await rewriteFiles()
      return again.ok ? succeed(undefined) : again
    },
    dispose: () => owned.dispose(),
  })
}

const unknownSecret: Refusal = {
  status: 401,
  message:
    'The secret in the address is missing or wrong. The whole address is in the token file of this port.',
}
const tooMany: Refusal = { status: 503, message: 'Too many programs are connected already. End one of them.' }
