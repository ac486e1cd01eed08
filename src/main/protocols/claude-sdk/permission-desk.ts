import type { ApprovalAnswer, Question } from '../../../shared/approval/approval'
import { dropOldest } from '../../../shared/drop-oldest'
import { objectOf } from '../../../shared/json'
import type { Listen } from '../../../shared/lifetime'
import { fail, type Result, succeed, unreachable } from '../../../shared/result'
import type { Origin } from '../../../shared/review/proposal'
import type { OwnPolicy } from '../../core/gate/gate-policy'
import { EditGate, type EditGatePorts, namedPath } from '../claude-tools/edit-gate'
import { EditReview, type EditReviewPorts } from '../claude-tools/edit-review'
import { type EditTool, type ToolInput, editedPath, isEditTool } from '../claude-tools/edit-tools'
import { writesItsPlan } from '../claude-tools/plan-file'
import type { CanUseTool, PermissionResult } from '../claude-tools/tool-wire'
import { questionOf, responseTo } from './questions'
import { afterEdit, beforeEdit, deny, hookDecision, refusalOf } from './refusal'
import { dialogKinds } from './user-dialog'
import type { ControlRequest, Elicitation, HookCallback, McpMessage, UserDialog } from './wire-messages'

/** Where the person is asked. */
export interface PermissionPorts extends EditReviewPorts, EditGatePorts {
  /** How much is asked of this conversation. */
  policy: Omit<OwnPolicy, 'dispose'>
  /** A rule has refused a change without a question. */
  refused?(title: string, path: string): void
  approve(question: Question, signal: AbortSignal): Promise<ApprovalAnswer>
  /** Who asks; `call` is the tool's, or the question's own. */
  origin(call: string): Origin
  /**
   * Changes are reviewed where the hook is called: older programs ask no more where a hook answers `ask` in a mode that
   * accepts edits (2.1.39), but take the hook’s own decision.
   */
  reviewsInHook?: boolean
  /** The folder that it works in. */
  folder: string | null
  /** The editor's own tools: a server in here, whose calls need no question. */
  tools?: { answer(message: object): Promise<object | null> }
  /** What went wrong in here, which is a bug. */
  report(error: unknown): void
}

const ownFault = {
  code: 'failed',
  message: 'Greenlight could not ask the person because of a fault of its own. Nothing was done.',
}

/** Calls that are remembered until the agent has made them. */
const mostRemembered = 200

/**
 * Decides what a conversation's agent asks: a change of a file by a review, all else by an approval. Every question is
 * answered validly: a failure in here refuses, for the agent goes on where it gets no valid answer.
 */
export class PermissionDesk {
  readonly dialogKinds = dialogKinds
  /** How much is asked of this conversation. */
  readonly policy: PermissionPorts['policy']
  readonly #ports: PermissionPorts
  readonly #gate: EditGate
  readonly #edits: EditReview
  /** What to tell the model of a change once its tool has run, or if it fails, by its call. */
  readonly #due = new Map<string, { ran: string; failed: string | null }>()
  /** The prompts that calls' turns began with. */
  readonly #turns = new Map<string, string>()
  #questions = 0

  constructor(ports: PermissionPorts) {
    this.#ports = ports
    this.policy = ports.policy
    this.#gate = new EditGate(ports)
    this.#edits = new EditReview(ports)
  }

  /** What the person should know of a change that they are asked about. */
  get onRemark(): Listen<string> {
    return this.#edits.onRemark
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
      return refusalOf(request, ownFault)
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
    // What is asked about needs no receipt.
    if (call !== undefined) this.#gate.cancel(call)
    const refusal = await this.#gate.refusal(tool, input)
    if (refusal !== null) return deny(this.#refused(tool, input, refusal))
    const answer = await this.#edits.ask({ tool, input, origin: this.#origin(request) }, signal)
    switch (answer.kind) {
      case 'allow':
        if (answer.told !== null && call !== undefined)
          remember(this.#due, call, { ran: answer.told, failed: answer.words && acceptedWith(answer.words) })
        return { behavior: 'allow', updatedInput: answer.input }
      case 'deny':
        return deny(answer.message)
      case 'unreviewable':
        return null
    }
  }

  #refused(tool: EditTool, input: ToolInput, why: string): string {
    const path = namedPath(tool, input)
    if (path !== null) this.#ports.refused?.(tool, path)
    return why
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
    const subAgent = request.subtype === 'can_use_tool' ? request.agent_id : undefined
    return {
      ...this.#originOf(typeof call === 'string' ? call : `question ${++this.#questions}`),
      ...(subAgent === undefined ? {} : { subAgent }),
    }
  }

  #originOf(call: string): Origin {
    const turn = this.#turns.get(call)
    return { ...this.#ports.origin(call), ...(turn === undefined ? {} : { turn }) }
  }

  async #hook(callback: HookCallback, signal: AbortSignal): Promise<object> {
    const { callback_id: id, input } = callback
    if (id === beforeEdit) return this.#beforeEdit(callback, signal)
    const call = callback.tool_use_id ?? input.tool_use_id
    if (id !== afterEdit || call === undefined) return {}
    const due = this.#due.get(call)
    this.#due.delete(call)
    this.#turns.delete(call)
    const { hook_event_name: hookEventName } = input
    const hasFailed = hookEventName === 'PostToolUseFailure'
    if (hasFailed) this.#gate.cancel(call)
    else await this.#gate.ran(call)
    const additionalContext = (hasFailed ? due?.failed : due?.ran) ?? null
    return additionalContext === null ? {} : { hookSpecificOutput: { hookEventName, additionalContext } }
  }

  async #beforeEdit(callback: HookCallback, signal: AbortSignal): Promise<object> {
    const { tool_name: tool, permission_mode: mode, prompt_id: turn, agent_id: subAgent } = callback.input
    const input = objectOf(callback.input.tool_input)
    if (tool === undefined || !input)
      return hookDecision('deny', 'Greenlight doesn’t see what this changes. Ask in another way.')
    if (!isEditTool(tool)) return {}
    const path = editedPath(tool, input)
    if (path.ok) await this.#ports.beforeChange?.(path.value)
    const call = callback.tool_use_id ?? callback.input.tool_use_id ?? null
    if (call !== null && turn !== undefined) remember(this.#turns, call, turn)
    const decided = await this.#gate.decide({
      ...{ key: call, tool, input, mode, origin: this.#originOf(call ?? 'change') },
      policy: this.policy.mode,
      isPlanFile: writesItsPlan(callback.input),
      asksItself: this.#ports.reviewsInHook !== true,
    })
    switch (decided.kind) {
      case 'leave':
        return {}
      case 'review':
        return this.#permitInHook({ tool, input, call, subAgent }, signal)
      case 'deny':
        return hookDecision('deny', this.#refused(tool, input, decided.why))
      case 'ask':
      case 'allow':
        return hookDecision(decided.kind, decided.why)
      default:
        return unreachable(decided)
    }
  }

  /** Also what can’t be reviewed is asked about here, for nobody may ask about it afterwards. */
  async #permitInHook(
    change: { tool: EditTool; input: ToolInput; call: string | null; subAgent: string | undefined },
    signal: AbortSignal,
  ): Promise<object> {
    const { tool, input, call, subAgent } = change
    const asked: CanUseTool = {
      ...{ subtype: 'can_use_tool', tool_name: tool, input },
      ...(call === null ? {} : { tool_use_id: call }),
      ...(subAgent === undefined ? {} : { agent_id: subAgent }),
    }
    const permitted = await this.#permit(asked, signal)
    return permitted.behavior === 'deny'
      ? hookDecision('deny', permitted.message)
      : hookDecision('allow', 'Accepted in Greenlight.', permitted.updatedInput)
  }
}

/** What the model is told about a change whose tool then failed, besides the reason. */
function acceptedWith(words: string): string {
  return `The person accepted this change. They say: ${words}`
}

function remember<T>(calls: Map<string, T>, call: string, what: T): void {
  calls.set(call, what)
  dropOldest(calls, mostRemembered)
}
