import { z } from 'zod'
import type { Origin } from '../../../shared/review/proposal'
import { claude } from '../../core/agents/claude'
import {
  type ClaudeIdeServer,
  claudeIdeEnvironment,
  startClaudeIdeServer,
} from '../../protocols/claude-ide/claude-ide-server'
import { configFolders, ideName, lockFolder } from '../../protocols/claude-ide/lock-files'
import { dialectId } from '../../protocols/claude-ide/dialect-id'
import type { ClaudeIdePorts } from '../../protocols/claude-ide/ports'
import type { WritingManner } from '../../protocols/claude-ide/writing-manner'
import type { KeptAddress, Mention } from '../../protocols/kit/connection'
import { AgentConnections } from '../dialect-kit/agent-connections'
import { describeGate, gateNow } from '../dialect-kit/gate-sentences'
import { readDiscoveryFiles } from '../dialect-kit/read-discovery-files'
import type { DialectWindow, MachineQuestion, OpenDialect, WindowDialect } from '../dialect-kit/dialect'
import { WindowServer, windowServerOff } from '../dialect-kit/window-server'
import { diagnostics, editorPort } from './editor-port'
import { NoteTiming } from './note-timing'
import { describeUnasked } from './unasked'

/** Claude Code's IDE protocol (docs/protocols/claude-ide.md). */
export const claudeIde: WindowDialect = {
  scope: 'window',
  id: dialectId,
  readyAs: 'claudeIde',
  about: {
    agent: 'Claude',
    name: 'Claude Code',
    toggle: 'Let Claude Code connect',
    protocol: 'IDE protocol',
    address: 'ws://127.0.0.1:PORT',
    file: 'Lock file',
    whenOff: windowServerOff,
    command: null,
    noteWhenKnown: 'Changes to its permission mode appear here after its next prompt.',
  },
  agents: claude.title,
  known: [claude],
  portVariable: 'CLAUDE_CODE_SSE_PORT',
  anywhereByVariable: true,
  containerVariable: null,
  connectCommand: '/ide',
  findFiles: findLockFiles,
  open: (window) => new ClaudeIde(window),
}

/** Claude Code's server of one window, and what the dialect needs of the window. */
class ClaudeIde implements OpenDialect {
  readonly server: WindowServer<ClaudeIdeServer>
  readonly #window: DialectWindow
  readonly #notes: NoteTiming
  readonly connections: AgentConnections
  /** How each connection writes, if that is known. */
  readonly #writing = new Map<string, WritingManner>()

  constructor(window: DialectWindow) {
    this.#window = window
    const { agents, settings, machine } = window
    this.server = new WindowServer(window, claudeIde, {
      start: (kept) => this.#start(kept),
      end: (server) => server.dispose(),
      filesOf: (server) => server.lockFiles,
      tokensOf: (server) => [server.lockToken],
    })
    this.#notes = new NoteTiming(
      (terminal, text, quiet) => agents.terminals.typeInto(terminal, text, quiet),
      (sentence) => agents.notices.warn(sentence),
    )
    this.connections = new AgentConnections(claudeIde, agents, machine.log, {
      // Started by hand, it is in the mode that its own settings say.
      unasked: (id, profile) =>
        describeUnasked(
          profile === claude.id ? settings.get().claudePermissionMode : '',
          this.#writing.get(id),
          gateNow(window, id),
        ),
      note: (id) => {
        const gate = gateNow(window, id)
        return gate && describeGate(gate)
      },
      closed: (id) => {
        this.#writing.delete(id)
        this.#notes.connectionClosed(id)
      },
    })
    window.gated.onChange((id) => {
      if (id !== null) this.connections.describeAgain(id)
    })
    window.gate.onChange(() => this.connections.describeAgain())
  }

  /** While it is off, no other editor's server is found. */
  variables(): Record<string, string | undefined> {
    const { running } = this.server
    return running ? claudeIdeEnvironment(running) : { CLAUDE_CODE_SSE_PORT: undefined }
  }

  readiness(): { port: number; lockFiles: string[] } | null {
    const { running } = this.server
    return running ? { port: running.port, lockFiles: [...running.lockFiles] } : null
  }

  mention(mention: Mention, connection?: string): number {
    return this.server.running?.mention(mention, connection) ?? 0
  }

  /** Types the note once the agent has put its question away. */
  typeNote(origin: Origin, terminal: string, note: string): void {
    this.#notes.add(origin, terminal, note)
  }

  #start(kept: KeptAddress | null) {
    const { machine, agents } = this.#window
    const configFolder = machine.env['CLAUDE_CONFIG_DIR']
    return startClaudeIdeServer({
      ports: this.#ports(),
      frames: machine.frames,
      watcher: machine.watcher,
      version: machine.version,
      home: machine.home,
      ...(configFolder ? { configFolder } : {}),
      ...(kept ? { kept } : {}),
      onToolFailure: (tool, error) => machine.log.error('tool failed', { tool, error }),
      onProblem: (message) => agents.notices.warn(message),
    })
  }

  #hearWriting(connection: string, writing: WritingManner): void {
    const before = this.#writing.get(connection)?.wrote
    this.#writing.set(connection, writing)
    const { wrote } = writing
    if (!wrote || (wrote.path === before?.path && wrote.call === before.call)) return
    this.#window.agents.connections.tellWrote({ connection, path: wrote.path, call: wrote.call })
  }

  #ports(): ClaudeIdePorts {
    const { desk, folders, editor, context, agents } = this.#window
    const { selections, documents } = editor
    return {
      review: {
        open: ({ origin, ...proposal }, signal) =>
          desk.open(
            { ...proposal, origin: { ...origin, ...agents.connections.inTurn(origin.connection) } },
            signal,
          ),
        mayHaveBeenWritten: (path) => desk.look(path),
        questionClosed: (question) => this.#notes.questionClosed(question),
      },
      context: {
        seen: () => context.seen,
        async settle() {
          const path = (selections.current ?? selections.latest)?.path
          if (path !== undefined) await documents.settle(path)
        },
        onSelection: (listener) => context.onSeen((change) => change.current && listener(change)),
        mayMention: (path) => context.whyUntold(path) === null,
        handed: (to, how, item) => context.sent(to, how, item),
      },
      editor: editorPort(editor, context),
      folders: { folders: () => folders.named, onChange: folders.onChange },
      diagnostics,
      connections: {
        opened: (facts) => {
          const entry = this.connections.opened(facts)
          agents.connections.tellProposing(facts.id)
          return {
            ...entry,
            update: ({ writing, ...more }) => {
              if (writing) this.#hearWriting(facts.id, writing)
              entry.update(more)
            },
            turn: () => agents.connections.tellTurn(facts.id),
          }
        },
        refused: (status, message) => this.connections.refused(status, message),
      },
    }
  }
}

const lockFile = z.object({
  pid: z.number().optional(),
  workspaceFolders: z.array(z.string()).default([]),
  ideName: z.string().default('An editor'),
})

function findLockFiles({ home, variables }: MachineQuestion) {
  const folders = configFolders(home, variables['CLAUDE_CONFIG_DIR']).map(lockFolder)
  return readDiscoveryFiles(folders, /^\d{1,5}\.lock$/, (name, content) => {
    const parsed = lockFile.safeParse(content)
    if (!parsed.success) return null
    const { pid, workspaceFolders, ideName: editor } = parsed.data
    return {
      editor,
      isOurs: editor === ideName,
      pid: pid ?? null,
      port: Number.parseInt(name, 10),
      folders: workspaceFolders,
    }
  })
}
