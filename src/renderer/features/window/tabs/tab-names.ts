/** What tells one tab from another of the same name. */
interface NamedTab {
  readonly id: string
  readonly name: string
  /** As the person reads it; null for what lies in none. */
  readonly folder: string | null
}

/** For tabs of one name that lie in different folders the folder of each, by the tab's id. */
export function foldersToTell(tabs: readonly NamedTab[]): ReadonlyMap<string, string> {
  const foldersOf = new Map<string, Set<string | null>>()
  for (const { name, folder } of tabs) {
    foldersOf.set(name, (foldersOf.get(name) ?? new Set()).add(folder))
  }
  const isAlike = ({ name }: NamedTab) => (foldersOf.get(name)?.size ?? 0) > 1
  return new Map(tabs.flatMap((tab) => (tab.folder && isAlike(tab) ? [[tab.id, tab.folder]] : [])))
}
