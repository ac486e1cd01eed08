import { ChangeSet } from '@codemirror/state'
import { changesBetween } from '../text/line-diff'
import { applyStep, type Draft, type DraftStep } from './draft'

/**
 * Steps to be sent to the host, taken on its draft of `version` with the first `after` steps of this client: by both
 * the host knows exactly on what they were taken, and which of them it has already.
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

/** What a person did in an editor of a draft, in one go. */
export interface OwnWork {
  readonly before: Draft
  readonly after: Draft
  /** The steps that lead from the one to the other. */
  readonly steps: readonly OwnStep[]
  /** Leads from the one's result to the other's. */
  readonly edit: ChangeSet
}

/**
 * A client's copy of one draft: a page's, and for a moment the host's own of a page that has gone. Own steps count at
 * once and are sent in order; the host's word on the order of all steps is final, and steps not yet confirmed are
 * carried over whatever comes in between. Typed text is never dropped by that: an edit is mapped, and only a decision
 * that no longer fits (on a change decided by then) goes. No timers and no messages here; the page's `review-session`
 * does both.
 */
export class DraftSync {
  readonly client: string
  #confirmed: Draft
  #version: number
  #draft: Draft
  /** Own steps that the host has not confirmed, oldest first; the first `#sent` of them are on their way. */
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

  /** The draft as the person sees it: confirmed steps and then the own ones. */
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

  /** Takes an own step. False when it does not fit the draft; nothing has changed then. */
  take(step: DraftStep): boolean {
    const stepped = applyStep(this.#draft, step)
    if (!stepped) return false
    this.#draft = stepped.draft
    this.#pending = [...this.#pending, { step, draft: stepped.draft }]
    return true
  }

  /**
   * Takes over what an editor of this draft has done with it. Where that began with another draft than this one, the
   * two have come to differ: then what was typed is kept, and so is what this draft has besides, and the editor gets
   * what it has to follow to be the same again.
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

  /** All that is not confirmed, also what is on its way: for a page's last breath. The host takes each step once. */
  lastBatch(): Batch | null {
    if (this.#pending.length === 0) return null
    this.#sent = this.#pending.length
    return { version: this.#version, after: this.#known, steps: this.pending }
  }

  /** Own steps that are not confirmed, as they are on top of all that is. */
  get pending(): readonly DraftStep[] {
    return this.#pending.map(({ step }) => step)
  }

  /** The host has not taken the steps on their way: they will be sent again. */
  sendAgain(): void {
    this.#sent = 0
  }

  /**
   * Hears of steps that the host has taken, anyone's. Gives what the editor has to follow (null for own steps,
   * which it has already), or 'gap' when steps are missing and only a new snapshot helps.
   */
  receive(version: number, client: string, steps: readonly DraftStep[]): Followed | null | 'gap' {
    if (version !== this.#version) return 'gap'
    if (client === this.client) {
      // The host takes a client's steps as they are, in order and once: what they make is known.
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

  /** Moves the own steps from one confirmed draft onto another. `b` leads from the one's result to the other's. */
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
 * The map between two results after a step on both: `step` is what it did to the first. Where the step did the same
 * to the second, that is the map past the step; else what is still missing comes on top.
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
