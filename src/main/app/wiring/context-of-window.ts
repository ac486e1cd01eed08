import { basename, join } from 'node:path'
import type { Selected, Withheld } from '../../../shared/context'
import { shareEverything } from '../../../shared/context'
import { DisposableStack, type Listen } from '../../../shared/lifetime'
import { Context, type EditorNow } from '../../core/context/context'
import { languageIdOf } from '../../core/editing/language-id'
import type { Selection } from '../../core/editing/selection'
import { findIgnored } from '../../core/git/ignored'
import type { WindowHost } from '../window-host'

/** What agents may see of a window: its tabs and its selection, by the person's switches and rules. */
export function contextOf(window: WindowHost): Context {
  const { parts } = window
  const { folderStates, watcher, env, home } = parts
  return new Context({
    editor: { now: () => editorNow(window), onChange: editorChanges(window) },
    folders: () => window.folders,
    home,
    configFolder: env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'),
    settings: {
      get() {
        const { contextNeverShared, contextIgnoredByGit } = window.settings.get()
        return { patterns: contextNeverShared, ignored: contextIgnoredByGit }
      },
      onChange: (listener) =>
        window.settings.onChange((change) => {
          if ('contextNeverShared' in change || 'contextIgnoredByGit' in change) listener()
        }),
    },
    memory: {
      read: () => folderStates.read(window.folders).context ?? { sharing: shareEverything, names: [] },
      write: ({ sharing, names }) =>
        void folderStates.update(window.folders, { context: { sharing, names: [...names] } }),
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
        : `${withheld.rule} stands in ${withheld.file}. Change it there.`
    case 'ignored-by-git':
      return 'git ignores it. The Context panel has the switch.'
    case 'unknown':
      return 'the rules for it are not known yet. Try again in a moment.'
  }
}

function editorNow({ tabs, selections, parts }: WindowHost): EditorNow {
  const { active } = tabs
  const listed = new Set<string>()
  return {
    files: tabs.state.tabs.flatMap((tab) => {
      // A file that stands on both sides is one open file.
      if (tab.kind !== 'file' || listed.has(tab.path)) return []
      listed.add(tab.path)
      const state = parts.documents.get(tab.path)
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
  return (
    selection && {
      path: selection.path,
      start: selection.range.start,
      end: selection.range.end,
      text: selection.text,
    }
  )
}

function editorChanges({ tabs, selections, parts }: WindowHost): Listen<void> {
  return (listener) => {
    const listening = new DisposableStack()
    listening.add(tabs.on((event) => event.kind === 'changed' && listener()))
    listening.add(selections.on(() => listener()))
    listening.add(
      parts.documents.on((event) => {
        if (event.kind === 'meta' && tabs.findFile(event.path)) listener()
      }),
    )
    return listening
  }
}
