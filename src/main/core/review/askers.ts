import type { Effect, Opening, Origin } from '../../../shared/review/proposal'

/** Someone who asks for a change. An agent may ask for the same one over several connections; each gets its answer. */
export interface Asker {
  readonly origin: Origin
  /** Aborted when nobody waits for this answer any more. */
  readonly signal: AbortSignal | null
  /** Called once, with the answer. */
  answer: ((opening: Opening) => void) | null
  /** It left while others were still asking, so sentences about the change no longer name it. */
  hasLeft: boolean
  /** Its model hears what the person says: by the answer, or it has been told; else that is typed. */
  isTold: boolean
}

export function makeAsker(
  origin: Origin,
  signal: AbortSignal | null = null,
  answer: ((opening: Opening) => void) | null = null,
  isTold = false,
): Asker {
  return { origin, signal, answer, hasLeft: false, isTold }
}

/** Who writes when two ask for the same change; null where both would write it in ways that collide. */
export function jointEffect(one: Effect, other: Effect): Effect | null {
  if (one === other) return one === 'written' ? null : one
  const both = [one, other]
  return both.includes('agent') && both.includes('agent-then-host') ? 'agent-then-host' : null
}

/** Everyone who asked, except those that left while others were still asking. */
export function originsOf(askers: readonly Asker[]): readonly Origin[] {
  return askers.filter(({ hasLeft }) => !hasLeft).map(({ origin }) => origin)
}

/** The agents' names for a sentence: "Claude", "Claude and Gemini", "Claude (2 connections)". */
export function readNames(origins: readonly Origin[]): string {
  // Sub-agents ask over their agent's connection.
  const connections = new Map<string, Set<string>>()
  for (const { agent, connection } of origins)
    connections.set(agent, (connections.get(agent) ?? new Set()).add(connection))
  const names = [...connections].map(([name, { size }]) =>
    size > 1 ? `${name} (${size} connections)` : name,
  )
  const last = names.pop() ?? ''
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}

/**
 * Whether two origins belong to one process tree, as the system says. Never called for two origins of one connection.
 */
export type SameTree = (one: Origin, other: Origin) => Promise<boolean>

/** Whether an origin belongs to an agent that already asks: by its connection, else by its process tree. */
export async function isOfOneAgent(
  askers: readonly Asker[],
  origin: Origin,
  isOneTree: SameTree | undefined,
): Promise<boolean> {
  const origins = originsOf(askers)
  if (origins.some(({ connection }) => connection === origin.connection)) return true
  for (const other of origins) if (await isOneTree?.(other, origin)) return true
  return false
}

/** Whether one of them asks with this call on this connection. */
export function isAskedBy(askers: readonly Asker[], connection: string, call: string): boolean {
  return askers.some(({ origin }) => origin.connection === connection && origin.call === call)
}
