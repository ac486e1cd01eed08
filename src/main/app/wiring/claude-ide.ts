import { basename } from 'node:path'
import type { Connection } from '../../../shared/contract/connections'
import type { Disposable } from '../../../shared/lifetime'
import { fail, succeed } from '../../../shared/result'
import type { Origin } from '../../../shared/review'
import { languageIdOf } from '../../core/editing/language-id'
import { resolveRealPath } from '../../core/files/real-path'
import type { ClaudeIdePorts, Mention } from '../../protocols/claude-ide/claude-connection'
import {
  type ClaudeIdeServer,
  claudeIdeEnvironment,
  startClaudeIdeServer,
} from '../../protocols/claude-ide/claude-ide-server'
import type { ConnectionsPort, EditorPort } from '../../protocols/claude-ide/ports'
import type { WritingManner } from '../../protocols/claude-ide/writing-manner'
import type { WindowHost } from '../window-host'
import { contextForClaude } from './context-to-claude'
import { PromptNotes } from './prompt-notes'
import { describeUnasked } from './terminals-to-agents'
import { type KeptAddress, WindowServer } from './window-server'

const dialect = 'claude-ide'
/** Claude Code's server of one window, and what the dialect needs of the window. */
export class ClaudeIde implements Disposable {
  readonly #window: WindowHost
  readonly #server: WindowServer<ClaudeIdeServer>
  readonly #notes: PromptNotes
  /** How each connection writes, where that is known. */
  readonly #writing = new Map<string, WritingManner>()

  constructor(window: WindowHost) {
    this.#window = window
    this.#server = new WindowServer(window, dialect, {
      start: (kept) => this.#start(kept),
      end: (server) => server.dispose(),
      filesOf: (server) => server.lockFiles,
      tokensOf: (server) => [server.lockToken],
    })
    this.#notes = new PromptNotes(
      (terminal, text, quiet) => window.terminals.typeInto(terminal, text, quiet),
      (sentence) => window.warn(sentence),
    )
  }

  /** Its switch and what is shown of it. */
  get server(): WindowServer<ClaudeIdeServer> {
    return this.#server
  }

  /** What a terminal needs in its environment to find the server; while it is off, no other editor's is found. */
  variables(): Record<string, string | undefined> {
    const { running } = this.#server
    return running ? claudeIdeEnvironment(running) : { CLAUDE_CODE_SSE_PORT: undefined }
  }

  readiness(): { port: number; lockFiles: string[] } | null {
    const { running } = this.#server
    return running ? { port: running.port, lockFiles: [...running.lockFiles] } : null
  }

  /** Puts a mention into prompts; gives how many took it. */
  mention(mention: Mention, connection?: string): number {
    return this.#server.running?.mention(mention, connection) ?? 0
  }

  /** Types a note into the prompt of the terminal that a question came from, once that question is put away. */
  typeNote(origin: Origin, terminal: string, note: string): void {
    this.#notes.add(origin, terminal, note)
  }

  /** Terminals came or went: connections are matched with them anew. */
  matchTerminals(): void {
    for (const connection of this.#window.connections.list()) {
      if (connection.dialect === dialect && connection.terminal === null) void this.#matchTerminal(connection)
    }
  }

  dispose(): void {
    void this.#server.stop()
  }

  #start(kept: KeptAddress | null) {
    const { parts } = this.#window
    const configFolder = parts.env['CLAUDE_CONFIG_DIR']
    return startClaudeIdeServer({
      ports: this.#ports(),
      frames: parts.frames,
      watcher: parts.watcher,
      version: parts.options.version,
      home: parts.home,
      ...(configFolder ? { configFolder } : {}),
      ...(kept ? { kept } : {}),
      onToolFailure: (tool, error) => parts.options.log.error('tool failed', { tool, error }),
      onProblem: (message) => this.#window.notices.add({ kind: 'warning', text: message }),
    })
  }

  #ports(): ClaudeIdePorts {
    const window = this.#window
    return {
      review: {
        open: (proposal, signal) => window.parts.desk.open(proposal, signal),
        mayHaveBeenWritten: (path) => window.parts.desk.look(path),
        questionClosed: (question) => this.#notes.questionClosed(question),
      },
      context: contextForClaude(window),
      editor: editorPort(window),
      folders: { folders: () => window.workspace, onChange: window.onFolders },
      diagnostics: {
        // Language servers fill this store later; nothing is known of any file yet. What they find goes through
        // `window.context.whyUntold`, like everything that an agent gets.
        diagnostics: (path) => Promise.resolve(path === undefined ? [] : [{ path, diagnostics: [] }]),
      },
      connections: this.#connectionsPort(),
    }
  }

  #connectionsPort(): ConnectionsPort {
    const { connections, notices, parts, protocolLog } = this.#window
    return {
      opened: (facts) => {
        const entry = (): Connection => ({
          id: facts.id,
          dialect,
          agent: facts.agent,
          version: facts.version ?? null,
          pid: facts.pid ?? null,
          since: facts.since,
          terminal: null,
          unasked: null,
        })
        connections.put(entry())
        protocolLog.name({ id: facts.id, agent: facts.agent, version: null, dialect, since: facts.since })
        return {
          update: ({ agent, version, pid, writing }) => {
            if (writing) this.#writing.set(facts.id, writing)
            connections.update(facts.id, { agent, version: version ?? null, pid: pid ?? null })
            protocolLog.name({ id: facts.id, agent, version: version ?? null, dialect, since: facts.since })
            const known = connections.find(facts.id)
            if (known) void this.#matchTerminal(known)
          },
          frame: (direction, text, bytes) => protocolLog.add(facts.id, direction, text, bytes),
          say: (text) => void notices.add({ kind: 'warning', text }),
          closed: () => {
            connections.remove(facts.id)
            this.#writing.delete(facts.id)
            protocolLog.end(facts.id)
            this.#notes.connectionClosed(facts.id)
          },
        }
      },
      refused: (status, message) => {
        connections.refuse(dialect, { at: Date.now(), status, message })
        parts.options.log.warn('agent refused', { dialect, status, message })
      },
    }
  }

  /** Finds the terminal that an agent runs in, and says so if it does not, or may not, ask before it writes. */
  async #matchTerminal({ id, pid }: Connection): Promise<void> {
    if (pid === null) return
    const { terminals, connections, settings } = this.#window
    const terminal = await terminals.terminalOfPid(pid)
    const profile = terminals.snapshot().find((one) => one.id === terminal)?.profile
    // Started by hand, it is in whatever mode its own settings say.
    const mode = profile === 'claude' ? settings.get().claudePermissionMode : ''
    connections.update(id, { terminal, unasked: describeUnasked(mode, this.#writing.get(id)) })
  }
}

function editorPort(window: WindowHost): EditorPort {
  const { tabs, parts, context } = window
  const { documents } = parts
  /** The path of an open file, as far as agents may see it. */
  const seenPath = (path: string): string | undefined => {
    const state = documents.get(path)
    const real = state?.kind === 'text' ? state.meta.path : undefined
    return real !== undefined && context.seen.files.some((file) => file.path === real) ? real : undefined
  }
  return {
    async open({ path, preview, makeFrontmost, find }) {
      const real = await resolveRealPath(path).catch(() => path)
      context.addName(path, real)
      const wasOpen = tabs.findFile(real) !== undefined
      const id = tabs.openFile(real, { preview, activate: makeFrontmost })
      const document = await window.openDocuments.get(real)
      const state = document?.state()
      // A picture or a long file is shown; of its text there is nothing to tell.
      if (state?.kind === 'image' || state?.kind === 'large') return succeed(null)
      if (state?.kind !== 'text') {
        if (!wasOpen) tabs.close(id)
        const message =
          state?.kind === 'failed' ? state.failure.message : `${path} is no text file. Open another file.`
        return fail('not-a-text', message)
      }
      const selection = find?.(state.text.toString()) ?? null
      if (selection) {
        const { start, end } = selection
        window.reveal({ path: real, selection: { start, end }, focus: false })
      }
      if (seenPath(real) === undefined) return succeed(null)
      return succeed({ languageId: languageIdOf(real), lineCount: state.text.lines })
    },
    dirtyState(path) {
      const state = documents.get(seenPath(path) ?? '')
      return state?.kind === 'text' ? { isDirty: state.meta.dirty, isUntitled: false } : undefined
    },
    save(path) {
      if (seenPath(path) === undefined) return undefined
      return documents
        .settle(path)
        .then(() => documents.save(path))
        .then((saved) => (saved.ok ? succeed(undefined) : saved))
    },
    closeTab(label) {
      for (const tab of tabs.state.tabs) {
        if (tab.kind !== 'file' || basename(tab.path) !== label || !seenPath(tab.path)) continue
        const state = documents.get(tab.path)
        if (state?.kind !== 'text' || !state.meta.dirty) tabs.close(tab.id)
      }
      return Promise.resolve()
    },
  }
}
