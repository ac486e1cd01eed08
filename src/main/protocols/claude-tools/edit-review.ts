import { basename, isAbsolute } from 'node:path'
import { Emitter, type Listen } from '../../../shared/lifetime'
import { unreachable } from '../../../shared/result'
import type { Opening, Origin, Proposal } from '../../../shared/review/proposal'
import { toolChangeWords } from './changed-words'
import { readDiskText } from './disk-text'
import {
  type EditTool,
  type ToolInput,
  editedPath,
  inputFor,
  objectionTo,
  proposedBy,
  remarkOn,
} from './edit-tools'

/** A call of an editing tool. */
export interface EditCall {
  tool: EditTool
  input: ToolInput
  /** Who asks; its `call` is the tool's. */
  origin: Origin
}

/** Where the person is asked. */
export interface EditReviewPorts {
  review(proposal: Proposal, signal: AbortSignal): Promise<Opening>
  /** An editing tool may change a file next. Resolves when what it holds is kept. */
  beforeChange?(path: string): Promise<void>
}

/** What the tool is told. */
export type EditAnswer =
  | {
      kind: 'allow'
      /** With which the tool writes what was accepted. */
      input: ToolInput
      /** What the model must hear of it, which knows only what it proposed; null where that was accepted. */
      told: string | null
      /** What of that the person says; null for nothing. */
      words: string | null
      path: string
      /** What the file holds once the tool has run, as the review showed it: with its line ends and byte order mark. */
      accepted: string
    }
  | { kind: 'deny'; message: string }
  /** There is no text to review: ask about it in another way. */
  | { kind: 'unreviewable' }

/** Asks about what an editing tool is going to write, as a review. The tool itself writes what was accepted. */
export class EditReview {
  readonly #ports: EditReviewPorts
  readonly #remarks = new Emitter<string>()
  /** What the person should know of a change that they are asked about. */
  readonly onRemark: Listen<string> = this.#remarks.on

  constructor(ports: EditReviewPorts) {
    this.#ports = ports
  }

  /** Waits for the person, however long it takes. Aborting the signal withdraws the question. */
  async ask({ tool, input, origin }: EditCall, signal: AbortSignal): Promise<EditAnswer> {
    const target = editedPath(tool, input)
    if (!target.ok) return { kind: 'unreviewable' }
    const path = target.value
    if (!isAbsolute(path)) return deny(`${path} isn’t an absolute path. Send an absolute path.`)
    await this.#ports.beforeChange?.(path)
    const before = await readDiskText(path)
    if (!before.ok) return { kind: 'unreviewable' }
    const proposal = proposedBy(tool, input, before.value.text)
    if (!proposal.ok) return { kind: 'unreviewable' }
    const { proposed, holds } = proposal.value
    if (proposed === before.value.text)
      return { kind: 'allow', input, told: null, words: null, path, accepted: proposed }
    const remark = remarkOn(tool, proposal.value, before.value.text)
    if (remark !== null) this.#remarks.emit(remark)
    // What the file held when the person accepted.
    let decidedOn: string | null = null
    const object = objectionTo(tool, input, before.value.text)
    const verdict = await this.#ports.review(
      {
        ...{ origin, path, proposed, effect: 'agent' },
        title: `${tool} ${basename(path)}`,
        carriesWords: true,
        ...(holds ? { holds } : {}),
        objection: (text, disk) => {
          decidedOn = disk
          return object(text)
        },
      },
      signal,
    )
    switch (verdict.kind) {
      case 'accepted': {
        const { words } = verdict
        const refuse = (message: string) => deny(words === undefined ? message : `${message}\n\n${words}`)
        const now = await readDiskText(path)
        if (!now.ok) return refuse(now.failure.message)
        if (decidedOn !== null && now.value.fingerprint !== decidedOn) return refuse(changedMeanwhile(path))
        const given = inputFor(tool, input, now.value.text, verdict.text)
        if (!given.ok) return refuse(given.failure.message)
        const changed = verdict.text === proposed ? '' : toolChangeWords(path, proposed, verdict.text)
        const told = [words ?? '', changed].filter((part) => part !== '').join('\n\n') || null
        return { kind: 'allow', input: given.value, told, words: words ?? null, path, accepted: verdict.text }
      }
      case 'rejected':
        return deny(rejection(path, verdict.note))
      case 'withdrawn':
        return deny('Nobody asks for this change any more. Nothing was written.')
      case 'refused':
        return deny(verdict.message)
      default:
        return unreachable(verdict)
    }
  }
}

function deny(message: string): EditAnswer {
  return { kind: 'deny', message }
}

function changedMeanwhile(path: string): string {
  return `${path} was changed by somebody else while this was being decided, so nothing was written. Read it again, then propose your change again.`
}

/** What the model is told of a rejection. */
export function rejection(path: string, note: string | undefined): string {
  const rejected = `The person looked at this change of ${path} and rejected it. Nothing was written.`
  return note === undefined || note.trim() === '' ? rejected : `${rejected} They say: ${note}`
}
