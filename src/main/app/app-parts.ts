import type { Environment } from '../core/platform/environment'
import type { Launchers } from '../core/platform/launchers'
import type { Log } from '../core/platform/log'
import type { AgentSearch } from '../core/agents/agent-search'
import type { Profiles } from '../core/agents/profiles'
import type { ApprovalRecord } from '../core/approvals/approval-record'
import type { ApprovalRules } from '../core/approvals/approval-rules'
import type { Approvals } from '../core/approvals/approvals'
import type { Changes } from '../core/changes/changes'
import type { Checkpoints } from '../core/changes/checkpoints'
import type { Backups } from '../core/editing/backups'
import type { Documents } from '../core/editing/documents'
import type { FileSwapper } from '../core/files/compare-and-swap'
import type { Ledger } from '../core/files/ledger'
import type { FileWatcher } from '../core/files/watcher'
import type { ReviewDesk } from '../core/review/desk'
import type { FolderSettings } from '../core/settings/folder-settings'
import type { FolderStates } from '../core/settings/folder-state'
import type { SettingsStore } from '../core/settings/settings-store'
import type { FrameParser } from '../protocols/kit/frame-parser'
import type { DrivenSessions } from '../core/conversation/driven-sessions'
import type { UnsentMessages } from '../core/conversation/unsent-messages'
import type { FolderTrust } from '../core/trust/folder-trust'
import type { Dialect, OpenAppDialect, WindowDialect } from './dialect-kit/dialect'
import type { HostAbilities } from './host-abilities'
import type { History } from './wiring/history'

export interface AppOptions {
  dataDir: string
  host: 'electron' | 'browser'
  version: string
  log: Log
  settingsStore: SettingsStore
  abilities: HostAbilities
  /** Every dialect in which agents talk to the app. */
  dialects: readonly Dialect[]
  /** The script that this process's program runs for the command `greenlight` of terminals; absent: there is none. */
  errandScript?: string
  /** The environment's variables; process.env unless a test says otherwise. */
  env?: Record<string, string | undefined>
}

/**
 * What an app is made of. Settings may come as a function that opens them: only the owner of the data directory calls
 * it, since it sets a broken file aside, which another owner may have open. `dialects` defaults to those of the list.
 */
export type AppBeginning = Omit<AppOptions, 'settingsStore' | 'dialects'> & {
  settingsStore: SettingsStore | (() => SettingsStore)
  dialects?: readonly Dialect[]
}

/** A dialect that is open for all windows. */
interface SharedDialect {
  facts: Dialect
  open: OpenAppDialect
}

/** What all windows of a data directory share. Only the app makes it, and only windows take it apart. */
export interface AppParts {
  readonly options: AppOptions
  readonly env: Record<string, string | undefined>
  readonly home: string
  readonly watcher: FileWatcher
  readonly documents: Documents
  readonly backups: Backups
  readonly desk: ReviewDesk
  readonly approvals: Approvals
  readonly approvalRules: ApprovalRules
  readonly approvalRecord: ApprovalRecord
  readonly ledger: Ledger
  readonly changes: Changes
  readonly checkpoints: Checkpoints
  /** The folder of the tour; a real path. */
  readonly sampleFolder: string
  readonly trust: FolderTrust
  readonly folderStates: FolderStates
  readonly folderSettings: FolderSettings
  /** What was wrong with the stored settings at the start, as sentences. */
  readonly settingsProblems: readonly string[]
  readonly frames: FrameParser
  readonly swapper: FileSwapper
  readonly profiles: Profiles
  readonly agentSearch: AgentSearch
  readonly history: History
  readonly drivenSessions: DrivenSessions
  readonly unsentMessages: UnsentMessages
  readonly sharedDialects: readonly SharedDialect[]
  /** Those that each window opens for itself. */
  readonly windowDialects: readonly WindowDialect[]
  /** What terminals have for `greenlight` and EDITOR; null where there is none. */
  readonly launchers: Launchers | null
  /** The environment of the person's programs, with the PATH of a login shell. */
  personEnvironment(): Promise<Environment>
}
