import type { Check, ServerAbout } from '../../../shared/contract/connections'
import type { Reveal } from '../../../shared/contract/tabs'
import type { Emitter } from '../../../shared/lifetime'
import type { Done, Result } from '../../../shared/result'
import type { Origin } from '../../../shared/review/proposal'
import type { AgentProcesses } from '../../core/agent-processes/agent-processes'
import type { AgentDescription, FoundAgent } from '../../core/agents/agent'
import type { ApprovalAsking } from '../../core/approvals/approvals'
import type { Connections } from '../../core/connections/connections'
import type { FoundDiscoveryFile } from '../../core/connections/machine-checks'
import type { ProtocolLog } from '../../core/connections/protocol-log'
import type { ClientSwitch, ServerFacts } from '../../core/connections/server-checks'
import type { ConversationStarter } from '../../core/conversation/conversation'
import type { Conversations } from '../../core/conversation/conversations'
import type { DrivenSessions } from '../../core/conversation/driven-sessions'
import type { Context } from '../../core/context/context'
import type { Documents } from '../../core/editing/documents'
import type { Selections } from '../../core/editing/selection'
import type { Tabs } from '../../core/editing/tabs'
import type { GatePolicy } from '../../core/gate/gate-policy'
import type { GateRules } from '../../core/gate/gate-rules'
import type { GateStates } from '../../core/gate/gate-states'
import type { RunningSessions } from '../../core/history/running-sessions'
import type { SessionFile } from '../../core/history/session-file'
import type { Ledger } from '../../core/files/ledger'
import type { FileWatcher } from '../../core/files/watcher'
import type { Notices } from '../../core/notices/notices'
import type { OutsideStart } from '../../core/platform/hand-over-server'
import type { Wrapper } from '../../core/platform/launchers'
import type { Log } from '../../core/platform/log'
import type { ReviewDesk } from '../../core/review/desk'
import type { SaidWords } from '../../core/review/desk-events'
import type { FolderStates } from '../../core/settings/folder-state'
import type { SettingsStore } from '../../core/settings/settings-store'
import type { WindowSettings } from '../../core/settings/window-settings'
import type { Terminals } from '../../core/terminal/terminals'
import type { Mention } from '../../protocols/kit/connection'
import type { FrameParser } from '../../protocols/kit/frame-parser'
import type { RunTurn } from './turn'
import type { DocumentHolds } from '../document-holds'
import type { WindowFolders } from '../window-folders'
import type { History } from '../wiring/history'
import type { Rewinding } from '../wiring/rewinding'

/** Whose environment, home and data directory are looked at. */
export interface MachineQuestion {
  home: string
  dataDir: string
  variables: Readonly<Record<string, string | undefined>>
}

/** What a dialect's protocol is, as plain data: for the page, the checks and the doctor. */
export interface DialectFacts extends Pick<
  ServerFacts,
  'agents' | 'portVariable' | 'anywhereByVariable' | 'containerVariable' | 'connectCommand'
> {
  id: string
  about: ServerAbout
  /** The agents that look for its server. */
  known: readonly AgentDescription[]
  /** The discovery files on this machine, of Greenlight and of others. */
  findFiles(question: MachineQuestion): Promise<FoundDiscoveryFile[]>
  /** The client's own switch, where it has one that is off at first. */
  clientSwitch?: { read(home: string): Promise<ClientSwitch>; enable(home: string): Promise<Done> }
  /** What stands before an agent's own program on the PATH of terminals. */
  wrapper?: Wrapper
}

/** What of this machine and process every dialect may need. */
export interface DialectMachine {
  home: string
  env: Readonly<Record<string, string | undefined>>
  version: string
  dataDir: string
  log: Log
  frames: FrameParser
  watcher: FileWatcher
  folderStates: FolderStates
  /** The person's programs. */
  programs: {
    /** An agent's program; null if it isn't installed. */
    find(agent: AgentDescription): Promise<FoundAgent | null>
    /** The environment for programs that the window runs. */
    environment(): Promise<Record<string, string>>
  }
}

/** Where a window shows its agents. */
export interface AgentRooms {
  connections: Connections
  protocolLog: ProtocolLog
  terminals: Terminals
  notices: Notices
}

/** The files that are open in a window. */
export interface EditorRooms {
  tabs: Tabs
  selections: Selections
  documents: Documents
  holds: DocumentHolds
  reveals: Emitter<Reveal>
}

/** What a dialect is given of the window that it is opened for. */
export interface DialectWindow {
  machine: DialectMachine
  folders: WindowFolders
  settings: WindowSettings
  agents: AgentRooms
  /** The programs the window runs that speak in lines. */
  processes: AgentProcesses
  /** The conversations that are driven, in tabs of the window. */
  conversations: Conversations
  editor: EditorRooms
  context: Context
  desk: ReviewDesk
  /** Where it asks what is not about a file's content. */
  approvals: ApprovalAsking
  /** How much is asked of agents that ask about each change. */
  gate: GatePolicy
  rules: Pick<GateRules, 'of'>
  /** Whether it really is asked. */
  gated: GateStates
  /** Writes that were agreed to. */
  ledger: Ledger
  /** What command lines note about themselves. */
  noted(): Pick<RunningSessions, 'of' | 'all' | 'onChange'>
  /** Whether a page shows the window. */
  isWatched(): boolean
  /** A session's record; null for an id that none has. */
  openSession(id: string): Promise<SessionFile | null>
  /** The folder that a session began in; null where that isn't known. */
  sessionFolder(id: string): Promise<string | null>
  /** Where what files hold is kept before an agent that is driven changes them. */
  rewinding: Rewinding
  /**
   * Whether what belongs to a folder may run; a real path. Without it nothing is started that runs what the folder's
   * files name; `untrusted` of core/trust has the words.
   */
  mayRun(folder: string): boolean
}

/** A window that shows a server of the whole app. */
export interface SharedServerWindow {
  readonly folders: WindowFolders
  readonly connections: Connections
  readonly protocolLog: ProtocolLog
  readonly notices: Notices
  readonly conversations: Conversations
  readonly rewinding: Rewinding
  readonly starters: readonly ConversationStarter[]
}

/** What a dialect gets that is opened once for the app. */
export interface DialectApp {
  dataDir: string
  log: Log
  settingsStore: SettingsStore
  frames: FrameParser
  history: History
  drivenSessions: DrivenSessions
  windows(): readonly SharedServerWindow[]
}

/** What a server says about itself, for the checks. */
export interface CheckedServer {
  on: boolean
  problem: string | null
  port: number | null
  /** When it began to listen, in milliseconds since the epoch. */
  started: number | null
  files: readonly string[]
  /** Each of its files holds one of these. */
  tokens: readonly string[]
}

/** A server with its switch, as the page and the check list use it. */
export interface AgentServer {
  switch(on: boolean): Promise<Done>
  rewriteFiles(): Promise<Done>
  checked(): CheckedServer
}

/** The server that a dialect has in each window. */
export interface WindowAgentServer extends AgentServer {
  /** Starts it unless the person has switched it off for these folders. Resolves when agents can connect. */
  start(): Promise<void>
  /** The window has other folders; `begins`: it had none of the person's before. */
  follow(begins: boolean): void
  /** Tokens that no log may show. */
  readonly secrets: readonly string[]
  /** Ends it; open questions are withdrawn. Resolves when agents have been told. */
  stop(): Promise<void>
}

/** What a dialect adds to the checks of its server. */
export interface OwnChecks {
  find(): Promise<Check[]>
  /** Does what a check has offered, by the first word of its id. The person has been told what it will do. */
  mend(what: string): Done | Promise<Done>
}

/** A dialect at work in a window. What it doesn't know, it leaves out. */
export interface OpenDialect {
  /** Absent where agents connect to nothing. */
  readonly server?: WindowAgentServer
  readonly checks?: OwnChecks
  /** Matched with terminals again when these have come or gone; absent where each names its own. */
  readonly connections?: { matchTerminals(): void }
  /** What of it listens, for the ready line; null while it is off. */
  readiness(): object | null
  /** What a terminal, which is given by its id, needs in its environment so that agents find the server. */
  variables(terminal: string): Record<string, string | undefined>
  /**
   * The same for an agent in a terminal of another program, which is given an id, and a folder in which it is started;
   * null while nothing listens. Fails where its agents would ask nothing there.
   */
  outside?(
    terminal: string,
    folder: string,
  ): Promise<Result<Pick<OutsideStart, 'address'> & { variables: Record<string, string | undefined> }> | null>
  /** The person has pressed Ctrl+C in a terminal. */
  interrupt?(terminal: string): void
  /** Types a note into the prompt of the terminal that a question came from; absent where it goes with the answer. */
  typeNote?(origin: Origin, terminal: string, note: string): void
  /**
   * Tells the model what the person says with a decision, whatever dialect it asked in: of an acceptance once its tool has
   * written the file, of a rejection at once, so that its turn goes on. False if it can't; `otherwise` is called if it
   * can't after all.
   */
  tell?(said: SaidWords, otherwise: () => void): boolean
  /** Puts a mention into prompts, of one connection or of all; gives how many took it. */
  mention?(mention: Mention, connection?: string): number
  /** What begins conversations that Greenlight drives. */
  readonly starters?: readonly ConversationStarter[]
  /** Runs one turn for a command. */
  readonly runTurn?: RunTurn
}

/** A dialect that every window has a server of. */
export interface WindowDialect extends DialectFacts {
  readonly scope: 'window'
  /** The field of the ready line. */
  readonly readyAs: string
  open(window: DialectWindow): OpenDialect
}

/** A dialect at work for all windows. */
export interface OpenAppDialect extends AgentServer {
  /** Starts or stops it, as the setting says. */
  start(): Promise<Done>
  readiness(): object | null
  /** Shows a window the server. */
  tell(window: SharedServerWindow): void
  dispose(): void
}

/** A dialect whose server is one for all windows. */
export interface AppDialect extends DialectFacts {
  readonly scope: 'app'
  readonly readyAs: string
  open(app: DialectApp): OpenAppDialect
}

export type Dialect = WindowDialect | AppDialect
