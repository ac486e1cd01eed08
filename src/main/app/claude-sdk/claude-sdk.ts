import { join } from 'node:path'
import { type Disposable, disposable } from '../../../shared/lifetime'
import { claude } from '../../core/agents/claude'
import type { ConversationStarter } from '../../core/conversation/conversation'
import { SocketProcesses } from '../../core/platform/socket-process'
import { dialectId } from '../../protocols/claude-sdk/dialect-id'
import { type SdkClient, type SdkServer, startSdkServer } from '../../protocols/claude-sdk/sdk-server'
import { findServerFiles } from '../../protocols/claude-sdk/server-files'
import type { KeptAddress } from '../../protocols/kit/connection'
import { AgentConnections } from '../dialect-kit/agent-connections'
import type { DialectWindow, OpenDialect, WindowDialect } from '../dialect-kit/dialect'
import type { RunTurn } from '../dialect-kit/turn'
import { WindowServer, windowServerOff } from '../dialect-kit/window-server'
import { ClaudeStarter } from './claude-starter'
import { runClaudeTurn } from './claude-turn'
import { SocketConversation } from './socket-conversation'

/**
 * Claude Code's stream protocol (docs/protocols/claude-sdk.md): conversations without a terminal, over standard input and
 * output, or with programs that connect by WebSocket.
 */
export const claudeSdk: WindowDialect = {
  scope: 'window',
  id: dialectId,
  readyAs: 'sdk',
  about: {
    // Nothing finds it by itself, so that nobody is connected is no news.
    agent: null,
    name: 'programs with --sdk-url',
    toggle: 'Let programs connect by --sdk-url',
    protocol: 'Stream protocol',
    address: 'ws://127.0.0.1:PORT/SECRET',
    file: 'Address file',
    whenOff: windowServerOff,
    command: {
      text: 'claude --sdk-url "$(cat \'FILE\')"',
      note: 'Claude Code takes this up to version 2.1.119. Newer versions connect only to their vendor’s servers; begin a conversation here instead.',
      converses: true,
    },
    noteWhenKnown: null,
  },
  agents: claude.title,
  known: [],
  portVariable: '',
  anywhereByVariable: false,
  containerVariable: null,
  connectCommand: null,
  findFiles: ({ dataDir }) => findServerFiles(serverFilesIn(dataDir)),
  open: (window) => new ClaudeSdk(window),
}

/** Where the addresses of a data directory’s servers are. */
function serverFilesIn(dataDir: string): string {
  return join(dataDir, 'sdk-servers')
}

/** The conversations of one window, and the server that programs connect to. */
class ClaudeSdk implements OpenDialect {
  readonly server: WindowServer<SdkServer>
  readonly starters: readonly ConversationStarter[]
  readonly runTurn: RunTurn
  readonly #window: DialectWindow
  readonly connections: AgentConnections
  readonly #sockets = new SocketProcesses()
  /** With programs that connect, each with its tab. */
  readonly #conversations = new Set<SocketConversation>()

  constructor(window: DialectWindow) {
    this.#window = window
    this.starters = [new ClaudeStarter(window, claudeSdk)]
    this.runTurn = (turn, around) => runClaudeTurn(window, turn, around)
    this.connections = new AgentConnections(claudeSdk, window.agents, window.machine.log)
    this.server = new WindowServer(window, claudeSdk, {
      start: (kept) => this.#start(kept),
      end: (server) => server.dispose(),
      filesOf: ({ tokenFile }) => [tokenFile],
      tokensOf: ({ token }) => [token],
    })
  }

  readiness(): { url: string; tokenFile: string } | null {
    const { running } = this.server
    return running ? { url: running.url, tokenFile: running.tokenFile } : null
  }

  variables(): Record<string, string | undefined> {
    return {}
  }

  #start(kept: KeptAddress | null) {
    return startSdkServer({
      folder: serverFilesIn(this.#window.machine.dataDir),
      ...(kept ? { kept } : {}),
      ports: {
        opened: (facts) => this.connections.opened(facts),
        refused: (status, message) => this.connections.refused(status, message),
        processAt: (clientPort, serverPort) => this.#sockets.find(clientPort, serverPort),
        converse: (client) => this.#converse(client),
      },
    })
  }

  #converse(client: SdkClient): Disposable {
    let known: SocketConversation | null = null
    const found = this.#conversationWith(client).then((one) => (known = one))
    const cutOff = (...end: Parameters<SocketConversation['cutOff']>) =>
      known ? known.cutOff(...end) : void found.then((one) => one.cutOff(...end))
    client.socket.listen({
      line: (line) => (known ? known.hear(line) : found.then((one) => one.hear(line))),
      closed: ({ message }) => cutOff('ended', message),
    })
    return disposable(() => cutOff('stopped', 'Greenlight has closed its server.'))
  }

  /** The conversation that a program comes back to, else a new one. */
  async #conversationWith(client: SdkClient): Promise<SocketConversation> {
    const former = client.lastSaid === null ? undefined : await this.#former(client.lastSaid, client.pid)
    if (former) {
      await former.goOn(client)
      return former
    }
    const made = new SocketConversation(this.#window, claudeSdk, client)
    this.#conversations.add(made)
    made.begin(() => this.#conversations.delete(made))
    return made
  }

  /** The one that was cut off after `lastSaid`, or whose program has said more since: its process tells it. */
  async #former(lastSaid: string, pid: SdkClient['pid']): Promise<SocketConversation | undefined> {
    const cutOff = () => [...this.#conversations].filter((one) => one.isCutOff)
    const heard = cutOff().find((one) => one.hasHeard(lastSaid))
    if (heard) return heard
    const process = await pid
    const [own, ...others] = cutOff().filter((one) => process !== undefined && one.pid === process)
    return others.length === 0 ? own : undefined
  }
}
