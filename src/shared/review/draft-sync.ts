import { ChangeSet } from '@codemirror/state'
import { changesBetween } from '../text/line-diff'
import { applyStep, type Draft, type DraftStep } from './draft'

/**
 * Steps to send to the host, made on its draft of `version` with this client's first `after` steps. From both numbers
 * the host knows what they were made on, and which of them it has already.
 */
export interface Batch {
  readonly version: number
  readonly after: number
  readonly steps: readonly DraftStep[]
}

/** A change of the page's draft that the person didn't make and that an editor must follow. */
export interface Followed {
  readonly draft: Draft
  /** Leads from the result as it was to the result as it is; null when it stayed the same. */
  readonly b: ChangeSet | null
}

/** An own step and the draft that it made. */
export interface OwnStep {
  readonly step: DraftStep
  readonly draft: Draft
}

/** What a person did at once in an editor of a draft. */
export interface OwnWork {
  readonly before: Draft
  readonly after: Draft
  /** The steps from `before` to `after`. */
  readonly steps: readonly OwnStep[]
  /** Leads from the result of `before` to that of `after`. */
  readonly edit: ChangeSet
}

/**
 * A client's copy of one draft: a page's, or briefly the host's for a page that has gone. Own steps apply at once and
 * are sent in order. The host's order of all steps is final; unconfirmed steps are rebased onto whatever comes in
 * between. Typed text is never lost by that: edits are mapped, and only decisions that no longer fit (the change has
 * been decided) are dropped. Timers and messages are in the page's `review-session`.
 */
export class DraftSync {
  readonly client: string
  #confirmed: Draft
  #version: number
  #draft: Draft
  /** Own steps that the host hasn't confirmed, the oldest first; the first `#sent` of them are on their way. */
  #pending: readonly OwnStep[] = []
  #sent = 0
  /** How many own steps the host has, as far as it has said so. */
  #known: number

  /** `known` is how many steps the host has of this client already. */
  constructor(client: string, version: number, draft: Draft, known = 0) {
    this.client = client
    this.#known = known
    this.#version = version
    this.#confirmed = draft
    this.#draft = draft
  }

  /** The draft as the person sees it: with all confirmed steps, then the own ones. */
  get draft(): Draft {
    return this.#draft
  }

  /** How many steps the host has confirmed since the review began. */
  get version(): number {
    return this.#version
  }

  /** Whether every own step has been confirmed. */
  get isSettled(): boolean {
    return this.#pending.length === 0
  }

  /** Applies an own step. False, and nothing changes, if it doesn't fit the draft. */
  take(step: DraftStep): boolean {
    const stepped = applyStep(this.#draft, step)
    if (!stepped) return false
    this.#draft = stepped.draft
    this.#pending = [...this.#pending, { step, draft: stepped.draft }]
    return true
  }

  /**
   * Applies what an editor has done with this draft. If the editor began with another draft, the two differ: then both
   * what was typed and the rest of this draft are kept, and the editor gets what it must follow to be the same again.
   */
  adopt({ before, after, steps, edit }: OwnWork): Followed | null {
    if (before === this.#draft && steps.at(-1)?.draft === after) {
      this.#pending = [...this.#pending, ...steps]
      this.#draft = after
      return null
    }
    this.take({ kind: 'edit', changes: edit.map(changesBetween(before.b, this.#draft.b)) })
    const { b } = this.#draft
    return { draft: this.#draft, b: after.b.eq(b) ? null : changesBetween(after.b, b) }
  }

  /** Whether the host has confirmed every step of a batch. */
  hasArrived({ after, steps }: Batch): boolean {
    return this.#known >= after + steps.length
  }

  /** The next steps to send, at most `limit`; null while some are on their way or none are left. */
  nextBatch(limit: number): Batch | null {
    if (this.#sent > 0 || this.#pending.length === 0) return null
    const steps = this.pending.slice(0, limit)
    this.#sent = steps.length
    return { version: this.#version, after: this.#known, steps }
  }

  /** All unconfirmed steps, even those on their way, for a page that closes. The host takes each step once. */
  lastBatch(): Batch | null {
    if (this.#pending.length === 0) return null
    this.#sent = this.#pending.length
    return { version: this.#version, after: this.#known, steps: this.pending }
  }

  /** Own steps that aren't confirmed, based on all that are. */
  get pending(): readonly DraftStep[] {
    return this.#pending.map(({ step }) => step)
  }

  /** The host hasn't taken the steps on their way: they will be sent again. */
  sendAgain(): void {
    this.#sent = 0
  }

  /**
   * Takes steps that the host has confirmed, from any client. Gives what the editor must follow (null for own steps,
   * which it has already), or 'gap' if steps are missing and only a new snapshot helps.
   */
  receive(version: number, client: string, steps: readonly DraftStep[]): Followed | null | 'gap' {
    if (version !== this.#version) return 'gap'
    if (client === this.client) {
      // The host takes a client's steps unchanged, in order and once, so their draft is known.
      const last = this.#pending[steps.length - 1]
      if (!last) return steps.length === 0 ? null : 'gap'
      this.#pending = this.#pending.slice(steps.length)
      this.#sent = Math.max(0, this.#sent - steps.length)
      this.#known += steps.length
      this.#confirmed = last.draft
      this.#version += steps.length
      return null
    }
    const confirmed = applySteps(this.#confirmed, steps)
    if (!confirmed) return 'gap'
    this.#version += steps.length
    return this.#carry(this.#confirmed, confirmed.draft, confirmed.b)
  }

  /**
   * Takes a new snapshot, and how many of this client's steps are in it: those are confirmed, and only the others will
   * be sent again.
   */
  reset(version: number, draft: Draft, known: number): Followed {
    const arrived = this.#pending.slice(0, Math.max(0, known - this.#known))
    const from = arrived.at(-1)?.draft ?? this.#confirmed
    this.#pending = this.#pending.slice(arrived.length)
    this.#sent = 0
    this.#known = known
    this.#version = version
    return this.#carry(from, draft, from.b.eq(draft.b) ? null : changesBetween(from.b, draft.b))
  }

  /** Rebases the own steps from one confirmed draft onto another. `b` leads from the one's result to the other's. */
  #carry(from: Draft, to: Draft, b: ChangeSet | null): Followed {
    let before = from
    let after = to
    let map = b ?? ChangeSet.empty(from.b.length)
    const kept: OwnStep[] = []
    for (const { step } of this.#pending) {
      const was = applyStep(before, step)
      if (!was) continue
      const moved: DraftStep = step.kind === 'edit' ? { kind: 'edit', changes: step.changes.map(map) } : step
      const now = applyStep(after, moved)
      if (now) kept.push({ step: moved, draft: now.draft })
      before = was.draft
      after = now?.draft ?? after
      map = follow(map, was.b, before, after)
    }
    this.#pending = kept
    this.#sent = 0
    this.#confirmed = to
    this.#draft = after
    return { draft: after, b: map.empty ? null : map }
  }
}

/**
 * The map between two results after a step on both; `step` is what it did to the first. If it did the same to the
 * second, this is the map rebased past the step, else with the remaining difference on top.
 */
function follow(map: ChangeSet, step: ChangeSet | null, before: Draft, after: Draft): ChangeSet {
  const past = step ? map.map(step, true) : map
  const reached = past.apply(before.b)
  return reached.eq(after.b) ? past : past.compose(changesBetween(reached, after.b))
}

function applySteps(draft: Draft, steps: readonly DraftStep[]): { draft: Draft; b: ChangeSet | null } | null {
  let b: ChangeSet | null = null
  for (const step of steps) {
    const stepped = applyStep(draft, step)
    if (!stepped) return null
    draft = stepped.draft
    if (stepped.b) b = b ? b.compose(stepped.b) : stepped.b
  }
  return { draft, b }
}
