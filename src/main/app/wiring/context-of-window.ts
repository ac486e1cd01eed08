import { basename, join } from 'node:path'
import { type Selected, type Withheld, shareEverything } from '../../../shared/agent-view'
import { DisposableStack, type Listen } from '../../../shared/lifetime'
import { Context, type EditorNow } from '../../core/context/context'
import { languageIdOf } from '../../core/editing/language-id'
import type { Documents } from '../../core/editing/documents'
import type { Tabs } from '../../core/editing/tabs'
import type { Selection, Selections } from '../../core/editing/selection'
import type { FileWatcher } from '../../core/files/watcher'
import { findIgnored } from '../../core/git/ignored'
import type { FolderStates } from '../../core/settings/folder-state'
import type { WindowSettings } from '../../core/settings/window-settings'
import type { WindowFolders } from '../window-folders'

/** What there is to be seen of a window. */
interface Seeable {
  tabs: Tabs
  selections: Selections
  documents: Documents
}

/** What agents may see of a window: its tabs and its selection, by the person's switches and rules. */
export function contextOf({
  seeable,
  folders,
  settings,
  folderStates,
  watcher,
  home,
  env,
}: {
  seeable: Seeable
  folders: WindowFolders
  settings: WindowSettings
  folderStates: FolderStates
  watcher: FileWatcher
  home: string
  env: Readonly<Record<string, string | undefined>>
}): Context {
  return new Context({
    editor: { now: () => editorNow(seeable), onChange: editorChanges(seeable) },
    folders: () => folders.paths,
    home,
    configFolder: env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'),
    settings: {
      get() {
        const { contextNeverShared, contextIgnoredByGit } = settings.get()
        return { patterns: contextNeverShared, ignored: contextIgnoredByGit }
      },
      onChange: (listener) =>
        settings.onChange((change) => {
          if ('contextNeverShared' in change || 'contextIgnoredByGit' in change) listener()
        }),
    },
    memory: {
      read: () => folderStates.read(folders.paths).context ?? { sharing: shareEverything, names: [] },
      write: ({ sharing, names }) =>
        folderStates.update(folders.paths, { context: { sharing, names: [...names] } }),
    },
    watch: (path, listener) => watcher.watchFile(path, listener),
    askIgnored: (paths) => findIgnored(paths),
  })
}

/** Why something is not shared, for a sentence about it: "… is not shared: REASON". */
export function describeWithheld(withheld: Withheld): string {
  switch (withheld.kind) {
    case 'all-off':
      return 'sharing with agents is off. Switch it on in the Context panel first.'
    case 'selection-off':
      return 'the selection is not shared. Switch it on in the Context panel first.'
    case 'files-off':
      return 'open files are not shared. Switch them on in the Context panel first.'
    case 'excluded':
      return withheld.file === null
        ? `the pattern ${withheld.rule} is never shared. The Context panel has the patterns.`
        : `The rule ${withheld.rule} is in ${withheld.file}. Change it there.`
    case 'ignored-by-git':
      return 'git ignores it. The Context panel has the switch.'
    case 'unknown':
      return 'the rules for it are not known yet. Try again in a moment.'
  }
}

function editorNow({ tabs, selections, documents }: Seeable): EditorNow {
  const { active } = tabs
  const listed = new Set<string>()
  return {
    files: tabs.state.tabs.flatMap((tab) => {
      // A file that stands on both sides is one open file.
      if (tab.kind !== 'file' || listed.has(tab.path)) return []
      listed.add(tab.path)
      const state = documents.get(tab.path)
      return {
        path: tab.path,
        label: basename(tab.path),
        languageId: languageIdOf(tab.path),
        isActive: active?.kind === 'file' && active.path === tab.path,
        isDirty: state?.kind === 'text' && state.meta.dirty,
      }
    }),
    current: selectedOf(selections.current),
    latest: selectedOf(selections.latest),
  }
}

function selectedOf(selection: Selection | null): Selected | null {
  return selection && { path: selection.path, ...selection.range, text: selection.text }
}

function editorChanges({ tabs, selections, documents }: Seeable): Listen<void> {
  return (listener) =>
    new DisposableStack(
      tabs.on((event) => event.kind === 'changed' && listener()),
      selections.on(() => listener()),
      documents.on((event) => event.kind === 'meta' && tabs.findFile(event.path) && listener()),
    )
}
