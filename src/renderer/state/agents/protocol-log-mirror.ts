import type { LogRows, LogSource } from '../../../shared/contract/log'
import { client } from '../host/client'
import { mirrorTopic, replaceByDelta, useMirror, useTopic } from '../host/mirror'

const sourcesMirror = mirrorTopic(client, 'logSources', {}, replaceByDelta)

const none: readonly LogSource[] = []

/** Connections whose frames can be read, the oldest first. */
export function useLogSources(): readonly LogSource[] {
  return useMirror(sourcesMirror, (state) => state?.sources ?? none)
}

/** The frames of a connection, followed while the component stands; null until the host has told them. */
export function useFrames(connection: string): LogRows | null {
  const state = useTopic('log', { connection }, appendFrames)
  return state.kind === 'here' ? state.data : null
}

/** Adds new rows and drops those that the host no longer keeps; rows are numbered from 1. */
export function appendFrames(state: LogRows, { rows, forgotten }: LogRows): LogRows {
  const kept = state.rows.filter(({ seq }) => seq > forgotten)
  const last = kept.at(-1)?.seq ?? 0
  return { rows: [...kept, ...rows.filter(({ seq }) => seq > last)], forgotten }
}
