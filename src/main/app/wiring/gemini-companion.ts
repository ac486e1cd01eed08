import { tmpdir } from 'node:os'
import type { Connection } from '../../../shared/contract/connections'
import { SocketProcesses } from '../../core/platform/socket-process'
import { type CompanionServer, startCompanionServer } from '../../protocols/gemini-companion/companion-server'
import { companionEnvironment } from '../../protocols/gemini-companion/environment'
import type { ConnectionsPort, GeminiCompanionPorts } from '../../protocols/gemini-companion/ports'
import type { WindowHost } from '../window-host'
import { contextForGemini } from './context-to-gemini'
import { type KeptAddress, WindowServer } from './window-server'

const dialect = 'gemini-companion'
/** A command line has done what it does when its terminal has put out nothing for so many milliseconds. */
const promptRest = 300

/** The server of one window that Gemini CLI and Qwen Code connect to, and what the dialect needs of the window. */
export class GeminiCompanion {
  readonly #window: WindowHost
  readonly #sockets = new SocketProcesses()
  /** Stopping rejects what is open, so that no command line waits for ever. */
  readonly #server: WindowServer<CompanionServer>

  constructor(window: WindowHost) {
    this.#window = window
    this.#server = new WindowServer(window, dialect, {
      start: (kept) => this.#start(kept),
      end: (server) => server.stop(),
      filesOf: (server) => server.discoveryFiles,
      tokensOf: (server) => server.tokens,
    })
  }

  /** Its switch and what is shown of it. */
  get server(): WindowServer<CompanionServer> {
    return this.#server
  }

  /** What a terminal needs in its environment to find the server; while it is off, no other editor's is found. */
  variables(): Record<string, string | undefined> {
    const server = this.#server.running
    return companionEnvironment(server && { ...server, folders: this.#window.folders })
  }

  readiness(): { port: number; discoveryFiles: string[] } | null {
    const server = this.#server.running
    return server ? { port: server.port, discoveryFiles: [...server.discoveryFiles] } : null
  }

  /** Types a note into the prompt of a terminal. The rejection has ended the turn, so the prompt is on its way back. */
  typeNote(terminal: string, note: string): void {
    void this.#window.terminals.typeInto(terminal, note, promptRest).then((typed) => {
      if (!typed.ok) this.#window.warn(`${typed.failure.message} Your note: “${note}”`)
    })
  }

  /**
   * The person has pressed Ctrl+C in a terminal. A command line that was asking forgets its question and says nothing
   * of it, so what it asked is over here too; told so, it can ask the next one.
   */
  interrupt(terminal: string): void {
    const { connections, terminals } = this.#window
    const settled = terminals.rest(terminal, promptRest)
    for (const connection of connections.list()) {
      if (connection.dialect === dialect && connection.terminal === terminal)
        void this.#server.running?.interrupt(connection.id, settled)
    }
  }

  /** Terminals came or went: connections are matched with them anew. */
  matchTerminals(): void {
    for (const connection of this.#window.connections.list()) {
      if (connection.dialect === dialect && connection.terminal === null) void this.#matchTerminal(connection)
    }
  }

  #start(kept: KeptAddress | null) {
    const { parts } = this.#window
    const qwenHome = parts.env['QWEN_HOME']
    return startCompanionServer({
      ports: this.#ports(),
      frames: parts.frames,
      version: parts.options.version,
      places: {
        temporary: parts.env['TMPDIR'] || tmpdir(),
        home: parts.home,
        ...(qwenHome ? { qwenHome } : {}),
        pid: process.pid,
        parentPid: process.ppid,
      },
      ...(kept ? { kept } : {}),
      onToolFailure: (tool, error) => parts.options.log.error('tool failed', { tool, error }),
      onProblem: (message) => this.#window.warn(message),
    })
  }

  #ports(): GeminiCompanionPorts {
    const window = this.#window
    const { desk } = window.parts
    return {
      review: {
        open: (proposal, signal) => desk.open(proposal, signal),
        handOver: (question) => desk.handOver(question),
      },
      context: contextForGemini(window),
      folders: { folders: () => window.folders, onChange: window.onFolders },
      connections: this.#connectionsPort(),
    }
  }

  #connectionsPort(): ConnectionsPort {
    const { connections, notices, parts, protocolLog } = this.#window
    return {
      opened: ({ id, agent, since }) => {
        const entry: Connection = {
          id,
          dialect,
          agent,
          version: null,
          pid: null,
          since,
          terminal: null,
          unasked: null,
        }
        connections.put(entry)
        protocolLog.name({ id, agent, version: null, dialect, since })
        return {
          update: ({ version, pid }) => {
            connections.update(id, { version: version ?? null, pid: pid ?? null })
            protocolLog.name({ id, agent, version: version ?? null, dialect, since })
            const known = connections.find(id)
            if (known) void this.#matchTerminal(known)
          },
          frame: (direction, text, bytes) => protocolLog.add(id, direction, text, bytes),
          say: (text) => void notices.add({ kind: 'warning', text }),
          closed: () => {
            connections.remove(id)
            protocolLog.end(id)
          },
        }
      },
      refused: (status, message) => {
        connections.refuse(dialect, { at: Date.now(), status, message })
        parts.options.log.warn('agent refused', { dialect, status, message })
      },
      processAt: (clientPort, serverPort) => this.#sockets.find(clientPort, serverPort),
    }
  }

  /** Finds the terminal that an agent runs in. */
  async #matchTerminal({ id, pid }: Connection): Promise<void> {
    if (pid === null) return
    const { terminals, connections } = this.#window
    connections.update(id, { terminal: await terminals.terminalOfPid(pid) })
  }
}
