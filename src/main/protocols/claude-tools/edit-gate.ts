import { isAbsolute } from 'node:path'
import type { Origin } from '../../../shared/review/proposal'
import { type GateDecision, decideGate, refusedBy, unnamed } from '../../core/gate/gate-decision'
import type { GateMode } from '../../core/gate/gate-policy'
import type { GateRules } from '../../core/gate/gate-rules'
import type { PathRule } from '../../../shared/gate/path-rule'
import { resolveRealPath } from '../../core/files/real-path'
import { canBePutBack } from '../../core/review/record/receipts'
import { type EditTool, type ToolInput, editedPath } from './edit-tools'
import { type LetThroughPorts, LetThroughWrites, type PreparedWrite } from './let-through-writes'

/** What the gate needs of the app. */
export interface EditGatePorts extends LetThroughPorts {
  rules: Pick<GateRules, 'of'>
}

/** What a call of an editing tool is going to change. */
interface ToolChange {
  /** What names the call when it has run; null for one that can't be named, so no rule lets it through. */
  key: string | null
  tool: EditTool
  input: ToolInput
}

/** A call of an editing tool that is about to run. */
export interface GatedCall extends ToolChange {
  origin: Origin
  /** The session's permission mode, in the agent's word; undefined if it doesn't say. */
  mode: string | undefined
  policy: GateMode
  isPlanFile: boolean
  asksItself: boolean
}

/** What the files and the person's rules say of a call. */
export interface LookedAt {
  /** Null for one that doesn't say plainly which file it changes. */
  path: string | null
  realPath: Promise<string> | null
  rule: PathRule | null
  /** Of one that a rule may let through; null also where it couldn't be put back. */
  write: PreparedWrite | null
}

/** Decides on each call of an editing tool, whichever way it comes, and has a receipt kept of what nobody is asked about. */
export class EditGate {
  readonly #rules: EditGatePorts['rules']
  readonly #writes: LetThroughWrites

  constructor(ports: EditGatePorts) {
    this.#rules = ports.rules
    this.#writes = new LetThroughWrites(ports)
  }

  /** What takes time before a decision, and needs no knowledge of who calls. */
  async look(call: ToolChange): Promise<LookedAt> {
    const path = namedPath(call.tool, call.input)
    if (path === null) return { path, realPath: null, rule: null, write: null }
    const realPath = resolveRealPath(path)
    // Whoever needs it awaits it.
    realPath.catch(() => undefined)
    const rule = await this.#rules.of(path, realPath)
    const mayPass = call.key !== null && rule?.answer === 'write'
    const write = mayPass ? await this.#writes.prepare(call, { path, realPath: await realPath }) : null
    return { path, realPath, rule, write: write && canBePutBack(write.receipt.before) ? write : null }
  }

  async decide(call: GatedCall, looked = this.look(call)): Promise<GateDecision> {
    const { key, origin, mode, policy, isPlanFile, asksItself } = call
    const { path, realPath, rule, write } = await looked
    const decided = decideGate({
      ...{ policy, isPlanFile, asksItself, isPlanning: mode === 'plan', isUnderstood: path !== null },
      // What couldn't be put back is asked about.
      rule: rule?.answer === 'write' && write === null ? { ...rule, answer: 'ask' } : rule,
    })
    if (path === null || realPath === null || key === null || isPlanFile) return decided
    if (decided.kind === 'allow' && write)
      await this.#writes.begin(key, write, origin, { kind: 'rule', pattern: decided.rule.pattern })
    // Where the agent asks, but not over its own protocol, somebody has agreed once it has run.
    const isAskedThere = decided.kind === 'ask' && !asksItself
    if (decided.kind === 'leave' || isAskedThere) {
      const left = await this.#writes.prepare(call, { path, realPath: await realPath })
      const by = isAskedThere
        ? { kind: 'person' as const }
        : { kind: 'mode' as const, mode: mode ?? 'default' }
      if (left) await this.#writes.begin(key, left, origin, by)
    }
    return decided
  }

  /** Why a call is refused unasked; null if it isn't. For agents that ask, whether or not they say before that it runs. */
  async refusal(tool: EditTool, input: unknown): Promise<string | null> {
    const path = namedPath(tool, input)
    if (path === null) return unnamed
    const rule = await this.#rules.of(path)
    return rule?.answer === 'never' ? refusedBy(rule) : null
  }

  /** A call has run: begins to look at what it has written, for `ran`. */
  lookAfter(key: string): void {
    this.#writes.look(key)
  }

  /** A call has run. Resolves when its receipt, if it gets one, is kept. */
  ran(key: string): Promise<void> {
    return this.#writes.ran(key)
  }

  /** A call has failed, or is asked about after all. */
  cancel(key: string): void {
    this.#writes.cancel(key)
  }
}

/**
 * The file that a call changes; null for one that doesn't say it so that everybody reads the same: behind a symbolic link
 * “..” is one folder for who follows links and another for who doesn't.
 */
export function namedPath(tool: EditTool, input: unknown): string | null {
  const target = editedPath(tool, input)
  if (!target.ok || !isAbsolute(target.value) || target.value.includes('\0')) return null
  return target.value.split(/[\\/]/).includes('..') ? null : target.value
}
