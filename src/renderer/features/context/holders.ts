import type { ContextState, SentEntry } from '../../../shared/contract/context'

/** Agents of one name that got something, the last of them at `at`. */
export interface Holder {
  agent: string
  at: number
  /** How many connections. */
  count: number
}

type Selection = NonNullable<ContextState['selection']>

/** The agents that hold the selection now: the last they heard of any was this one. */
export function holdersOfSelection(
  sent: readonly SentEntry[],
  connected: ReadonlySet<string>,
  selection: Pick<Selection, 'path' | 'start' | 'end'>,
): Holder[] {
  const last = lastOf(sent, connected, ({ item }) => ['selection', 'cursor', 'nothing'].includes(item.kind))
  return byAgent(last.filter(({ item }) => isThat(item, selection)))
}

/** The agents that were ever told of a file while they were connected, in whatever way. */
export function holdersOfFile(
  sent: readonly SentEntry[],
  connected: ReadonlySet<string>,
  path: string,
): Holder[] {
  return byAgent(lastOf(sent, connected, ({ item }) => namesPath(item, path)))
}

function namesPath(item: SentEntry['item'], path: string): boolean {
  switch (item.kind) {
    case 'selection':
    case 'cursor':
    case 'mention':
      return item.path === path
    case 'files':
    case 'diagnostics':
      return item.paths.includes(path)
    case 'nothing':
      return false
  }
}

function isThat(
  item: SentEntry['item'],
  { path, start, end }: Pick<Selection, 'path' | 'start' | 'end'>,
): boolean {
  const isCursor = start.line === end.line && start.character === end.character
  if (item.kind === 'cursor') return isCursor && item.path === path
  return (
    item.kind === 'selection' &&
    item.path === path &&
    item.start.line === start.line &&
    item.start.character === start.character &&
    item.end.line === end.line &&
    item.end.character === end.character
  )
}

/** The last fitting entry of each connection that is still there. */
function lastOf(
  sent: readonly SentEntry[],
  connected: ReadonlySet<string>,
  fits: (entry: SentEntry) => boolean,
): SentEntry[] {
  const last = new Map<string, SentEntry>()
  for (const entry of sent) {
    if (connected.has(entry.connection) && fits(entry)) last.set(entry.connection, entry)
  }
  return [...last.values()]
}

function byAgent(entries: readonly SentEntry[]): Holder[] {
  const holders = new Map<string, Holder>()
  for (const { agent, at } of entries) {
    const known = holders.get(agent)
    holders.set(agent, { agent, at: Math.max(at, known?.at ?? 0), count: (known?.count ?? 0) + 1 })
  }
  // In the same order everywhere, whoever was told first.
  return [...holders.values()].sort((one, other) => (one.agent < other.agent ? -1 : 1))
}
