import { type ApprovalAnswer, type Question, optionForRule } from '../../../shared/approval/approval'
import { matchesText } from '../../../shared/approval/approval-rule'
import type { PathRule } from '../../../shared/gate/path-rule'
import type { Opening, Proposal } from '../../../shared/review/proposal'
import { escapeSigns } from '../../../shared/text/plain-text'
import type { ApprovalRules } from '../../core/approvals/approval-rules'
import type { ApprovalAsking } from '../../core/approvals/approvals'
import { pathWithin, slashed } from '../../core/files/path-rules'
import { resolveRealPath } from '../../core/files/real-path'
import type { RunRequest } from '../../core/platform/hand-over-server'
import type { ReviewDesk } from '../../core/review/desk'

/** What decides for a run. */
export interface RunDeciders {
  approvals: ApprovalAsking
  rules: Pick<ApprovalRules, 'add' | 'ruleFor'>
  desk: Pick<ReviewDesk, 'open'>
  /** Whether a window is open in which somebody could be asked. */
  isWatched(): boolean
}

const alone = 'No rule allows this, and nobody is there to be asked. Go on without it.'
/** The longest part of a subject that is said, in characters. */
const longestSaid = 200

/**
 * Answers what the agent of a run asks: by the rules that were given with it and those that are kept, else by the person
 * if a window is open, else with a refusal. Nothing ever waits for a window to open.
 */
export class RunAsking implements ApprovalAsking {
  readonly #folder: string
  readonly #allowed: RunRequest['allowed']
  readonly #deciders: RunDeciders
  readonly #say: (sentence: string) => void
  /** The connections of the agent that have the rules of this run. */
  readonly #ruled = new Map<string, Promise<unknown>>()
  /** Whether anything was refused, by whomever. */
  isRefused = false

  /** `folder`: a real path. */
  constructor(
    folder: string,
    allowed: RunRequest['allowed'],
    deciders: RunDeciders,
    say: (sentence: string) => void,
  ) {
    this.#folder = folder
    this.#allowed = allowed
    this.#deciders = deciders
    this.#say = say
  }

  async ask(asked: Question, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { approvals, rules, isWatched } = this.#deciders
    // Without its session, which may be open elsewhere too: rules of either would hold in the other.
    const { session: _, ...requester } = asked.requester
    const question = { ...asked, requester }
    await this.#addRules(requester.connection)
    const rule = rules.ruleFor(question)
    const isRuled = rule !== null && optionForRule(question.options, rule.answer) !== null
    const what = described(question.title, question.subject)
    if (!isRuled && !isWatched()) {
      this.#refused(
        what,
        'no rule allows it, and no window is open to ask in. Use --allow, or open Greenlight.',
      )
      return { kind: 'refused', message: alone }
    }
    if (!isRuled) this.#say(`Waiting for you in Greenlight. ${what}`)
    const answer = await approvals.ask(question, signal)
    if (answer.kind === 'denied') this.#refused(what, `denied by ${answer.by === 'rule' ? 'a rule' : 'you'}.`)
    else if (answer.kind === 'refused') this.#refused(what, answer.message)
    return answer
  }

  endSession(session: string): void {
    this.#ruled.delete(session)
    this.#deciders.approvals.endSession(session)
  }

  /** What was allowed with the run: it lets a file be written. */
  async of(path: string): Promise<PathRule | null> {
    const real = await resolveRealPath(path).catch(() => null)
    const within = real === null ? null : pathWithin(slashed(this.#folder), slashed(real))
    if (within === null) return null
    const pattern = this.#allowed.edits.find((one) => matchesText(one, within))
    return pattern === undefined ? null : { pattern, answer: 'write' }
  }

  /** A rule for files has refused a change. */
  refusedByRule(title: string, path: string): void {
    this.#refused(described(title, path), 'your rules for files don’t let agents change it.')
  }

  /** Reviews a change. */
  async open(proposal: Proposal, signal: AbortSignal): Promise<Opening> {
    const { desk, isWatched } = this.#deciders
    const what = described(proposal.title, proposal.path)
    if (!isWatched()) {
      this.#refused(
        what,
        'no rule allows it, and no window is open to review it in. Use --allow, or open Greenlight.',
      )
      return { kind: 'refused', message: alone }
    }
    this.#say(`Waiting for your review in Greenlight. ${what}`)
    const opening = await desk.open(proposal, signal)
    if (opening.kind === 'rejected') this.#refused(what, 'rejected by you.')
    else if (opening.kind === 'refused') this.#refused(what, opening.message)
    return opening
  }

  /** The rules hold for this run alone, and end with it. */
  #addRules(session: string): Promise<unknown> {
    const known = this.#ruled.get(session)
    if (known) return known
    const added = Promise.all(
      this.#allowed.rules.map((words) =>
        this.#deciders.rules.add({ ...words, folder: this.#folder, session }),
      ),
    )
    this.#ruled.set(session, added)
    return added
  }

  /** Ends the rules. */
  dispose(): void {
    for (const session of [...this.#ruled.keys()]) this.endSession(session)
  }

  #refused(what: string, why: string): void {
    this.isRefused = true
    this.#say(`Refused. ${what} — ${why}`)
  }
}

function described(title: string, subject: string): string {
  const [line = ''] = subject.split('\n', 1)
  const said = line.length > longestSaid || line !== subject ? `${line.slice(0, longestSaid)} …` : line
  return escapeSigns(`${title}: ${said}`)
}
