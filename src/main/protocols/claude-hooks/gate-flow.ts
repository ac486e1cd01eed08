import { basename } from 'node:path'
import type { Question } from '../../../shared/approval/approval'
import { dropOldest } from '../../../shared/drop-oldest'
import type { Origin } from '../../../shared/review/proposal'
import { EditGate, type GatedCall, type LookedAt, namedPath } from '../claude-tools/edit-gate'
import { EditReview } from '../claude-tools/edit-review'
import { type EditTool, isEditTool } from '../claude-tools/edit-tools'
import { writesItsPlan } from '../claude-tools/plan-file'
import { permissionResult, toolQuestion } from '../claude-tools/tool-question'
import type { CanUseTool } from '../claude-tools/tool-wire'
import { type CallDecision, type CallOf, type HookCall, keyOf } from './hook-wire'
import { isProposed } from './ide-link'
import type { Due, HookPorts, HookSession, HookSource } from './ports'

type Before = CallOf<'PreToolUse'>

/** So many changes wait for the person at most; more are refused. */
const mostReviews = 100
/** Calls that are remembered until their tool has run. */
const mostRemembered = 500

/** What is known about a call besides what it says. */
export interface Known {
  session: HookSession
  from: HookSource
  /** What `look` began. */
  looked: Promise<LookedAt> | undefined
}

/** What is done about each change of a file before it is made, and what is owed once it is made. */
export class GateFlow {
  readonly #ports: HookPorts
  readonly #gate: EditGate
  readonly #edits: EditReview
  /** The paths that calls asked about. */
  readonly #asked = new Map<string, string>()
  #reviewing = 0

  constructor(ports: HookPorts) {
    this.#ports = ports
    this.#gate = new EditGate(ports)
    this.#edits = new EditReview(ports)
    this.#edits.onRemark((sentence) => ports.say(sentence))
  }

  /** Begins to look at the files of a call while its session is still looked for. */
  look(call: HookCall): Promise<LookedAt> | undefined {
    if (call.hook_event_name === 'PostToolUse') this.#gate.lookAfter(keyOf(call))
    if (call.hook_event_name !== 'PreToolUse' || !isEditTool(call.tool_name)) return undefined
    const looked = this.#gate.look({ key: keyOf(call), tool: call.tool_name, input: call.tool_input })
    // Whoever decides awaits it.
    looked.catch(() => undefined)
    return looked
  }

  /** Decides on a call before it runs. Aborting the signal withdraws what it asks. */
  async decide(call: Before, { session, from, looked }: Known, signal: AbortSignal): Promise<CallDecision> {
    const { tool_name: tool, tool_input: input, prompt_id: turn, agent_id: subAgent } = call
    if (!isEditTool(tool)) return { kind: 'leave' }
    const origin: Origin = {
      ...{ ...session.origin, call: call.tool_use_id },
      ...(turn === undefined ? {} : { turn }),
      ...(subAgent === undefined ? {} : { subAgent }),
    }
    const path = namedPath(tool, input)
    const gated: GatedCall = {
      ...{ key: keyOf(call), tool, input, origin, mode: call.permission_mode },
      policy: this.#ports.policy.of(from.terminal),
      isPlanFile: writesItsPlan(call),
      asksItself: await isProposed({ link: session.link, tool, input }, () => this.#ports.opensDiffs()),
    }
    const decided = await this.#gate.decide(gated, looked)
    if (path === null)
      this.#ports.say('A change by Claude was refused: it didn’t say plainly which file it changes.')
    if (decided.kind === 'deny') return decided
    if (path !== null) this.#remember(call, path)
    return decided.kind === 'review' ? this.#review(tool, call, origin, signal) : decided
  }

  /** A call has run, or failed: what it owed is given. What the model is to be told, or null. */
  async done(call: CallOf<'PostToolUse'> | CallOf<'PostToolUseFailure'>): Promise<Due | null> {
    const { tool_name: tool, tool_input: input } = call
    if (!isEditTool(tool)) return null
    const key = keyOf(call)
    const asked = this.#asked.get(key)
    this.#asked.delete(key)
    if (call.hook_event_name === 'PostToolUseFailure') {
      this.#gate.cancel(key)
      return null
    }
    const path = namedPath(tool, input)
    if (asked !== undefined && path !== null && path !== asked)
      this.#ports.say(
        `Claude wrote ${path}, though it had asked about ${basename(asked)}: another hook changed the path. Look at the file.`,
      )
    if (asked !== undefined) this.#ports.mayHaveBeenWritten(asked)
    await this.#gate.ran(key)
    return path === null ? null : this.#ports.due.take(call)
  }

  async #review(tool: EditTool, call: Before, origin: Origin, signal: AbortSignal): Promise<CallDecision> {
    if (this.#reviewing >= mostReviews) {
      this.#ports.say(`Changes by Claude are refused while ${mostReviews} wait for you. Decide on some.`)
      return {
        kind: 'deny',
        why: `${mostReviews} changes are already waiting for the person. Wait for their decisions.`,
      }
    }
    this.#reviewing += 1
    try {
      const answer = await this.#edits.ask({ tool, input: call.tool_input, origin }, signal)
      switch (answer.kind) {
        case 'allow':
          return { kind: 'allow', why: accepted, input: answer.input, told: answer.told }
        case 'deny':
          return { kind: 'deny', why: answer.message }
        case 'unreviewable':
          return await this.#approve(call, origin, signal)
      }
    } finally {
      this.#reviewing -= 1
    }
  }

  /** What has no text to review is asked about as it is. */
  async #approve(call: Before, origin: Origin, signal: AbortSignal): Promise<CallDecision> {
    const { tool_name, tool_input: input, tool_use_id } = call
    const request: CanUseTool = { subtype: 'can_use_tool', tool_name, input, tool_use_id }
    const question = withoutStopping(toolQuestion(request, origin, call.cwd))
    const answer = permissionResult(request, await this.#ports.approvals.ask(question, signal))
    return answer.behavior === 'deny'
      ? { kind: 'deny', why: answer.message }
      : { kind: 'allow', why: accepted, input: answer.updatedInput }
  }

  #remember(call: Before, path: string): void {
    this.#asked.set(keyOf(call), path)
    dropOldest(this.#asked, mostRemembered)
  }
}

const accepted = 'Accepted in Greenlight.'

/** A hook's answer can't end the turn. */
function withoutStopping(question: Question): Question {
  const options = question.options.filter(({ leadsTo }) => leadsTo.kind !== 'deny' || !leadsTo.stops)
  return { ...question, options }
}
