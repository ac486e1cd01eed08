import type { Effect, Opening, Origin } from '../../../shared/review/proposal'

/** One who asks for a change: an agent may ask for the same one by several connections, and each wants its answer. */
export interface Asker {
  readonly origin: Origin
  /** Its question is closed when this is aborted. */
  readonly signal: AbortSignal | null
  /** Answers it; called once. */
  answer: ((opening: Opening) => void) | null
  /** It went while others still asked, so what becomes of the change is not said about it. */
  hasLeft: boolean
}

/** One who asks, at its beginning. */
export function makeAsker(
  origin: Origin,
  signal: AbortSignal | null = null,
  answer: ((opening: Opening) => void) | null = null,
): Asker {
  return { origin, signal, answer, hasLeft: false }
}

/** Who writes when two ask for one change, or null where those two cannot be one: their ways to the disk collide. */
export function jointEffect(one: Effect, other: Effect): Effect | null {
  if (one === other) return one === 'written' ? null : one
  const both = [one, other]
  return both.includes('agent') && both.includes('agent-then-host') ? 'agent-then-host' : null
}

/** Those that a change is still about: all that asked, but for those that went while others stayed. */
export function originsOf(askers: readonly Asker[]): readonly Origin[] {
  return askers.filter(({ hasLeft }) => !hasLeft).map(({ origin }) => origin)
}

/** The names as they are read in a sentence: "Claude", "Claude and Gemini", "Claude (2 connections)". */
export function readNames(origins: readonly Origin[]): string {
  const counts = new Map<string, number>()
  for (const { agent } of origins) counts.set(agent, (counts.get(agent) ?? 0) + 1)
  const names = [...counts].map(([name, count]) => (count > 1 ? `${name} (${count} connections)` : name))
  const last = names.pop() ?? ''
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}

/**
 * Whether two asked out of one process tree; told by the system, so it takes a moment. Never called for origins of
 * one connection.
 */
export type SameTree = (one: Origin, other: Origin) => Promise<boolean>

/** Whether an origin is of the agent that asks already: by its connection, else by its process. */
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

/** Whether one of them asks by this call of this connection. */
export function isAskedBy(askers: readonly Asker[], connection: string, call: string): boolean {
  return askers.some(({ origin }) => origin.connection === connection && origin.call === call)
}
