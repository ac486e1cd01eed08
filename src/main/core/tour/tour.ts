import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { TourState } from '../../../shared/contract/first-run'
import { type Draft, isEdited } from '../../../shared/review/draft'
import { type Disposable, type Listen, Emitter } from '../../../shared/lifetime'
import { type Done, fail, succeed } from '../../../shared/result'
import type { Opening, Proposal } from '../../../shared/review/proposal'
import { writeFileAtomically } from '../files/write-file'
import { resolveRealPath } from '../files/real-path'
import { sampleName, sampleProposal, sampleText } from './sample'

/** What the tour needs from the rest of the app. */
export interface TourPorts {
  folder: string
  /** The sample agent's connection on the desk; it names the window that takes the tour. */
  connection: string
  open(proposal: Proposal, signal: AbortSignal): Promise<Opening>
  /** The review that asks about a path; null if none does. */
  reviewOf(path: string): string | null
  draft(review: string): Draft | null
  /** Something on the desk has changed. */
  onDesk: Listen<void>
  /** The person has opened one of their own folders in the window. */
  onFolderOpened: Listen<void>
  /** Shows the review, which has just come. */
  show(review: string, path: string): void
  /** Ends the review without a word from the person. */
  reject(review: string): void
}

/**
 * The tour of a window: a sample agent proposes three changes to a sample file, through the real desk. It watches what
 * the person does with them and tells nobody else.
 */
export class Tour implements Disposable {
  readonly #ports: TourPorts
  readonly #folders: Disposable
  readonly #changes = new Emitter<void>()
  readonly onChange: Listen<void> = this.#changes.on
  #state: TourState | null = null
  #end: (() => void) | null = null

  constructor(ports: TourPorts) {
    this.#ports = ports
    // Its bar has nothing to say about the person's own folder.
    this.#folders = ports.onFolderOpened(() => this.leave())
  }

  get state(): TourState | null {
    return this.#state
  }

  /** Starts again with the sample file as it was. Fails if the file can't be written. */
  async start(): Promise<Done> {
    this.leave()
    const { folder, connection } = this.#ports
    const written = await writeFileAtomically(join(folder, sampleName), Buffer.from(sampleText), {
      createParents: true,
    })
    if (!written.ok) return fail(written.failure.code, written.failure.message)
    const path = await resolveRealPath(written.value.realPath)
    const proposal: Proposal = {
      origin: { dialect: 'sample', connection, agent: 'Sample agent', call: randomUUID() },
      path,
      proposed: sampleProposal,
      title: 'A sample change',
      effect: 'host',
    }
    this.#put({
      phase: 'asking',
      path,
      name: sampleName,
      review: null,
      accepted: false,
      rejected: false,
      edited: false,
    })
    const abort = new AbortController()
    const desk = this.#ports.onDesk(() => this.#look())
    let isOver = false
    this.#end = () => {
      isOver = true
      desk.dispose()
      const review = this.#ports.reviewOf(path)
      // Not both: withdrawing a question while its rejection is being recorded would keep its draft.
      if (review !== null) this.#ports.reject(review)
      else abort.abort('cancelled')
    }
    void this.#ports.open(proposal, abort.signal).then((verdict) => {
      if (isOver || !this.#state) return
      desk.dispose()
      this.#put({ ...this.#state, phase: verdict.kind === 'accepted' ? 'written' : 'ended', review: null })
    })
    return succeed({})
  }

  /** Ends the tour; a review that still asks is rejected, and the file stays as it is. */
  leave(): void {
    this.#end?.()
    this.#end = null
    if (this.#state) this.#put(null)
  }

  dispose(): void {
    this.leave()
    this.#folders.dispose()
    this.#changes.dispose()
  }

  #look(): void {
    const state = this.#state
    if (!state || state.phase !== 'asking') return
    const review = this.#ports.reviewOf(state.path)
    if (review === null) return
    if (state.review === null) this.#ports.show(review, state.path)
    const draft = this.#ports.draft(review)
    this.#put({ ...state, review, ...(draft ? doneIn(draft) : {}) })
  }

  #put(state: TourState | null): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return
    this.#state = state
    this.#changes.emit()
  }
}

/** Which steps a draft shows as done. */
export function doneIn(draft: Draft): Pick<TourState, 'accepted' | 'rejected' | 'edited'> {
  return {
    accepted: draft.hunks.some((hunk) => hunk.decision.kind === 'accepted'),
    rejected: draft.hunks.some((hunk) => hunk.decision.kind === 'rejected'),
    edited: draft.hunks.some((hunk) => isEdited(draft, hunk)),
  }
}
