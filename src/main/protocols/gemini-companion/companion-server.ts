import { createHmac, randomUUID } from 'node:crypto'
import { isSameSecret } from '../../core/net/secret'
import { DisposableStack } from '../../../shared/lifetime'
import { succeed, type Result } from '../../../shared/result'
import type { KeptAddress } from '../kit/connection'
import { DiscoveryFiles, keepWritten } from '../kit/discovery-files'
import type { FrameParser } from '../kit/frame-parser'
import type { SessionPatience } from '../kit/http-session'
import { type McpHttpServer, maxBody, openMcpHttpServer } from '../kit/mcp-http-server'
import { describeServer } from '../kit/mcp-methods'
import { CompanionConnection, type Holder } from './companion-connection'
import { followContext } from './context-teller'
import { type DiscoveryPlaces, ideInfo, removeStaleDiscovery, writeDiscovery } from './discovery'
import type { GeminiCompanionPorts } from './ports'
import { companionTools, type ToolContext } from './tools'

/** How a server is started. */
export interface CompanionOptions {
  ports: GeminiCompanionPorts
  /** Parses large messages; owned by the caller, may serve several servers. */
  frames: FrameParser
  /** The app's version, as told to clients. */
  version: string
  places: DiscoveryPlaces
  kept?: KeptAddress
  /** A tool threw; for the log. */
  onToolFailure?: (tool: string, error: unknown) => void
  /** The discovery files could not be written after the folders changed. */
  onProblem?: (message: string) => void
  patience?: SessionPatience
  keepAlive?: number
}

/** A running server: one per window. */
export interface CompanionServer extends KeptAddress {
  /** The process that clients in our terminals find us by. */
  readonly pid: number
  /** The discovery files that are there now. */
  readonly discoveryFiles: readonly string[]
  /** How many command lines are connected. */
  readonly connections: number
  /** The tokens that its discovery files hold. */
  readonly tokens: readonly string[]
  /** Writes the discovery files again. */
  rewriteFiles(): Promise<Result<void>>
  /** The person has pressed Ctrl+C at a client, which has dealt with it once `settled`. Resolves when it is free again. */
  interrupt(connection: string, settled: Promise<void>): Promise<void>
  /** Rejects what is open and sends that, removes the files, closes everything and frees the port. */
  stop(): Promise<void>
}

/**
 * Starts the server that Gemini CLI and Qwen Code connect to as their editor (docs/protocols/gemini-companion.md).
 * The kept port is taken where it is free. Resolves when it listens and its discovery files are written; only then
 * start terminals: clients look for them once, at their start.
 */
export async function startCompanionServer(options: CompanionOptions): Promise<Result<CompanionServer>> {
  const { ports, kept, places } = options
  const token = kept?.token ?? randomUUID()
  const qwenToken = createHmac('sha256', token).update('qwen').digest('hex')
  const connections = new Map<string, CompanionConnection>()
  const name = ideInfo.name
  const methods = describeServer<ToolContext>({ name, version: options.version, tools: companionTools })

  const open = (port: number): Promise<Result<McpHttpServer>> =>
    openMcpHttpServer<ToolContext, Holder>({
      port,
      methods,
      frames: options.frames,
      holderOf(given) {
        // Both are always compared, so that the time tells nothing.
        const isGemini = isSameSecret(given, token)
        const isQwen = isSameSecret(given, qwenToken)
        return isGemini ? 'Gemini' : isQwen ? 'Qwen' : undefined
      },
      begin(link) {
        const connection = new CompanionConnection(link, {
          ports,
          port: opened.ok ? opened.value.port : 0,
          onToolFailure: (tool, error) => options.onToolFailure?.(tool, error),
          onClosed: () => connections.delete(link.id),
        })
        connections.set(link.id, connection)
        return connection
      },
      onRefused: (status, message) => ports.connections.refused(status, message),
      onTooLarge: (link) => link && connections.get(link.id)?.tellTooLarge(maxBody),
      ...(options.patience ? { patience: options.patience } : {}),
      ...(options.keepAlive === undefined ? {} : { keepAlive: options.keepAlive }),
    })
  let opened = await open(kept?.port ?? 0)
  if (!opened.ok && opened.failure.code === 'port-taken' && kept !== undefined) opened = await open(0)
  if (!opened.ok) return opened
  const server = opened.value

  const owned = new DisposableStack()
  const files = owned.add(new DiscoveryFiles())
  const address = { port: server.port, token, qwenToken }
  const rewriteFiles = () => writeDiscovery(files, places, address, ports.folders.folders())
  await removeStaleDiscovery(places)
  const written = await keepWritten(rewriteFiles, ports.folders.onChange, owned, options.onProblem)
  if (!written.ok) {
    owned.dispose()
    await server.stop()
    return written
  }
  owned.add(followContext(ports.context, (frame) => connections.forEach((one) => one.tell(frame))))

  return succeed({
    port: server.port,
    token,
    pid: places.pid,
    tokens: [token, qwenToken],
    rewriteFiles,
    get discoveryFiles() {
      return files.paths
    },
    get connections() {
      return connections.size
    },
    async interrupt(id, settled) {
      await connections.get(id)?.interrupt(settled)
    },
    async stop() {
      owned.dispose()
      for (const connection of connections.values()) connection.stop()
      await server.stop()
    },
  })
}
