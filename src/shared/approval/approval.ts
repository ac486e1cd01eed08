import type { z } from 'zod'
import { type Field, type FieldValues, longestSubject, problemOfFields } from './approval-fields'
import type { approvalRecordEntry, approvalRule, ruleWords } from './approval-schemas'
import type { Origin, WithdrawnReason } from '../review/proposal'

/**
 * Approvals: what an agent asks that isn't about a file's content. A question comes from a dialect as described data;
 * the answer goes back exactly once. Anything unanswered isn't allowed.
 */

/** To run a command, fetch an address or follow a plan; a question to the person; or something else. */
export type ApprovalKind = ApprovalRecordEntry['kind']

/** A rule that answers questions automatically. */
export type ApprovalRule = z.infer<typeof approvalRule>
export type NewRule = Omit<ApprovalRule, 'id' | 'madeAt'>
/** The part of a rule that the person may change. */
export type RuleWords = z.infer<typeof ruleWords>
/** The kinds that a rule may answer; plans and questions are always for the person. */
export type RuleKind = RuleWords['kind']

/**
 * What an option leads to. Allowing may be remembered by the agent, in its own words, or here as a rule. `leave`: nothing is
 * decided here, and the agent asks in its own place.
 */
export type Consequence =
  | {
      kind: 'allow'
      remembers: null | { by: 'agent'; words: string } | { by: 'rule'; rule: NewRule }
      /** An address that opens in the browser first, once the person has seen it whole. */
      opens?: string
    }
  /**
   * `stops`: the agent's turn ends; otherwise it continues without. `dropsReason`: the agent isn't told the person's
   * reason.
   */
  | { kind: 'deny'; stops: boolean; dropsReason?: true }
  | { kind: 'leave' }

/** One way to answer. */
export interface ApprovalOption {
  id: string
  /** What its button says. */
  label: string
  leadsTo: Consequence
}

/** What an adapter hands over. Texts are the agent's own, complete, and shown as plain text. */
export interface Question {
  requester: Origin
  kind: ApprovalKind
  /** What is asked, in a few words, such as "Run a command". */
  title: string
  /** Everything that is asked: the command, the address, the plan as Markdown, the question. */
  subject: string
  /** The agent's tool, as the agent calls it. */
  tool: string | null
  /** The folder it concerns; absolute. */
  folder: string | null
  /** The file or folder that it reaches for, where the subject doesn't say it; absolute. */
  path: string | null
  /** Why, in the agent's words. */
  why: string | null
  /** Filled in if the answer allows. */
  fields: readonly Field[]
  options: readonly ApprovalOption[]
  /** Only a person may answer it, whatever the rules say. */
  needsPerson: boolean
}

/** What the person says: an option, what they filled in, and perhaps why they denied it. */
export interface PersonsAnswer {
  option: string
  values: FieldValues
  reason: string | null
}

/** What the agent is told, exactly once. `refused`: it couldn't be asked, with a sentence for the agent. */
export type ApprovalAnswer =
  | { kind: 'allowed'; option: string; values: FieldValues; by: 'person' | 'rule' }
  | { kind: 'denied'; option: string; reason: string | null; stops: boolean; by: 'person' | 'rule' }
  | { kind: 'withdrawn'; reason: WithdrawnReason }
  | { kind: 'refused'; message: string }

/** A withdrawn question stays for some minutes until it is seen, so that it doesn't vanish unnoticed. */
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
  /** Why the last answer didn't count, as a sentence. */
  problem: string | null
}

/** How a question ended, and by whom. */
export type ApprovalRecordEntry = Omit<z.infer<typeof approvalRecordEntry>, 'said'> & {
  /** What was asked and which option was chosen; never written to disk, so null after a restart. */
  said: { subject: string; option: string | null } | null
}

/** Whether an agent is waiting for the answer. */
export function isAsked({ state }: Pick<Approval, 'state'>): boolean {
  return state.kind !== 'withdrawn'
}

const longestLabel = 500
const mostOptions = 12

/** Why a question can't be asked, as a sentence for the agent; null if it can. */
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

/** The option that a rule chooses: one that only allows or denies. Null if there is none. */
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

/** The answer that an option gives to the agent. */
export function answerOf(
  { id, leadsTo }: ApprovalOption,
  { values, reason }: Pick<PersonsAnswer, 'values' | 'reason'>,
  by: 'person' | 'rule',
): ApprovalAnswer {
  if (leadsTo.kind === 'allow') return { kind: 'allowed', option: id, values, by }
  if (leadsTo.kind === 'leave') return { kind: 'withdrawn', reason: 'cancelled' }
  return { kind: 'denied', option: id, reason: reason?.trim() || null, stops: leadsTo.stops, by }
}

/** The words for each kind, after "Claude wants to". */
export const kindWords: Readonly<Record<ApprovalKind, string>> = {
  run: 'run a command',
  fetch: 'fetch an address',
  plan: 'follow a plan',
  question: 'know something',
  other: 'use a tool',
}
