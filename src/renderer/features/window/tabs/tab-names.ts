interface NamedTab {
  readonly id: string
  readonly name: string
  /** As shown to the person; null for a tab without a folder. */
  readonly folder: string | null
}

/** The folders of tabs whose name another tab in another folder has too, by tab id. */
export function foldersToTell(tabs: readonly NamedTab[]): ReadonlyMap<string, string> {
  const foldersOf = new Map<string, Set<string | null>>()
  for (const { name, folder } of tabs) {
    foldersOf.set(name, (foldersOf.get(name) ?? new Set()).add(folder))
  }
  const isAlike = ({ name }: NamedTab) => (foldersOf.get(name)?.size ?? 0) > 1
  return new Map(tabs.flatMap((tab) => (tab.folder && isAlike(tab) ? [[tab.id, tab.folder]] : [])))
}
