import type { GateNow, GatedAgent } from '../../../shared/contract/gate'
import { client } from '../host/client'
import { mirrorTopic, replaceByDelta, useMirror } from '../host/mirror'

const gateMirror = mirrorTopic(client, 'gate', {}, replaceByDelta<GateNow>)

/** What is asked once of reviews, followed. */
export function useGateQuestion(): GateNow['question'] {
  return useMirror(gateMirror, (state) => state?.question ?? null)
}

const none: readonly GatedAgent[] = []

/** How much is asked of the connected agents, and whether it really is; followed. */
export function useGatedAgents(): readonly GatedAgent[] {
  return useMirror(gateMirror, (state) => state?.agents ?? none)
}

/** Whether agents in new terminals pass the gate, followed; true until that is known. */
export function useGateOffered(): boolean {
  return useMirror(gateMirror, (state) => state?.isOffered ?? true)
}
