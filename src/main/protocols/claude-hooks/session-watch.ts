import { isDeepStrictEqual } from 'node:util'
import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'
import type { ToldWork } from '../../core/connections/connections'
import { isEditTool } from '../claude-tools/edit-tools'
import { mostAhead } from './gate-liveness'
import type { CallOf, HookCall } from './hook-wire'
import type { HookSource } from './ports'
import { dropOldest } from '../../../shared/drop-oldest'

/** A tool at work: from its PreToolUse to its PostToolUse. Only registered tools have one. */
export interface ToolRun {
  call: string
  tool: string
  input: Readonly<Record<string, unknown>>
  /** The sub-agent that uses it; null for the main thread. */
  agent: string | null
  /** Milliseconds since the epoch. */
  began: number
  /** What it runs; null for a tool that runs no command. */
  command: string | null
  /** Whether the terminal has asked the person about it. */
  isAsked: boolean
  /** Whether they have allowed it here. */
  isAllowed: boolean
}

/** One session, as its hooks tell of it. */
export interface WatchedSession {
  session: string
  terminal: string
  /** The permission mode of its last event that names one; null if none has. */
  mode: string | null
  /** The prompt of its turn; null between turns. */
  turn: string | null
  /** Its sub-agents by id, with their types. */
  agents: ReadonlyMap<string, string>
  /** By the ids of their calls. */
  toolRuns: ReadonlyMap<string, ToolRun>
  /** How many commands go on in the background. */
  background: number
  /** Nothing has been heard since something that hooks would have followed. */
  isDoubted: boolean
}

interface Watched extends WatchedSession {
  agents: Map<string, string>
  toolRuns: Map<string, ToolRun>
  /** When something last ended that may have written. */
  workedAt: number
  /** The command that ended then, if nothing else ran. */
  lastCommand: string | null
  /** When its last prompt was heard. */
  promptedAt: number
  /** Calls that are over, lest a late PreToolUse begin them again, and whether the terminal had asked about them. */
  over: Map<string, boolean>
}

/** In milliseconds: what a command wrote may be heard of so much later. */
const commandTail = 1000
const mostSessions = 200
const mostRuns = 500
const mostOver = 200

/**
 * What sessions do, from what their hooks say, in whatever order it comes. Esc says nothing, so what is missing ends with
 * the next prompt. Sub-agents in the background work on between turns.
 */
export class SessionWatch implements Disposable {
  readonly #sessions = new Map<string, Watched>()
  readonly #isWaiting: (session: string) => boolean
  readonly #now: () => number
  readonly #changes = new Emitter<string>()
  /** Something of a session is different; tells its id. */
  readonly onChange: Listen<string> = this.#changes.on

  /** `isWaiting`: whether it is certain that a session's terminal asks the person now. */
  constructor(isWaiting: (session: string) => boolean, now: () => number = Date.now) {
    this.#isWaiting = isWaiting
    this.#now = now
  }

  of(session: string): WatchedSession | null {
    return this.#sessions.get(session) ?? null
  }

  get all(): readonly WatchedSession[] {
    return [...this.#sessions.values()]
  }

  heard(call: HookCall, { terminal }: HookSource): void {
    const id = call.session_id
    const before = this.#sessions.get(id)
    const watched: Watched = before ?? {
      ...{ session: id, terminal, mode: null, turn: null, agents: new Map(), toolRuns: new Map() },
      ...{ background: 0, workedAt: this.#now(), lastCommand: null, promptedAt: -Infinity },
      ...{ isDoubted: false, over: new Map() },
    }
    if (call.hook_event_name === 'SessionEnd') {
      this.forget(id)
      return
    }
    // The one heard last is the last to be dropped.
    this.#sessions.delete(id)
    this.#sessions.set(id, watched)
    watched.terminal = terminal
    watched.isDoubted = call.hook_event_name === 'ConfigChange'
    watched.mode = call.permission_mode ?? watched.mode
    this.#take(watched, call)
    dropOldest(this.#sessions, mostSessions)
    this.#changes.emit(id)
  }

  /**
   * The call that a question of the terminal is about, which doesn't name it; null if none is known. Of equal ones it is
   * the oldest that wasn't asked about before.
   */
  asks(question: CallOf<'PermissionRequest'>): string | null {
    const { session_id: id, agent_id: agent = null, tool_name: tool, tool_input: input } = question
    const equal = [...(this.#sessions.get(id)?.toolRuns.values() ?? [])].filter(
      (run) => run.agent === agent && run.tool === tool && isDeepStrictEqual(run.input, input),
    )
    const run = equal.find(({ isAsked }) => !isAsked) ?? equal[0]
    if (run) run.isAsked = true
    return run?.call ?? null
  }

  /** The person has allowed a call here: from now on it works. */
  allowed(session: string, call: string): void {
    const run = this.#sessions.get(session)?.toolRuns.get(call)
    if (run) run.isAllowed = true
  }

  /** Whether the terminal asked the person about a call that is over, wherever they answered. */
  wasAsked(session: string, call: string): boolean {
    return this.#sessions.get(session)?.over.get(call) === true
  }

  /**
   * Its connection shows that a turn begins. If no prompt was heard of just before, its hooks may not be called: until one
   * is, nothing is known.
   */
  turnShown(session: string): void {
    const watched = this.#sessions.get(session)
    if (!watched || this.#now() - watched.promptedAt <= mostAhead) return
    watched.isDoubted = true
    this.#changes.emit(session)
  }

  /** The session's own note says that it is idle: its main thread has no turn. */
  rests(session: string): void {
    const watched = this.#sessions.get(session)
    if (!watched || (watched.turn === null && runsOf(watched, null).length === 0)) return
    this.#endTurn(watched)
    this.#changes.emit(session)
  }

  /** Its process has gone, or it is over. */
  forget(session: string): void {
    if (this.#sessions.delete(session)) this.#changes.emit(session)
  }

  /**
   * What a session does that may change files other than by an editing tool, which is asked about or told of itself; null
   * if that isn't known. What ends counts also for what follows it, such as a hook of the person's that formats.
   */
  workOf(session: string): ToldWork | null {
    const watched = this.#sessions.get(session)
    if (!watched || watched.isDoubted) return null
    const isWaiting = this.#isWaiting(session)
    const runs = [...watched.toolRuns.values()].filter(
      ({ tool, isAsked, isAllowed }) => !isEditTool(tool) && !(isAsked && !isAllowed && isWaiting),
    )
    const now = this.#now()
    const { workedAt, lastCommand, background } = watched
    if (runs.length === 0 && background === 0)
      return { at: workedAt, command: now - workedAt <= commandTail ? lastCommand : null }
    const [only] = runs.length === 1 && background === 0 ? runs : []
    return { at: now, command: only?.command ?? null }
  }

  dispose(): void {
    this.#sessions.clear()
    this.#changes.dispose()
  }

  #take(watched: Watched, call: HookCall): void {
    const agent = call.agent_id ?? null
    switch (call.hook_event_name) {
      case 'UserPromptSubmit':
        this.#endTurn(watched)
        watched.turn = call.prompt_id ?? ''
        watched.promptedAt = this.#now()
        return
      case 'PreToolUse':
        if (watched.over.has(call.tool_use_id)) return
        watched.toolRuns.set(call.tool_use_id, runOf(call, this.#now()))
        return dropOldest(watched.toolRuns, mostRuns)
      case 'PostToolUse':
        if (call.tool_input['run_in_background'] === true) watched.background++
        return this.#endRun(watched, call.tool_use_id)
      case 'PostToolUseFailure':
      case 'PermissionDenied':
        return this.#endRun(watched, call.tool_use_id)
      case 'SubagentStart':
        watched.agents.set(call.agent_id, call.agent_type ?? '')
        return
      case 'SubagentStop':
        watched.agents.delete(call.agent_id)
        for (const { call: id } of runsOf(watched, agent)) this.#endRun(watched, id)
        return this.#worked(watched)
      case 'Stop':
      case 'StopFailure':
        return this.#stop(watched, call)
      default:
    }
  }

  /** Also says what goes on: sub-agents by their ids, and commands. */
  #stop(watched: Watched, call: CallOf<'Stop' | 'StopFailure'>): void {
    this.#endTurn(watched)
    this.#worked(watched)
    if (call.hook_event_name !== 'Stop' || !call.background_tasks) return
    const tasks = call.background_tasks.filter(({ status = 'running' }) => status === 'running')
    watched.background = tasks.filter(({ type }) => type !== 'subagent').length
    const ids = new Set(tasks.map(({ id }) => id))
    for (const agent of watched.agents.keys()) if (!ids.has(agent)) watched.agents.delete(agent)
    for (const run of watched.toolRuns.values())
      if (run.agent !== null && !ids.has(run.agent)) this.#endRun(watched, run.call)
  }

  #endTurn(watched: Watched): void {
    watched.turn = null
    for (const { call } of runsOf(watched, null)) this.#endRun(watched, call)
  }

  #worked(watched: Watched, run?: ToolRun): void {
    watched.workedAt = this.#now()
    watched.lastCommand = run?.command ?? null
  }

  #endRun(watched: Watched, call: string | undefined): void {
    if (call === undefined) return
    const run = watched.toolRuns.get(call)
    watched.toolRuns.delete(call)
    watched.over.set(call, run?.isAsked ?? watched.over.get(call) ?? false)
    dropOldest(watched.over, mostOver)
    this.#worked(watched, watched.toolRuns.size === 0 ? run : undefined)
  }
}

function runsOf({ toolRuns }: WatchedSession, agent: string | null): ToolRun[] {
  return [...toolRuns.values()].filter((run) => run.agent === agent)
}

function runOf(call: CallOf<'PreToolUse'>, began: number): ToolRun {
  const { tool_use_id: id, tool_name: tool, tool_input: input, agent_id: agent = null } = call
  const command = input['command']
  return {
    ...{ call: id, tool, input, agent, began, isAsked: false, isAllowed: false },
    command: typeof command === 'string' ? firstLine(command) : null,
  }
}

const longestCommand = 120

function firstLine(command: string): string | null {
  const [line = ''] = command.trim().split(/\r?\n/, 1)
  if (line === '') return null
  return line.length <= longestCommand ? line : `${line.slice(0, longestCommand)}…`
}
