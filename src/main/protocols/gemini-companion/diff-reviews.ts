import { basename } from 'node:path'
import { unreachable } from '../../../shared/result'
import type { Opening, Proposal, WithdrawnReason } from '../../../shared/review/proposal'
import { jsonResult, textResult, type ToolResult } from '../kit/mcp-tool'
import { dialectId } from './dialect-id'
import type { GeminiCompanionPorts } from './ports'
import { saidText } from './said-text'

/** A proposal whose verdict has not been told. */
interface OpenDiff {
  call: string
  proposed: string
  controller: AbortController
}

/** What the reviews of one session need. */
interface DiffOptions {
  connection: string
  agent: () => string
  /** The client's process, where it is known. */
  pid: () => number | undefined
  review: GeminiCompanionPorts['review']
  /** The client gives a file back the byte order mark that it had. */
  keepsMark: boolean
  /** Sends a notification that must arrive. */
  notify(method: 'ide/diffAccepted' | 'ide/diffRejected', params: Record<string, string>): void
  /** Shows the person a sentence. */
  say(message: string): void
  /** Something threw that must not. */
  onFailure(error: unknown): void
}

/**
 * The proposals of one session that wait for their verdict, by the path as the client wrote it: it knows them by
 * nothing else. A verdict is told at most once, and only while its question is the client's newest for that path.
 */
export class DiffReviews {
  readonly #options: DiffOptions
  readonly #open = new Map<string, OpenDiff>()

  constructor(options: DiffOptions) {
    this.#options = options
  }

  /**
   * Opens a review and answers at once. The answer is never an error: after one the client cannot be answered at all
   * any more, not even in its terminal. A second proposal for a path takes the place of the first.
   */
  open(path: string, proposed: string, call: string): ToolResult {
    const { connection, agent, review, onFailure } = this.#options
    const pid = this.#options.pid()
    const diff: OpenDiff = { call, proposed, controller: new AbortController() }
    this.#open.set(path, diff)
    const proposal: Proposal = {
      origin: {
        dialect: dialectId,
        connection,
        agent: agent(),
        ...(pid === undefined ? {} : { pid }),
        call,
      },
      path,
      proposed,
      title: basename(path),
      effect: 'agent',
      objection: (text) => objectionTo(text, proposed, path, agent()),
    }
    review
      .open(proposal, diff.controller.signal)
      .then((opening) => this.#tell(path, diff, opening))
      .catch(onFailure)
    return textResult()
  }

  /** The client was answered in its terminal, or no longer wants a review: it gets the draft as it stands. */
  close(path: string, quietly: boolean): ToolResult {
    const diff = this.#open.get(path)
    if (diff === undefined) {
      // It shows one question at a time, so it has forgotten what is open here, and waits behind it for ever.
      this.rejectAll('cancelled')
      return textResult('{}')
    }
    const { connection, review, keepsMark } = this.#options
    const text = quietly ? review.handOver({ connection, call: diff.call }) : null
    if (quietly) this.#withdraw(path, diff, 'answered-there')
    else this.#reject(path, diff, 'cancelled')
    return jsonResult({ content: text === null ? diff.proposed : saidText(diff.proposed, text, keepsMark) })
  }

  /** Rejects what is open, since nobody will answer it: a client without an answer would hang. */
  rejectAll(reason: 'shutdown' | 'cancelled'): void {
    for (const [path, diff] of this.#open) this.#reject(path, diff, reason)
  }

  /**
   * The client is being interrupted and forgets its question without saying so. What is open now is rejected once it
   * has `settled`: told earlier, the client would take the interruption for another one.
   */
  async interrupt(settled: Promise<void>): Promise<void> {
    const open = [...this.#open]
    await settled
    for (const [path, diff] of open) if (this.#open.get(path) === diff) this.#reject(path, diff, 'cancelled')
  }

  /** The client is gone. */
  drop(): void {
    for (const [path, diff] of this.#open) this.#withdraw(path, diff, 'connection-lost')
  }

  #reject(path: string, diff: OpenDiff, reason: WithdrawnReason): void {
    this.#withdraw(path, diff, reason)
    this.#options.notify('ide/diffRejected', { filePath: path })
  }

  #withdraw(path: string, diff: OpenDiff, reason: WithdrawnReason): void {
    this.#open.delete(path)
    diff.controller.abort(reason)
  }

  #tell(path: string, diff: OpenDiff, opening: Opening): void {
    if (this.#open.get(path) !== diff) return
    this.#open.delete(path)
    const { notify, say, agent, keepsMark } = this.#options
    switch (opening.kind) {
      case 'accepted': {
        const objection = objectionTo(opening.text, diff.proposed, path, agent())
        if (objection === null) {
          const content = saidText(diff.proposed, opening.text, keepsMark)
          return notify('ide/diffAccepted', { filePath: path, content })
        }
        say(objection)
        return notify('ide/diffRejected', { filePath: path })
      }
      case 'rejected':
      case 'withdrawn':
        return notify('ide/diffRejected', { filePath: path })
      case 'refused':
        // The question in the client's terminal stays, and can be answered there.
        return say(`${opening.message} Answer ${agent()}'s question in its terminal.`)
      default:
        return unreachable(opening)
    }
  }
}

/** The client takes an empty text for none and writes its whole proposal, so it must never be told of one. */
function objectionTo(text: string, proposed: string, path: string, agent: string): string | null {
  if (text.replace(/^\uFEFF/, '') !== '' || proposed === text) return null
  return `${agent} can’t leave ${basename(path)} empty: it would write its own proposal. Reject the file, then empty or delete it yourself.`
}
