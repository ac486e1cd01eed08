import { randomUUID } from 'node:crypto'
import {
  type Approval,
  type ApprovalAnswer,
  type ApprovalOption,
  type ApprovalRecordEntry,
  type PersonsAnswer,
  type Question,
  answerOf,
  optionForRule,
  problemOf,
} from '../../../shared/approval/approval'
import { validateFields } from '../../../shared/approval/approval-fields'
import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'
import { type Done, fail, succeed } from '../../../shared/result'
import { type WithdrawnReason, withdrawnReasonOf } from '../../../shared/review/proposal'
import type { ApprovalRecord } from './approval-record'
import type { ApprovalRules } from './approval-rules'

/** How many may wait at the same time; more are refused. */
export const mostWaiting = 100
/** How many withdrawn ones stay until they are seen: the latest. */
export const mostWithdrawn = 20
/** How long a withdrawn one stays, in milliseconds. */
export const withdrawnStays = 10 * 60_000

/** A change of the queue. */
export type ApprovalChange = { kind: 'put'; approval: Approval } | { kind: 'remove'; approval: Approval }

/** What a dialect needs of the approvals. */
export type ApprovalAsking = Pick<Approvals, 'ask' | 'endSession'>

interface Entry {
  approval: Approval
  /** Whether the person has seen it; they never see what a rule answers. */
  isShown: boolean
  isSettled: boolean
  settle(answer: ApprovalAnswer): void
}

/** Who decides, and what follows. */
interface Decision {
  option: ApprovalOption
  answer: ApprovalAnswer
  by: 'person' | 'rule'
  rule: string | null
}

const outcomes = { allow: 'allowed', deny: 'denied', leave: 'withdrawn' } as const

const full = `${mostWaiting} questions are already waiting for the person, so this one wasn’t asked. Ask again when some have been answered.`
const ended = 'Greenlight is closing, so nobody could be asked. Ask again when it runs.'
const gone = 'The agent no longer asks this. Look at the list of reviews.'
const noOption = 'There is no such option. Reload the page.'
const busy = 'This is being answered. Wait a moment.'

/**
 * The questions of all agents, in the order they were asked. Each is answered exactly once: by the person, by a rule, by
 * nobody if its signal aborts, or refused. The agent hears of a decision once it is in the record, not before.
 */
export class Approvals implements Disposable {
  readonly #rules: ApprovalRules
  readonly #record: ApprovalRecord
  readonly #entries = new Map<string, Entry>()
  readonly #changes = new Emitter<ApprovalChange>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  #isDisposed = false
  readonly onChange: Listen<ApprovalChange> = this.#changes.on

  constructor(rules: ApprovalRules, record: ApprovalRecord) {
    this.#rules = rules
    this.#record = record
  }

  /** Questions for the person, and withdrawn ones that they haven't seen yet; oldest first. */
  list(): Approval[] {
    return [...this.#entries.values()].filter(({ isShown }) => isShown).map(({ approval }) => approval)
  }

  find(id: string): Approval | undefined {
    return this.#entries.get(id)?.approval
  }

  /**
   * Asks and waits, however long it takes. Aborting the signal withdraws the question; its reason may be a
   * `WithdrawnReason`. Never rejects.
   */
  ask(question: Question, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (signal.aborted) return Promise.resolve({ kind: 'withdrawn', reason: withdrawnReasonOf(signal) })
    const message = this.#objection(question)
    if (message !== null) return Promise.resolve({ kind: 'refused', message })
    return new Promise((resolve) => {
      const withdraw = () => this.#withdraw(entry, withdrawnReasonOf(signal))
      const entry: Entry = {
        approval: {
          id: randomUUID(),
          askedAt: Date.now(),
          question,
          state: { kind: 'waiting' },
          problem: null,
        },
        isShown: false,
        isSettled: false,
        settle: (answer) => {
          if (entry.isSettled) return
          entry.isSettled = true
          signal.removeEventListener('abort', withdraw)
          resolve(answer)
        },
      }
      this.#entries.set(entry.approval.id, entry)
      signal.addEventListener('abort', withdraw, { once: true })
      const rule = this.#rules.ruleFor(question)
      const option = rule && optionForRule(question.options, rule.answer)
      if (rule && option) void this.#answerByRule(entry, option, rule.id)
      else this.#show(entry)
    })
  }

  /** The person's answer. If it can't be recorded it doesn't count, and the question keeps waiting. */
  async answer(id: string, { option: name, values, reason }: PersonsAnswer): Promise<Done> {
    const entry = this.#entries.get(id)
    if (!entry || entry.isSettled) return fail('gone', gone)
    if (entry.approval.state.kind === 'recording') return fail('busy', busy)
    const { question } = entry.approval
    const option = question.options.find((one) => one.id === name)
    if (!option) return fail('unknown', noOption)
    if (option.leadsTo.kind === 'allow') {
      const [problem] = Object.values(validateFields(question.fields, values))
      if (problem !== undefined) return fail('invalid', problem)
    }
    this.#update(entry, { state: { kind: 'recording' }, problem: null })
    const answer = answerOf(option, { values, reason }, 'person')
    const decided = await this.#decide(entry, { option, answer, by: 'person', rule: null })
    if (decided.ok || entry.isSettled) return decided
    this.#update(entry, { state: { kind: 'waiting' }, problem: decided.failure.message })
    return decided
  }

  /** An agent's session or connection is over: its rules end with it. */
  endSession(session: string): void {
    void this.#rules.endSession(session)
  }

  /** Notes that the person has seen that a question was withdrawn. */
  seen(id: string): void {
    const entry = this.#entries.get(id)
    if (entry?.approval.state.kind === 'withdrawn') this.#remove(entry)
  }

  /** Refuses every waiting question, with a sentence. */
  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    for (const entry of this.#entries.values()) entry.settle({ kind: 'refused', message: ended })
    this.#entries.clear()
    this.#changes.dispose()
  }

  #objection(question: Question): string | null {
    if (this.#isDisposed) return ended
    const waiting = [...this.#entries.values()].filter(({ isSettled }) => !isSettled).length
    return problemOf(question) ?? (waiting >= mostWaiting ? full : null)
  }

  async #answerByRule(entry: Entry, option: ApprovalOption, rule: string): Promise<void> {
    const answer = answerOf(option, { values: {}, reason: null }, 'rule')
    const decided = await this.#decide(entry, { option, answer, by: 'rule', rule })
    if (decided.ok || entry.isSettled) return
    entry.approval = { ...entry.approval, problem: decided.failure.message }
    this.#show(entry)
  }

  /** Adds the rule that comes with the answer, records the answer, then tells the agent. Without a record, no rule stays. */
  async #decide(entry: Entry, { option, answer, by, rule }: Decision): Promise<Done> {
    const { leadsTo } = option
    const remembers = leadsTo.kind === 'allow' ? leadsTo.remembers : null
    const added = remembers?.by === 'rule' ? await this.#rules.add(remembers.rule) : null
    if (added && !added.ok) return added
    const discard = async () => {
      if (added?.value.isNew) await this.#rules.remove(added.value.id)
    }
    const outcome = outcomes[leadsTo.kind]
    const { id } = entry.approval
    const recorded = await this.#record.add(
      entryOf(entry.approval, { outcome, by, rule, option: option.label }),
    )
    if (!recorded.ok) {
      await discard()
      return fail(
        'unrecorded',
        `The answer couldn’t be recorded, so it wasn’t given. ${recorded.failure.message}`,
      )
    }
    if (entry.isSettled) {
      await discard()
      // The question was withdrawn while the answer was being recorded.
      await this.#record.amend(id, { outcome: 'withdrawn', by: 'app' })
      return fail('gone', gone)
    }
    entry.settle(answer)
    this.#remove(entry)
    return succeed({})
  }

  #withdraw(entry: Entry, reason: WithdrawnReason): void {
    const { state } = entry.approval
    entry.settle({ kind: 'withdrawn', reason })
    if (!entry.isShown) return this.#remove(entry)
    if (state.kind !== 'recording') {
      const by = reason === 'answered-there' ? 'elsewhere' : 'app'
      void this.#record.add(entryOf(entry.approval, { outcome: 'withdrawn', by, rule: null, option: null }))
    }
    this.#update(entry, { state: { kind: 'withdrawn', reason, at: Date.now() }, problem: null })
    const { id } = entry.approval
    this.#timers.set(id, setTimeout(() => this.seen(id), withdrawnStays).unref())
    const withdrawn = [...this.#entries.values()].filter((one) => one.approval.state.kind === 'withdrawn')
    for (const one of withdrawn.slice(0, -mostWithdrawn)) this.#remove(one)
  }

  #show(entry: Entry): void {
    entry.isShown = true
    this.#changes.emit({ kind: 'put', approval: entry.approval })
  }

  #update(entry: Entry, change: Partial<Approval>): void {
    entry.approval = { ...entry.approval, ...change }
    this.#changes.emit({ kind: 'put', approval: entry.approval })
  }

  #remove(entry: Entry): void {
    const { approval } = entry
    clearTimeout(this.#timers.get(approval.id))
    this.#timers.delete(approval.id)
    if (this.#entries.delete(approval.id) && entry.isShown) this.#changes.emit({ kind: 'remove', approval })
  }
}

function entryOf(
  { id, question }: Approval,
  ending: Pick<ApprovalRecordEntry, 'outcome' | 'by' | 'rule'> & { option: string | null },
): ApprovalRecordEntry {
  const { requester, kind, tool, folder, subject } = question
  const { option, ...rest } = ending
  return {
    ...rest,
    id,
    at: Date.now(),
    agent: requester.agent,
    dialect: requester.dialect,
    kind,
    tool,
    folder,
    said: { subject, option },
  }
}
