import { basename, isAbsolute } from 'node:path'
import type { ApprovalAnswer, Question } from '../../../shared/approval/approval'
import { objectOf } from '../../../shared/json'
import { Emitter, type Listen } from '../../../shared/lifetime'
import { fail, type Result, succeed, unreachable } from '../../../shared/result'
import type { Opening, Origin, Proposal } from '../../../shared/review/proposal'
import { toolChangeWords } from '../claude-tools/changed-words'
import {
  type EditTool,
  editedPath,
  inputFor,
  isEditTool,
  lineEndsRemark,
  objectionTo,
  proposedBy,
} from '../claude-tools/edit-tools'
import { readDisk } from '../claude-tools/disk-text'
import { writesItsPlan } from './plan-file'
import { questionOf, responseTo } from './questions'
import { dialogKinds } from './user-dialog'
import type {
  CanUseTool,
  ControlRequest,
  Elicitation,
  HookCallback,
  McpMessage,
  PermissionResult,
  UserDialog,
} from './wire-messages'

/** Where the person is asked. */
export interface PermissionPorts {
  review(proposal: Proposal, signal: AbortSignal): Promise<Opening>
  approve(question: Question, signal: AbortSignal): Promise<ApprovalAnswer>
  /** Who asks; `call` is the tool's, or the question's own. */
  origin(call: string): Origin
  /**
   * Changes are reviewed where the hook is called: older programs ask no more where a hook answers `ask` in a mode that
   * accepts edits (2.1.39), but take the hook’s own decision.
   */
  reviewsInHook?: boolean
  /** An editing tool may change a file next. Resolves when what it holds is kept. */
  beforeChange?(path: string): Promise<void>
  /** The folder that it works in. */
  folder: string | null
  /** The editor's own tools: a server in here, whose calls need no question. */
  tools?: { answer(message: object): Promise<object | null> }
  /** What went wrong in here, which is a bug. */
  report(error: unknown): void
}

/** The ids of the hooks that are registered. */
export const beforeEdit = 'before-edit'
export const afterEdit = 'after-edit'

/** Changes that are remembered until the agent has made them. */
const mostRemembered = 200

/**
 * Decides what a conversation's agent asks: a change of a file by a review, all else by an approval. Every question is
 * answered validly: a failure in here refuses, for the agent goes on where it gets no valid answer.
 */
export class PermissionDesk {
  /** Whether each change of a file is reviewed; else the agent's mode decides which are asked about. */
  isReviewing = true
  readonly dialogKinds = dialogKinds
  readonly #ports: PermissionPorts
  readonly #remarks = new Emitter<string>()
  /** What the person should know of a change that they are asked about. */
  readonly onRemark: Listen<string> = this.#remarks.on
  /** What to tell the model of a change once it is made, by its call: what the person made of it. */
  readonly #changed = new Map<string, string>()
  #questions = 0

  constructor(ports: PermissionPorts) {
    this.#ports = ports
  }

  /** The names of the servers in here. Of one called `ide` the program passes on only what it knows itself. */
  get toolServers(): readonly string[] {
    return this.#ports.tools ? ['greenlight'] : []
  }

  async answer(request: ControlRequest, signal: AbortSignal): Promise<Result<object>> {
    try {
      switch (request.subtype) {
        case 'can_use_tool':
          return succeed(await this.#permit(request, signal))
        case 'hook_callback':
          return succeed(await this.#hook(request, signal))
        case 'elicitation':
        case 'request_user_dialog':
          return await this.#ask(request, signal)
        case 'mcp_message':
          return await this.#carry(request)
        default:
          return unreachable(request)
      }
    } catch (error) {
      this.#ports.report(error)
      return this.#refusal(request)
    }
  }

  async #permit(request: CanUseTool, signal: AbortSignal): Promise<PermissionResult> {
    const { tool_name: tool, input, mcp_server: server } = request
    // Only who drives it can have registered a server of this source.
    if (server?.source === 'sdk' && this.toolServers.includes(server.name))
      return { behavior: 'allow', updatedInput: input }
    const reviewed = isEditTool(tool) ? await this.#review(tool, request, signal) : null
    if (reviewed) return reviewed
    const asked = await this.#ask(request, signal)
    return asked.ok ? (asked.value as PermissionResult) : deny(asked.failure.message)
  }

  /** Asks about a change as a review; null for one that has no text to review. */
  async #review(tool: EditTool, request: CanUseTool, signal: AbortSignal): Promise<PermissionResult | null> {
    const { input, tool_use_id: call } = request
    const target = editedPath(tool, input)
    if (!target.ok) return null
    const path = target.value
    if (!isAbsolute(path)) return deny(`${path} isn’t an absolute path. Send an absolute path.`)
    // Programs without hooks only ask.
    await this.#keep(tool, input)
    const before = await readDisk(path)
    if (!before.ok) return null
    const proposal = proposedBy(tool, input, before.value.text)
    if (!proposal.ok) return null
    const { proposed } = proposal.value
    if (proposed === before.value.text) return { behavior: 'allow', updatedInput: input }
    const remark = lineEndsRemark(tool, path, before.value.text)
    if (remark !== null) this.#remarks.emit(remark)
    // What the file held when the person accepted.
    let decidedOn: string | null = null
    const object = objectionTo(tool, input, before.value.text)
    const verdict = await this.#ports.review(
      {
        origin: this.#origin(request),
        ...{ path, proposed, effect: 'agent' },
        title: `${tool} ${basename(path)}`,
        objection: (text, disk) => {
          decidedOn = disk
          return object(text)
        },
      },
      signal,
    )
    switch (verdict.kind) {
      case 'accepted': {
        const now = await readDisk(path)
        if (!now.ok) return deny(now.failure.message)
        if (decidedOn !== null && now.value.fingerprint !== decidedOn) return deny(changedMeanwhile(path))
        const told = inputFor(tool, input, now.value.text, verdict.text)
        if (!told.ok) return deny(told.failure.message)
        if (verdict.text !== proposed && call !== undefined)
          this.#remember(call, toolChangeWords(path, proposed, verdict.text))
        return { behavior: 'allow', updatedInput: told.value }
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

  /** Takes a message to the editor's tools, and its answer back. */
  async #carry({ server_name: server, message }: McpMessage): Promise<Result<object>> {
    const { tools } = this.#ports
    if (!tools || !this.toolServers.includes(server))
      return fail('unsupported', 'Greenlight has no such server. Go on without it.')
    const answer = await tools.answer(message)
    return succeed(answer === null ? {} : { mcp_response: answer })
  }

  async #ask(request: CanUseTool | Elicitation | UserDialog, signal: AbortSignal): Promise<Result<object>> {
    const question = questionOf(request, this.#origin(request), this.#ports.folder)
    if (!question.ok) return question
    return succeed(responseTo(request, await this.#ports.approve(question.value, signal)))
  }

  #origin(request: CanUseTool | Elicitation | UserDialog): Origin {
    const call = 'tool_use_id' in request ? request.tool_use_id : undefined
    return this.#ports.origin(typeof call === 'string' ? call : `question ${++this.#questions}`)
  }

  async #hook(callback: HookCallback, signal: AbortSignal): Promise<object> {
    const { callback_id: id, input, tool_use_id } = callback
    if (id === beforeEdit) {
      await this.#keep(input.tool_name, input.tool_input)
      // The agent's own mode decides.
      if (!this.isReviewing || writesItsPlan(input)) return {}
      return this.#ports.reviewsInHook
        ? this.#permitInHook(callback, signal)
        : decision('ask', 'Greenlight reviews each change of a file.')
    }
    const call = tool_use_id ?? input.tool_use_id
    const changed = call === undefined ? undefined : this.#changed.get(call)
    if (id !== afterEdit || call === undefined || changed === undefined) return {}
    this.#changed.delete(call)
    return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: changed } }
  }

  async #keep(tool: string | undefined, input: unknown): Promise<void> {
    const path = tool !== undefined && isEditTool(tool) ? editedPath(tool, input) : null
    if (path?.ok) await this.#ports.beforeChange?.(path.value)
  }

  /** Also what can’t be reviewed is asked about here, for nobody may ask about it afterwards. */
  async #permitInHook(
    { input: { tool_name: tool, tool_input }, tool_use_id: call }: HookCallback,
    signal: AbortSignal,
  ): Promise<object> {
    const input = objectOf(tool_input)
    if (tool === undefined || !input)
      return decision('deny', 'Greenlight doesn’t see what this changes. Ask in another way.')
    const asked: CanUseTool = {
      ...{ subtype: 'can_use_tool', tool_name: tool, input },
      ...(call === undefined ? {} : { tool_use_id: call }),
    }
    const permitted = await this.#permit(asked, signal)
    return permitted.behavior === 'deny'
      ? decision('deny', permitted.message)
      : decision('allow', 'Accepted in Greenlight.', permitted.updatedInput)
  }

  #remember(call: string, words: string): void {
    this.#changed.set(call, words)
    const [oldest] = this.#changed.keys()
    if (this.#changed.size > mostRemembered && oldest !== undefined) this.#changed.delete(oldest)
  }

  #refusal(request: ControlRequest): Result<object> {
    const sentence = 'Greenlight could not ask the person because of a fault of its own. Nothing was done.'
    switch (request.subtype) {
      case 'can_use_tool':
        return succeed(deny(sentence))
      case 'hook_callback':
        return succeed(request.callback_id === beforeEdit ? decision('deny', sentence) : {})
      default:
        return fail('failed', sentence)
    }
  }
}

function deny(message: string): PermissionResult {
  return { behavior: 'deny', message }
}

function decision(
  permissionDecision: 'ask' | 'deny' | 'allow',
  permissionDecisionReason: string,
  updatedInput?: Record<string, unknown>,
): object {
  return {
    hookSpecificOutput: {
      ...{ hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
      ...(updatedInput ? { updatedInput } : {}),
    },
  }
}

function changedMeanwhile(path: string): string {
  return `${path} was changed by somebody else while this was decided, so nothing was written. Read it again, then propose your change anew.`
}

/** For the model. */
function rejection(path: string, note: string | undefined): string {
  const rejected = `The person looked at this change of ${path} and rejected it. Nothing was written.`
  return note === undefined || note.trim() === '' ? rejected : `${rejected} They say: ${note}`
}
