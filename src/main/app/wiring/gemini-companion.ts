import { tmpdir } from 'node:os'
import type { Connection } from '../../../shared/contract/connections'
import { type Done, succeed } from '../../../shared/result'
import { findSocketProcess } from '../../core/platform/socket-process'
import { type CompanionServer, startCompanionServer } from '../../protocols/gemini-companion/companion-server'
import { companionEnvironment } from '../../protocols/gemini-companion/environment'
import type { ConnectionsPort, GeminiCompanionPorts } from '../../protocols/gemini-companion/ports'
import type { WindowHost } from '../window-host'
import type { CheckedServer } from './connection-checks'
import { contextForGemini } from './context-to-gemini'

const dialect = 'gemini-companion'
/** The prompt is back when its terminal has put out nothing for so many milliseconds. */
const promptRest = 300

/** The server of one window that Gemini CLI and Qwen Code connect to, and what the dialect needs of the window. */
export class GeminiCompanion {
  readonly #window: WindowHost
  #server: CompanionServer | null = null
  #starting = false
  #startedAt: number | null = null
  #problem: string | null = null
  #stopping: Promise<void> = Promise.resolve()

  constructor(window: WindowHost) {
    this.#window = window
  }

  /** Starts the server unless the person has switched it off for these folders. */
  async start(): Promise<void> {
    const memory = this.#window.parts.folderStates.read(this.#window.folders).servers[dialect]
    if (memory?.on === false) this.#tell(null)
    else await this.#open()
  }

  /** The switch: stopping rejects what is open, ends the connections and removes the discovery files. */
  async switch(on: boolean): Promise<Done> {
    this.#window.parts.folderStates.updateServer(this.#window.folders, dialect, { on })
    if (!on) {
      await this.stop()
      return succeed({})
    }
    await this.#stopping
    return this.#server || this.#starting ? succeed({}) : this.#open()
  }

  /** Keeps port and token for the folders of the window as they are now. */
  remember(): void {
    if (!this.#server) return
    const { port, token } = this.#server
    this.#window.parts.folderStates.updateServer(this.#window.folders, dialect, { port, token })
    this.#tell(null)
  }

  /** What a terminal needs in its environment to find the server; while it is off, no other editor's is found. */
  variables(): Record<string, string | undefined> {
    const server = this.#server
    return companionEnvironment(server && { ...server, folders: this.#window.folders })
  }

  /** What the check list looks at. */
  checked(): CheckedServer {
    const server = this.#server
    return {
      on: server !== null,
      problem: this.#problem,
      port: server?.port ?? null,
      started: this.#startedAt,
      files: server?.discoveryFiles ?? [],
      tokens: server?.tokens ?? [],
    }
  }

  /** Writes the discovery files anew. */
  async rewriteFiles(): Promise<Done> {
    const written = await this.#server?.rewriteFiles()
    if (written && !written.ok) return written
    this.#tell(null)
    return succeed({})
  }

  readiness(): { port: number; discoveryFiles: string[] } | null {
    const server = this.#server
    return server ? { port: server.port, discoveryFiles: [...server.discoveryFiles] } : null
  }

  /** Types a note into the prompt of a terminal. The rejection has ended the turn, so the prompt is on its way back. */
  typeNote(terminal: string, note: string): void {
    void this.#window.terminals.typeInto(terminal, note, promptRest).then((typed) => {
      if (!typed.ok) this.#window.warn(`${typed.failure.message} Your note: “${note}”`)
    })
  }

  /** Terminals came or went: connections are matched with them anew. */
  matchTerminals(): void {
    for (const connection of this.#window.connections.list()) {
      if (connection.dialect === dialect && connection.terminal === null) void this.#matchTerminal(connection)
    }
  }

  /** Rejects what is open, so that no command line waits for ever, and resolves when that is sent. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    this.#startedAt = null
    this.#tell(null)
    if (server) this.#stopping = server.stop()
    await this.#stopping
  }

  async #open(): Promise<Done> {
    const { parts, folders } = this.#window
    const memory = parts.folderStates.read(folders).servers[dialect]
    const kept = memory?.port && memory.token ? { port: memory.port, token: memory.token } : null
    const qwenHome = parts.env['QWEN_HOME']
    this.#starting = true
    const started = await startCompanionServer({
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
    this.#starting = false
    if (!started.ok) {
      this.#tell(started.failure.message)
      this.#window.notices.add({ kind: 'error', text: started.failure.message })
      return started
    }
    this.#server = started.value
    this.#startedAt = Date.now()
    this.remember()
    return succeed({})
  }

  #tell(problem: string | null): void {
    this.#problem = problem
    const server = this.#server
    this.#window.connections.setServer({
      dialect,
      on: server !== null,
      port: server?.port ?? null,
      files: server ? [...server.discoveryFiles] : [],
      problem,
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
      processAt: (clientPort, serverPort) => findSocketProcess(clientPort, serverPort),
    }
  }

  /** Finds the terminal that an agent runs in. */
  async #matchTerminal({ id, pid }: Connection): Promise<void> {
    if (pid === null) return
    const { terminals, connections } = this.#window
    connections.update(id, { terminal: await terminals.terminalOfPid(pid) })
  }
}
