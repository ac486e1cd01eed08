import { stat } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { unreachable } from '../../../shared/result'
import type { Opening, Proposal } from '../../../shared/review/proposal'
import { errorResult, textResult, type ToolCall, type ToolResult } from '../kit/mcp-tool'
import { dialectId } from './dialect-id'
import type { ReviewPort } from './ports'
import { writtenText } from './written-text'

/** What openDiff brings. */
interface DiffRequest {
  old_file_path: string
  new_file_path: string
  new_file_contents: string
  tab_name: string
}

interface DiffOptions {
  connection: string
  agent: () => { name: string; pid?: number }
  review: ReviewPort
  say: (message: string) => void
  /** Whether the client asks for its tool Edit, as far as can be known. */
  isEditAsking: (path: string) => Promise<boolean>
}

/** Where the model was told otherwise, the client puts its question away within so many milliseconds, or it is answered. */
const longestQuestion = 5000

/** The proposals of one connection that wait for a verdict, by the tab name that the client gave them. */
export class DiffCalls {
  readonly #options: DiffOptions
  /** Several may have one name; the client closes them together. */
  readonly #open = new Map<AbortController, string>()
  /** Calls answered here whose question the client has not closed yet, by tab name. */
  readonly #answered = new Map<string, string>()

  constructor(options: DiffOptions) {
    this.#options = options
  }

  /** Opens a proposal and answers with its verdict; blocks as long as the person thinks. */
  async propose(request: DiffRequest, call: ToolCall): Promise<ToolResult> {
    const controller = new AbortController()
    const passOn = (): void => controller.abort(call.signal.reason)
    call.signal.addEventListener('abort', passOn, { once: true })
    // Known by its name from the first moment on: a close_tab may come before the disk has been looked at.
    this.#open.set(controller, request.tab_name)
    try {
      const found = await lookAt(request)
      if (controller.signal.aborted) return rejected
      if (typeof found === 'string') return errorResult(found)
      if (found.isNew && request.new_file_contents === '') return this.#leaveToTerminal(request.new_file_path)
      const opening = await this.#ask(request, call, controller.signal)
      if (opening.kind === 'accepted' || opening.kind === 'rejected') {
        this.#answered.set(request.tab_name, call.id)
      }
      if (opening.kind === 'rejected' && opening.told) {
        const { signal } = controller
        await pause(longestQuestion, undefined, { ref: false, signal }).catch(() => undefined)
      }
      return await this.#answer(request, opening)
    } finally {
      this.#open.delete(controller)
      call.signal.removeEventListener('abort', passOn)
    }
  }

  /** See docs/protocols/claude-code.md. TAB_CLOSED is never sent here: it accepts the whole proposal. */
  async #answer(request: DiffRequest, opening: Opening): Promise<ToolResult> {
    switch (opening.kind) {
      case 'accepted': {
        const isEdit = (): Promise<boolean> => this.#options.isEditAsking(request.new_file_path)
        return textResult('FILE_SAVED', await writtenText(request.new_file_contents, opening.text, isEdit))
      }
      case 'rejected':
      case 'withdrawn':
        return rejected
      case 'refused':
        return errorResult(opening.message)
      default:
        return unreachable(opening)
    }
  }

  #ask(request: DiffRequest, call: ToolCall, signal: AbortSignal): Promise<Opening> {
    const { connection, agent, review } = this.#options
    const { name, ...process } = agent()
    const proposal: Proposal = {
      origin: {
        dialect: dialectId,
        connection,
        agent: name,
        ...process,
        call: call.id,
      },
      path: request.new_file_path,
      proposed: request.new_file_contents,
      title: request.tab_name,
      effect: 'agent',
    }
    return review.open(proposal, signal)
  }

  /** Claude Code takes every answer to a new empty file as a rejection; an error leaves it to its terminal. */
  #leaveToTerminal(path: string): ToolResult {
    const sentence = `${basename(path)} would be a new empty file. Answer in Claude’s terminal.`
    this.#options.say(sentence)
    return errorResult(sentence)
  }

  /**
   * The client closed a tab: an open one has been answered in the terminal; of one that was answered here the client
   * has put its own question away. False for a tab that is none of these.
   */
  close(tab: string): boolean {
    const ending = [...this.#open].flatMap(([controller, name]) => (name === tab ? [controller] : []))
    for (const controller of ending) this.#open.delete(controller)
    for (const controller of ending) controller.abort('answered-there')
    return this.#forget(tab) || ending.length > 0
  }

  /**
   * The client begins a turn. What is open stays: the questions of its sub-agents in the background stand meanwhile, and
   * each question that is over is closed by its own name (measured with 2.1.330).
   */
  turnBegins(): void {
    for (const tab of [...this.#answered.keys()]) this.#forget(tab)
  }

  #forget(tab: string): boolean {
    const call = this.#answered.get(tab)
    if (call === undefined) return false
    this.#answered.delete(tab)
    const { connection, review } = this.#options
    review.questionClosed({ connection, call })
    return true
  }
}

const rejected = textResult('DIFF_REJECTED')

/** Whether the file is new, or a sentence on why its path cannot be reviewed. */
async function lookAt(request: DiffRequest): Promise<{ isNew: boolean } | string> {
  const path = request.new_file_path
  if (!isAbsolute(path) || !isAbsolute(request.old_file_path)) return 'openDiff needs absolute paths.'
  if (path.includes('\0') || request.old_file_path.includes('\0'))
    return 'A path can’t contain a NUL character.'
  if (request.old_file_path !== path) return 'openDiff cannot move a file: both paths must be the same.'
  try {
    const status = await stat(path)
    if (status.isFile()) return { isNew: false }
    const what = status.isDirectory() ? 'a folder' : 'not a regular file'
    return `${path} is ${what}, so there’s no text to review.`
  } catch (error) {
    // What else may be wrong with it, the desk finds when it reads the file.
    return { isNew: (error as NodeJS.ErrnoException).code === 'ENOENT' }
  }
}
