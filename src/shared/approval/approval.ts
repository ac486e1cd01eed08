import type { Field, FieldValues } from './approval-fields'
import { problemOfFields } from './approval-fields'
import type { Origin, WithdrawnReason } from '../review/proposal'

/**
 * The words of an approval: what an agent asks that is not about a file's content. A question comes from a dialect as
 * described data; the answer goes back exactly once. What nobody answers is not allowed.
 */

/** What is asked: to run a command, to fetch an address, to follow a plan, for words or a choice, or something else. */
export type ApprovalKind = 'run' | 'fetch' | 'plan' | 'question' | 'other'

/** The kinds of questions that a rule may answer: plans and questions are always the person's. */
export type RuleKind = 'run' | 'fetch' | 'other'

/**
 * A rule before it has an id. In the pattern `*` stands for any characters but those that join commands or hide in a
 * text, `\*` for a star and `\\` for a backslash; everything else for itself.
 */
export interface NewRule {
  answer: 'allow' | 'deny'
  kind: RuleKind
  /** The agent that it is for, by name; null: any. */
  agent: string | null
  /** The agent's tool that it is for; null: any. */
  tool: string | null
  pattern: string
  /** The folder in which it holds, with all below it; null: everywhere. */
  folder: string | null
  /** The only session, or connection of an agent without sessions, that it holds for, and ends with; null: it is kept. */
  session: string | null
}

/** What the person may say of a rule. */
export type RuleWords = Omit<NewRule, 'session'>

/** A rule that answers by itself. */
export interface ApprovalRule extends NewRule {
  id: string
  /** Milliseconds since the epoch. */
  madeAt: number
}

/** What an option leads to. An allowance may be remembered: by the agent, in its own words, or here as a rule. */
export type Consequence =
  | { kind: 'allow'; remembers: null | { by: 'agent'; words: string } | { by: 'rule'; rule: NewRule } }
  /** `stops`: the agent's turn ends; otherwise it goes on without. */
  | { kind: 'deny'; stops: boolean }

/** One way to answer. */
export interface ApprovalOption {
  id: string
  /** What its button says. */
  label: string
  leadsTo: Consequence
}

/** What an adapter hands over. Texts are the agent's own, whole, and are shown as plain text. */
export interface Question {
  requester: Origin
  kind: ApprovalKind
  /** What is asked, in a few words, such as "Run a command". */
  title: string
  /** The whole of what it is for: the command, the address, the plan as Markdown, the question. */
  subject: string
  /** The agent's tool, as the agent calls it. */
  tool: string | null
  /** The folder that it is for; absolute. */
  folder: string | null
  /** Why, in the agent's words. */
  why: string | null
  /** Filled in where the answer allows. */
  fields: readonly Field[]
  options: readonly ApprovalOption[]
  /** Only a person may answer it, whatever the rules say. */
  needsPerson: boolean
}

/** What the person says: an option, what they filled in, and, where it denies, perhaps why. */
export interface PersonsAnswer {
  option: string
  values: FieldValues
  reason: string | null
}

/** What the agent is told, exactly once. `refused`: nobody could be asked, with a sentence for the agent. */
export type ApprovalAnswer =
  | { kind: 'allowed'; option: string; values: FieldValues; by: 'person' | 'rule' }
  | { kind: 'denied'; option: string; reason: string | null; stops: boolean; by: 'person' | 'rule' }
  | { kind: 'withdrawn'; reason: WithdrawnReason }
  | { kind: 'refused'; message: string }

/** Where a question stands. A withdrawn one stays for a while, so that it does not vanish unseen. */
export type ApprovalState =
  | { kind: 'waiting' }
  | { kind: 'recording' }
  | { kind: 'withdrawn'; reason: WithdrawnReason; at: number }

/** A question in the queue. Times in milliseconds since the epoch. */
export interface Approval {
  id: string
  askedAt: number
  question: Question
  state: ApprovalState
  /** Why the last answer did not count, as a sentence. */
  problem: string | null
}

/** How a question ended, and by whom. `app`: nobody could be asked, or nobody asks any more. */
export interface ApprovalRecordEntry {
  id: string
  at: number
  agent: string
  dialect: string
  kind: ApprovalKind
  tool: string | null
  folder: string | null
  outcome: 'allowed' | 'denied' | 'withdrawn' | 'refused'
  by: 'person' | 'rule' | 'elsewhere' | 'app'
  /** The rule that answered. */
  rule: string | null
  /** What was asked and which option was chosen; never written to disk, so null after a restart. */
  said: { subject: string; option: string | null } | null
}

/** Whether an agent waits for the answer. */
export function isAsked({ state }: Pick<Approval, 'state'>): boolean {
  return state.kind !== 'withdrawn'
}

/** Nobody could look through a longer text before answering. UTF-16 units. */
export const longestSubject = 256 * 1024
const longestLabel = 500
const mostOptions = 12

/** Why a question cannot be asked, as a sentence for the agent; null where it can. */
export function problemOf({ subject, title, why, tool, options, fields }: Question): string | null {
  if (subject.length > longestSubject || (why?.length ?? 0) > longestSubject) {
    return `This has more than ${longestSubject / 1024} K characters, which nobody can look through. Ask for less at once.`
  }
  if (subject.trim() === '' && fields.length === 0)
    return 'This says nothing of what it is for. Say what is asked.'
  if (
    [title, tool ?? '', ...options.map(({ label }) => label)].some((label) => label.length > longestLabel)
  ) {
    return `A title or an option has more than ${longestLabel} characters. Use shorter ones.`
  }
  if (options.length > mostOptions) return `There are more than ${mostOptions} options. Offer fewer.`
  if (new Set(options.map(({ id }) => id)).size < options.length) return 'Two options have the same id.'
  if (!options.some(({ leadsTo }) => leadsTo.kind === 'deny')) return 'There is no way to say no. Offer one.'
  return problemOfFields(fields)
}

/** The option that a rule chooses: one that allows or denies and does no more. Null where there is none. */
export function optionForRule(
  options: readonly ApprovalOption[],
  answer: 'allow' | 'deny',
): ApprovalOption | null {
  return (
    options.find(({ leadsTo }) =>
      answer === 'allow'
        ? leadsTo.kind === 'allow' && leadsTo.remembers === null
        : leadsTo.kind === 'deny' && !leadsTo.stops,
    ) ?? null
  )
}

/** What the person's option says to the agent. */
export function answerOf(
  { id, leadsTo }: ApprovalOption,
  { values, reason }: Pick<PersonsAnswer, 'values' | 'reason'>,
  by: 'person' | 'rule',
): ApprovalAnswer {
  if (leadsTo.kind === 'allow') return { kind: 'allowed', option: id, values, by }
  return { kind: 'denied', option: id, reason: reason?.trim() || null, stops: leadsTo.stops, by }
}

/** What a kind of question is about, as it follows "Claude wants to". */
export const kindWords: Readonly<Record<ApprovalKind, string>> = {
  run: 'run a command',
  fetch: 'fetch an address',
  plan: 'follow a plan',
  question: 'know something',
  other: 'use a tool',
}
