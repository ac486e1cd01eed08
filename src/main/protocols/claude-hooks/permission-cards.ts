import { isDeepStrictEqual } from 'node:util'
import type { ApprovalOption, Question } from '../../../shared/approval/approval'
import { type Origin, type WithdrawnReason, withdrawnReasonOf } from '../../../shared/review/proposal'
import type { ApprovalAsking } from '../../core/approvals/approvals'
import type { NotedStatus } from '../../core/history/running-sessions'
import { commandPlaces } from '../claude-tools/command-paths'
import { isEditTool } from '../claude-tools/edit-tools'
import { permissionResult, toolQuestion } from '../claude-tools/tool-question'
import type { CanUseTool } from '../claude-tools/tool-wire'
import { type CallOf, type HookCall, noOpinion, permissionAnswer } from './hook-wire'
import { isProposed } from './ide-link'
import type { HookSession } from './ports'
import type { SessionWatch } from './session-watch'

type Asked = CallOf<'PermissionRequest'>

/** What the cards need. */
export interface CardPorts {
  approvals: Pick<ApprovalAsking, 'ask'>
  watch: Pick<SessionWatch, 'asks' | 'allowed'>
  /** Whether the person wants to be asked here too. */
  isOn(): boolean
  /** Whether somebody could see a card. */
  hasPage(): boolean
  /** Whether agents show what they propose in a connected editor at all, by their own settings. */
  opensDiffs(): Promise<boolean>
  /** The window's folders. */
  folders(): readonly string[]
  /** `unknown` where a session has no note. */
  status(session: string): NotedStatus
}

interface Card {
  asked: Asked
  /** The tool's call; null if it isn't known. */
  call: string | null
  /** Its terminal was seen to ask. */
  wasWaiting: boolean
  close(reason: WithdrawnReason): void
}

/** The option that leaves a question to the terminal. */
const inTerminal: ApprovalOption = {
  id: 'terminal',
  label: 'Ask in the terminal',
  leadsTo: { kind: 'leave' },
}

/** What the agent itself asks once more in other words, so that what was run differs from what was asked about. */
const rephrased: readonly string[] = ['AskUserQuestion', 'ExitPlanMode']

/**
 * What a terminal asks, asked here as well: whichever is answered first counts. "Yes" in the terminal leaves the request
 * open, so the card also closes by what follows it. A sub-agent in the background is asked here first: its terminal asks
 * once this is answered.
 */
export class PermissionCards {
  readonly #ports: CardPorts
  readonly #open = new Set<Card>()
  #questions = 0

  constructor(ports: CardPorts) {
    this.#ports = ports
  }

  /** How many wait. */
  get waiting(): number {
    return this.#open.size
  }

  /** A change that is proposed over a connection has its review, and no card: null, as for all that only the terminal asks. */
  async answer(
    asked: Asked,
    { origin, link }: Pick<HookSession, 'origin' | 'link'>,
    signal: AbortSignal,
  ): Promise<object | null> {
    const { approvals, watch, isOn, hasPage, status, opensDiffs } = this.#ports
    const { session_id: session, agent_id: agent, tool_name: tool, tool_input: input } = asked
    const call = watch.asks(asked)
    if (!isOn() || (isEditTool(tool) && (await isProposed({ link, tool, input }, opensDiffs)))) return null
    // Of a sub-agent in the background nobody would be asked at all.
    if (agent !== undefined && !hasPage()) return null
    const closing = new AbortController()
    const card: Card = {
      ...{ asked, call, wasWaiting: status(session) === 'waiting' },
      close: (reason) => {
        this.#open.delete(card)
        closing.abort(reason)
      },
    }
    const lost = (): void => {
      const reason = withdrawnReasonOf(signal)
      // "No" and Esc in the terminal close the request; so does the end of the agent, whose note is gone then.
      const cancelled = status(session) === 'unknown' ? 'connection-lost' : 'answered-there'
      card.close(reason === 'cancelled' ? cancelled : reason)
    }
    this.#open.add(card)
    signal.addEventListener('abort', lost, { once: true })
    if (signal.aborted) lost()
    try {
      const request = requestOf(asked, call)
      const requester = { ...origin, call: call ?? `question ${++this.#questions}` }
      const answer = await approvals.ask(this.#question(asked, request, requester), closing.signal)
      if (answer.kind !== 'allowed' && answer.kind !== 'denied') return noOpinion
      if (answer.kind === 'allowed' && call !== null) watch.allowed(session, call)
      return permissionAnswer(permissionResult(request, answer))
    } finally {
      signal.removeEventListener('abort', lost)
      this.#open.delete(card)
    }
  }

  /** What shows that a question was answered in the terminal. */
  heard(call: HookCall): void {
    for (const card of this.#open) if (isOver(card, call)) card.close('answered-there')
  }

  /** A session's note has changed: it waits no longer once its only question is answered. */
  noted(session: string, status: NotedStatus): void {
    const cards = [...this.#open].filter(({ asked }) => asked.session_id === session)
    if (status === 'waiting') for (const card of cards) card.wasWaiting = true
    const [only] = cards
    if (status === 'working' && cards.length === 1 && only?.wasWaiting) only.close('answered-there')
    if (status === 'idle')
      for (const card of cards)
        if (card.wasWaiting && card.asked.agent_id === undefined) card.close('answered-there')
  }

  #question(asked: Asked, request: CanUseTool, requester: Origin): Question {
    const question = toolQuestion(request, requester, asked.cwd)
    const { command } = asked.tool_input
    const outside =
      typeof command === 'string' ? commandPlaces(command, asked.cwd, this.#ports.folders()) : []
    const isSub = asked.agent_id !== undefined
    const why = [
      question.why,
      outside.length === 0 ? null : `It names places outside the folder: ${outside.join(', ')}`,
      isSub ? 'If it works in the background, its terminal asks only after you answer here.' : null,
    ].filter((line) => line !== null)
    return {
      ...question,
      why: why.length === 0 ? null : why.join('\n'),
      options: isSub ? [...question.options, inTerminal] : question.options,
      // Nothing tells why it is asked: a rule of the person's may want a person.
      needsPerson: true,
    }
  }
}

function requestOf(asked: Asked, call: string | null): CanUseTool {
  const { tool_name, tool_input: input, permission_suggestions, agent_id } = asked
  return {
    ...{ subtype: 'can_use_tool', tool_name, input },
    ...(call === null ? {} : { tool_use_id: call }),
    ...(permission_suggestions ? { permission_suggestions } : {}),
    ...(agent_id === undefined ? {} : { agent_id }),
  }
}

/** Whether what is heard comes only after the card's question was answered. */
function isOver({ asked, call }: Card, heard: HookCall): boolean {
  if (heard.session_id !== asked.session_id) return false
  const isSameAgent = heard.agent_id === asked.agent_id
  switch (heard.hook_event_name) {
    case 'SessionEnd':
      return true
    case 'UserPromptSubmit':
    case 'Stop':
    case 'StopFailure':
      return asked.agent_id === undefined
    case 'SubagentStop':
      return isSameAgent
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      if (call !== null) return heard.tool_use_id === call
      if (!isSameAgent || heard.tool_name !== asked.tool_name) return false
      return rephrased.includes(asked.tool_name) || isDeepStrictEqual(heard.tool_input, asked.tool_input)
    }
    case 'PermissionDenied':
      return call !== null && heard.tool_use_id === call
    default:
      return false
  }
}
