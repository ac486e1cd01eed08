import { basename, isAbsolute } from 'node:path'
import type { Question } from '../../../shared/approval/approval'
import type { Origin } from '../../../shared/review/proposal'
import { EditReview } from '../claude-tools/edit-review'
import { type EditTool, editedPath, isEditTool } from '../claude-tools/edit-tools'
import { writesItsPlan } from '../claude-tools/plan-file'
import { permissionResult, toolQuestion } from '../claude-tools/tool-question'
import type { CanUseTool } from '../claude-tools/tool-wire'
import { decideGate } from './gate'
import { type CallDecision, type CallOf, keyOf } from './hook-wire'
import { LetThroughWrites } from './let-through-writes'
import type { HookPorts, HookSession, HookSource } from './ports'
import { dropOldest } from '../../../shared/drop-oldest'

type Before = CallOf<'PreToolUse'>

/** So many changes wait for the person at most; more are refused. */
const mostReviews = 100
/** Calls that are remembered until their tool has run. */
const mostRemembered = 500

/** What is done about each change of a file before it is made, and what is owed once it is made. */
export class GateFlow {
  readonly #ports: HookPorts
  readonly #edits: EditReview
  readonly #letThrough: LetThroughWrites
  /** The paths that calls asked about. */
  readonly #asked = new Map<string, string>()
  #reviewing = 0

  constructor(ports: HookPorts) {
    this.#ports = ports
    this.#letThrough = new LetThroughWrites(ports)
    this.#edits = new EditReview({
      review: (proposal, signal) => ports.review.open(proposal, signal),
    })
    this.#edits.onRemark((sentence) => ports.say(sentence))
  }

  /** How many changes the person is asked about here. */
  get reviewing(): number {
    return this.#reviewing
  }

  /** Decides on a call before it runs. Aborting the signal withdraws what it asks. */
  async decide(
    call: Before,
    session: HookSession,
    from: HookSource,
    signal: AbortSignal,
  ): Promise<CallDecision> {
    const { tool_name: tool, tool_input: input } = call
    if (!isEditTool(tool)) return { kind: 'leave' }
    const path = pathOf(tool, input)
    const origin: Origin = { ...session.origin, call: call.tool_use_id }
    const rule = path === null ? null : await this.#ports.rules.of(path)
    const isPlanFile = writesItsPlan(call)
    const mayPass = path !== null && rule?.answer === 'write'
    const write = mayPass ? await this.#letThrough.prepare(tool, call, path, origin) : null
    const decided = decideGate({
      ...{ tool, mode: call.permission_mode, policy: this.#ports.policy.of(from.terminal) },
      // What couldn't be put back is asked about.
      rule: mayPass && write === null ? { ...rule, answer: 'ask' } : rule,
      ...{ link: session.link, isPlanFile, isUnderstood: path !== null },
    })
    if (decided.kind === 'deny') return decided
    if (path !== null) this.#remember(call, path)
    if (decided.kind === 'review') return this.#review(tool, call, origin, signal)
    if (decided.kind === 'leave' && path !== null && !isPlanFile) {
      const left = await this.#letThrough.prepare(tool, call, path, origin)
      if (left) this.#letThrough.begin(call, left, { kind: 'mode', mode: call.permission_mode ?? 'default' })
    }
    if (decided.kind !== 'allow')
      return decided.kind === 'ask'
        ? { kind: 'ask', why: 'Greenlight reviews each change of a file.' }
        : decided
    if (write) this.#letThrough.begin(call, write, { kind: 'rule', pattern: decided.rule.pattern })
    return { kind: 'allow', why: `The user’s rule “${decided.rule.pattern}” lets agents change this file.` }
  }

  /** A call has run, or failed: what it owed is given. Words for the model, or null. */
  async done(call: CallOf<'PostToolUse'> | CallOf<'PostToolUseFailure'>): Promise<string | null> {
    const { tool_name: tool, tool_input: input } = call
    if (!isEditTool(tool)) return null
    const asked = this.#asked.get(keyOf(call))
    this.#asked.delete(keyOf(call))
    const path = pathOf(tool, input)
    if (call.hook_event_name === 'PostToolUse' && asked !== undefined && path !== null && path !== asked)
      this.#ports.say(
        `Claude wrote ${path}, though it had asked about ${basename(asked)}: another hook changed the path. Look at the file.`,
      )
    await this.#letThrough.end(call)
    if (call.hook_event_name === 'PostToolUseFailure' || path === null) return null
    return this.#ports.due.take(call)
  }

  async #review(tool: EditTool, call: Before, origin: Origin, signal: AbortSignal): Promise<CallDecision> {
    if (this.#reviewing >= mostReviews)
      return {
        kind: 'deny',
        why: `${mostReviews} changes wait for the person already. Wait for their decisions.`,
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

/** The file that a call changes; null for one that doesn't say it so that everybody reads the same. */
function pathOf(tool: EditTool, input: unknown): string | null {
  const target = editedPath(tool, input)
  return target.ok && isAbsolute(target.value) && !target.value.includes('\0') ? target.value : null
}

/** A hook's answer can't end the turn. */
function withoutStopping(question: Question): Question {
  const options = question.options.filter(({ leadsTo }) => leadsTo.kind !== 'deny' || !leadsTo.stops)
  return { ...question, options }
}
