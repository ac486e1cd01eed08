import type { ContextState, SentEntry } from '../../../shared/contract/context'

/** The agents of one name that got something, the last one at `at`. */
export interface Holder {
  agent: string
  at: number
  /** How many connections. */
  count: number
}

type Place = Pick<NonNullable<ContextState['selection']>, 'path' | 'start' | 'end'>

/** The agents that have the selection now: this one is the last they were told. */
export function holdersOfSelection(
  sent: readonly SentEntry[],
  connected: ReadonlySet<string>,
  selection: Place,
): Holder[] {
  const last = lastOf(sent, connected, ({ item }) => ['selection', 'cursor', 'nothing'].includes(item.kind))
  return byAgent(last.filter(({ item }) => isThat(item, selection)))
}

/** The connected agents that were ever told of a file, in whatever way. */
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

function isThat(item: SentEntry['item'], { path, start, end }: Place): boolean {
  if (item.kind === 'cursor') return isSame(start, end) && item.path === path
  return item.kind === 'selection' && item.path === path && isSame(item.start, start) && isSame(item.end, end)
}

function isSame(one: Place['start'], other: Place['start']): boolean {
  return one.line === other.line && one.character === other.character
}

/** The last entry that fits of each current connection. */
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
  // The same order everywhere, not the order in which they were told.
  return [...holders.values()].sort((one, other) => (one.agent < other.agent ? -1 : 1))
}
