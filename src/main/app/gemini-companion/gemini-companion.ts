import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import { withoutValue } from '../../../shared/result'
import type { Origin } from '../../../shared/review/proposal'
import { gemini } from '../../core/agents/gemini'
import { enableGeminiIde, readGeminiIdeSettings } from '../../core/agents/gemini-settings'
import { qwen } from '../../core/agents/qwen'
import { SocketProcesses } from '../../core/platform/socket-process'
import { ideName } from '../../protocols/claude-ide/lock-files'
import { type CompanionServer, startCompanionServer } from '../../protocols/gemini-companion/companion-server'
import { dialectId } from '../../protocols/gemini-companion/dialect-id'
import { companionEnvironment } from '../../protocols/gemini-companion/companion-environment'
import type { GeminiCompanionPorts } from '../../protocols/gemini-companion/ports'
import type { KeptAddress } from '../../protocols/kit/connection'
import { AgentConnections } from '../dialect-kit/agent-connections'
import type { DialectWindow, MachineQuestion, OpenDialect, WindowDialect } from '../dialect-kit/dialect'
import { readDiscoveryFiles } from '../dialect-kit/read-discovery-files'
import { WindowServer, windowServerOff } from '../dialect-kit/window-server'

/** The companion protocol of Gemini CLI and Qwen Code (docs/protocols/gemini-companion.md). */
export const geminiCompanion: WindowDialect = {
  scope: 'window',
  id: dialectId,
  readyAs: 'gemini',
  about: {
    agent: 'Gemini',
    name: 'Gemini CLI',
    toggle: 'Let Gemini CLI and Qwen Code connect',
    protocol: 'companion protocol',
    address: 'http://127.0.0.1:PORT/mcp',
    file: 'Discovery file',
    whenOff: windowServerOff,
    command: null,
    noteWhenKnown: null,
  },
  agents: gemini.title,
  known: [gemini, qwen],
  portVariable: 'GEMINI_CLI_IDE_SERVER_PORT',
  anywhereByVariable: false,
  containerVariable: 'REMOTE_CONTAINERS',
  connectCommand: '/ide enable',
  findFiles: findCompanionFiles,
  clientSwitch: {
    // What Gemini CLI's own settings say, or why they cannot be read.
    async read(home) {
      const settings = await readGeminiIdeSettings(home)
      return settings.ok ? settings.value : { path: '', problem: settings.failure.message }
    },
    enable: async (home) => withoutValue(await enableGeminiIde(home)),
  },
  open: (window) => new GeminiCompanion(window),
}

/** A command line is at rest once its terminal has put out nothing for so many milliseconds. */
const promptRest = 300

/** The server of one window for Gemini CLI and Qwen Code, and what the dialect needs of the window. */
class GeminiCompanion implements OpenDialect {
  /** Stopping rejects what is open, so that no command line waits forever. */
  readonly server: WindowServer<CompanionServer>
  readonly #window: DialectWindow
  readonly #sockets = new SocketProcesses()
  readonly connections: AgentConnections

  constructor(window: DialectWindow) {
    this.#window = window
    this.server = new WindowServer(window, geminiCompanion, {
      start: (kept) => this.#start(kept),
      end: (server) => server.stop(),
      filesOf: (server) => server.discoveryFiles,
      tokensOf: (server) => server.tokens,
    })
    this.connections = new AgentConnections(geminiCompanion, window.agents, window.machine.log)
  }

  /** While it is off, no other editor's server is found. */
  variables(): Record<string, string | undefined> {
    const server = this.server.running
    return companionEnvironment(server && { ...server, folders: this.#window.folders.paths })
  }

  readiness(): { port: number; discoveryFiles: string[] } | null {
    const server = this.server.running
    return server ? { port: server.port, discoveryFiles: [...server.discoveryFiles] } : null
  }

  /** The rejection has ended the turn, so the prompt is coming back. */
  typeNote(_origin: Origin, terminal: string, note: string): void {
    const { terminals, notices } = this.#window.agents
    void terminals.typeInto(terminal, note, promptRest).then((typed) => {
      if (!typed.ok) notices.warn(`${typed.failure.message} Your note: “${note}”`)
    })
  }

  /**
   * An interrupted command line forgets its question without saying so, so the question ends here too; once told, the
   * command line can ask the next one.
   */
  interrupt(terminal: string): void {
    const settled = this.#window.agents.terminals.rest(terminal, promptRest)
    for (const { id } of this.connections.inTerminal(terminal)) {
      void this.server.running?.interrupt(id, settled)
    }
  }

  #start(kept: KeptAddress | null) {
    const { machine, agents } = this.#window
    const qwenHome = machine.env['QWEN_HOME']
    return startCompanionServer({
      ports: this.#ports(),
      frames: machine.frames,
      version: machine.version,
      places: {
        temporary: machine.env['TMPDIR'] || tmpdir(),
        home: machine.home,
        ...(qwenHome ? { qwenHome } : {}),
        pid: process.pid,
        parentPid: process.ppid,
      },
      ...(kept ? { kept } : {}),
      onToolFailure: (tool, error) => machine.log.error('tool failed', { tool, error }),
      onProblem: (message) => agents.notices.warn(message),
    })
  }

  #ports(): GeminiCompanionPorts {
    const { desk, folders, context } = this.#window
    return {
      review: desk,
      context: {
        // The file in front is among the files; without the selection there is no cursor to tell.
        seen: () => (context.sharing.selection ? context.seen : { ...context.seen, current: null }),
        onChange: context.onSeen,
        handed: (to, item) => context.sent(to, 'told', item),
      },
      folders: { folders: () => folders.paths, onChange: folders.onChange },
      connections: {
        opened: (facts) => this.connections.opened(facts),
        refused: (status, message) => this.connections.refused(status, message),
        processAt: (clientPort, serverPort) => this.#sockets.find(clientPort, serverPort),
      },
    }
  }
}

const companionFile = z.object({
  port: z.number().optional(),
  workspacePath: z.string().default(''),
  pid: z.number().optional(),
  ideInfo: z.object({ displayName: z.string().default('An editor') }).default({ displayName: 'An editor' }),
})

function findCompanionFiles({ variables }: MachineQuestion) {
  const folder = join(variables['TMPDIR'] ?? tmpdir(), 'gemini', 'ide')
  return readDiscoveryFiles([folder], /^gemini-ide-server-\d+-\d+\.json$/, (name, content) => {
    const parsed = companionFile.safeParse(content)
    if (!parsed.success) return null
    const { port, workspacePath, pid, ideInfo } = parsed.data
    const named = /^gemini-ide-server-(\d+)-/.exec(name)?.[1]
    return {
      editor: ideInfo.displayName,
      isOurs: ideInfo.displayName === ideName,
      pid: pid ?? (named === undefined ? null : Number(named)),
      port: port ?? null,
      folders: workspacePath.split(delimiter).filter((path) => path !== ''),
    }
  })
}
