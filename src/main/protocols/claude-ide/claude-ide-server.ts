import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { WebSocketServer } from 'ws'
import type { FileWatcher } from '../../core/files/watcher'
import { openLoopbackServer, type Refusal, type TakeUpgrade } from '../../core/net/loopback-server'
import { DisposableStack, disposable, type Disposable } from '../../../shared/lifetime'
import { succeed, type Result } from '../../../shared/result'
import type { KeptAddress, Mention } from '../kit/connection'
import { DiscoveryFiles, keepWritten } from '../kit/discovery-files'
import type { FrameParser } from '../kit/frame-parser'
import { describeServer } from '../kit/mcp-methods'
import { debounceContext } from '../kit/debounce-context'
import { socketServerOptions } from '../kit/mcp-socket'
import { ClaudeConnection } from './claude-connection'
import { configFolders, ideName, lockFileWriter, lockFolder, removeStaleLocks } from './lock-files'
import { isLockToken, makeLockToken } from './lock-token'
import type { ClaudeIdePorts } from './ports'
import { claudeTools, type ToolContext } from './tools'
import { serverPorts } from '../../core/net/free-port'

/** The header in which a command line sends the lock file's token. */
const tokenHeader = 'x-claude-code-ide-authorization'

/** How a server is started. */
export interface ClaudeIdeOptions {
  ports: ClaudeIdePorts
  /** Parses large frames; owned by the caller, may serve several servers. */
  frames: FrameParser
  /** Watches the command lines' session files; owned by the caller. */
  watcher: FileWatcher
  /** The app's version, as told to clients. */
  version: string
  home: string
  /** CLAUDE_CONFIG_DIR of the environment, where it is set. */
  configFolder?: string
  /** The token is the secret from which those in lock files are made (lock-token.ts). */
  kept?: KeptAddress
  /** A tool threw; for the log. */
  onToolFailure?: (tool: string, error: unknown) => void
  /** The lock files could not be written after the folders changed. */
  onProblem?: (message: string) => void
}

/** A running server: one per window. Its disposal closes every connection unanswered and removes the lock files. */
export interface ClaudeIdeServer extends Disposable, KeptAddress {
  /** The token that the lock files hold. */
  readonly lockToken: string
  /** The lock files that are there now. */
  readonly lockFiles: readonly string[]
  /** How many command lines are connected. */
  readonly connections: number
  /** Writes the lock files again, if they are gone or no longer ours. */
  rewriteFiles(): Promise<Result<void>>
  /** Puts a mention into the prompt of one connection, or of all. Gives how many took it. */
  mention(mention: Mention, connection?: string): number
  /** Settles when the port is free again after disposal. */
  closed: Promise<void>
}

/** What a terminal's environment needs so that a command line started in it connects to this server. */
export function claudeIdeEnvironment(server: { port: number }): Record<string, string> {
  // The second is for versions that look at nothing else.
  return { CLAUDE_CODE_SSE_PORT: String(server.port), ENABLE_IDE_INTEGRATION: 'true' }
}

/**
 * Starts the server that Claude Code connects to as its editor (docs/protocols/claude-code.md). The kept port is
 * taken where it is free. Resolves when it listens and its lock files are written; only then start terminals.
 */
export async function startClaudeIdeServer(options: ClaudeIdeOptions): Promise<Result<ClaudeIdeServer>> {
  const { ports, frames, watcher, kept } = options
  const token = kept?.token ?? randomUUID()
  const lockToken = makeLockToken(token)
  const owned = new DisposableStack()
  const connections = new Set<ClaudeConnection>()
  const configs = configFolders(options.home, options.configFolder)
  const methods = describeServer<ToolContext>({ name: ideName, version: options.version, tools: claudeTools })
  const upgrader = new WebSocketServer({
    ...socketServerOptions,
    handleProtocols: (offered) => (offered.has('mcp') ? 'mcp' : false),
  })

  const onUpgrade = (request: IncomingMessage): Refusal | TakeUpgrade => {
    if ((request.url ?? '/').split('?')[0] !== '/') return { status: 404, message: 'There is nothing here.' }
    if (!isLockToken(request.headers[tokenHeader], token)) {
      return { status: 401, message: 'The token is missing or wrong. It is in the lock file of this port.' }
    }
    return (socket, head) => {
      upgrader.handleUpgrade(request, socket, head, (webSocket) => {
        const connection: ClaudeConnection = new ClaudeConnection(webSocket, {
          ports,
          methods,
          frames,
          configFolders: configs,
          watcher,
          onToolFailure: (tool, error) => options.onToolFailure?.(tool, error),
          onClosed: () => connections.delete(connection),
        })
        connections.add(connection)
      })
    }
  }

  const opened = await openLoopbackServer({
    port: kept === undefined ? serverPorts : { ...serverPorts, kept: kept.port },
    origins: 'none',
    onUpgrade,
    onRefused: ({ status, message }) => ports.connections.refused(status, message),
  })
  if (!opened.ok) return opened
  const server = owned.add(opened.value)

  const folders = configs.map(lockFolder)
  const locks = owned.add(new DiscoveryFiles())
  const writeLock = lockFileWriter(locks, { folders, port: server.port, token: lockToken })
  const rewriteFiles = () => writeLock(ports.folders.folders().map((folder) => folder.path))
  await removeStaleLocks(folders)
  const written = await keepWritten(rewriteFiles, ports.folders.onChange, owned, options.onProblem)
  if (!written.ok) {
    owned.dispose()
    return written
  }
  owned.add(
    debounceContext(ports.context.onSelection, () => {
      for (const connection of connections) connection.tellSelection()
    }),
  )
  // Last in, first out: clients go before the port and the files.
  owned.add(disposable(() => connections.forEach((connection) => connection.dispose())))

  return succeed({
    port: server.port,
    token,
    lockToken,
    closed: server.closed,
    get lockFiles() {
      return locks.paths
    },
    get connections() {
      return connections.size
    },
    rewriteFiles,
    mention(mention, id) {
      const wanted = [...connections].filter((connection) => id === undefined || connection.id === id)
      return wanted.filter((connection) => connection.mention(mention)).length
    },
    dispose: () => owned.dispose(),
  })
}
