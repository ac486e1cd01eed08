import type { FieldChoice, FieldValues } from '../../../shared/approval/approval-fields'
import { validateFields } from '../../../shared/approval/approval-fields'
import type { ConversationOffer, OutgoingMessage } from '../../../shared/contract/conversations'
import { fail, type Result, succeed } from '../../../shared/result'
import { installOf } from '../../core/agents/agent'
import { claude } from '../../core/agents/claude'
import type { ConversationStarter } from '../../core/conversation/conversation'
import { resolveRealPath } from '../../core/files/real-path'
import type { KeptConversation } from '../../core/settings/stored-tabs'
import {
  beginFields,
  keptValues,
  resumptionOf,
  usualModels,
  usualValues,
} from '../../protocols/claude-sdk/begin-form'
import type { Resumption } from '../../protocols/claude-sdk/launch-arguments'
import type { DialectFacts, DialectWindow } from '../dialect-kit/dialect'
import { withTrustedFolders } from './more-folders'
import { StdioConversation } from './stdio-conversation'
import { mayStartIn } from '../wiring/trusted-place'

/** Begins conversations with Claude Code as a process of the window. */
export class ClaudeStarter implements ConversationStarter {
  readonly agent = claude.id
  readonly #window: DialectWindow
  readonly #dialect: DialectFacts
  /** What the last version that ran has. */
  #models: readonly FieldChoice[] = usualModels

  constructor(window: DialectWindow, dialect: DialectFacts) {
    this.#window = window
    this.#dialect = dialect
  }

  async offer(): Promise<ConversationOffer> {
    const { folders, machine } = this.#window
    const kept = machine.folderStates.read(folders.paths).beginnings[this.agent] ?? {}
    const found = await this.#find()
    return {
      agent: this.agent,
      title: claude.title,
      fields: beginFields(this.#models),
      values: { ...usualValues, ...kept },
      problem: found.ok ? null : found.failure.message,
    }
  }

  async begin(
    values: FieldValues,
    first: OutgoingMessage | null,
    by: 'person' | 'program',
  ): Promise<Result<{ id: string }>> {
    const [problem] = Object.values(validateFields(beginFields(this.#models), values))
    if (problem !== undefined) return fail('invalid', problem)
    const from = resumptionOf(values)
    if (!from.ok) return from
    if (by === 'person') this.#remember(values)
    const folder = from.value && (await this.#window.sessionFolder(from.value.session))
    return this.#open(folder, values, from.value, first, by === 'person')
  }

  async resume(session: string, isCopy: boolean): Promise<Result<{ id: string }>> {
    const { values } = await this.offer()
    return this.begin({ ...values, resume: session, forkSession: isCopy }, null, 'person')
  }

  bringBack({ session, folder, values }: KeptConversation): string {
    const from = { session, isFork: false, upTo: null }
    return this.#make(folder, { ...usualValues, ...values }, from).comeBack()
  }

  #remember(values: FieldValues): void {
    const { folders, machine } = this.#window
    const { beginnings } = machine.folderStates.read(folders.paths)
    machine.folderStates.update(folders.paths, {
      beginnings: { ...beginnings, [this.agent]: keptValues(values) },
    })
  }

  /** `wanted`: the folder that it is to work in; null for that of a new one. */
  async #open(
    wanted: string | null,
    values: FieldValues,
    from: Resumption | null,
    first: OutgoingMessage | null,
    isInFront: boolean,
  ): Promise<Result<{ id: string }>> {
    const found = await this.#find(wanted)
    if (!found.ok) return found
    const { folder } = found.value
    const { machine, mayRun } = this.#window
    const allowed = await withTrustedFolders(values, { folder, home: machine.home, mayRun })
    if (!allowed.ok) return allowed
    return this.#make(folder, values, from).begin(first, isInFront)
  }

  #make(folder: string, values: FieldValues, from: Resumption | null): StdioConversation {
    return new StdioConversation(this.#window, this.#dialect, {
      ...{ folder, values, from },
      program: () => this.#program(),
      onModels: (models) => {
        if (models.length > 0) this.#models = models
      },
      fork: (chosen, upTo, message) =>
        this.#open(
          folder,
          { ...chosen, sessionId: '' },
          upTo && { session: upTo.session, isFork: true, upTo: upTo.message },
          message,
          true,
        ),
    })
  }

  /** The folder that a conversation works in, the window's first unless another is wanted, or why none can be begun. */
  async #find(wanted: string | null = null): Promise<Result<{ folder: string }>> {
    const { folders, machine, mayRun } = this.#window
    const named = wanted ?? folders.paths[0]
    if (named === undefined) return fail('no-folder', 'Open a folder first: Claude works in one.')
    const folder = await resolveRealPath(named).catch(() => named)
    const allowed = await mayStartIn(folder, { mayRun, home: machine.home })
    if (!allowed.ok) return allowed
    const found = await this.#program()
    return found.ok ? succeed({ folder }) : found
  }

  async #program(): Promise<Result<string>> {
    const found = await this.#window.machine.programs.find(claude)
    return found ? succeed(found.program) : fail('missing', installOf(claude).sentence)
  }
}
