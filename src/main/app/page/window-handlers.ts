import { readdir, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { WindowState } from '../../../shared/contract/window'
import { DisposableStack } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import type { FollowedBranch } from '../../core/git/followed-branch'
import type { FolderStates } from '../../core/settings/folder-state'
import type { FolderTrust } from '../../core/trust/folder-trust'
import type { HostAbilities } from '../host-abilities'
import type { TextHandles } from '../text-handles'
import type { WindowFolders } from '../window-folders'
import type { PageHandlers } from './page-handlers'

const mostRecent = 12
const mostCompletions = 50

/** What a person does with the folders of a window. */
export interface FolderChoice {
  /** Opens a folder where it belongs: in the window that has it, in this one if that has none, or in a new one. */
  open(path: string): Promise<Result<{ link: string | null }>>
  /** Gives the window one folder more. Fails where a window has it already. */
  add(path: string): Promise<Done>
  /** Takes a folder from the window; its files, and what is open of them, stay. */
  remove(path: string): Promise<Done>
}

/** The window itself: folders, layout, what the frame around it can do. */
export function windowHandlers({
  folders,
  branch,
  texts,
  folderStates,
  trust,
  choice,
  frame,
  home,
  sampleFolder,
}: {
  folders: WindowFolders
  branch: FollowedBranch
  texts: TextHandles
  folderStates: FolderStates
  trust: FolderTrust
  choice: FolderChoice
  frame: { abilities: HostAbilities; version: string; host: 'electron' | 'browser' }
  home: string
  sampleFolder: string
}): PageHandlers<'text' | 'window', 'window'> {
  const { abilities, version, host } = frame
  const untrusted = () =>
    folders.named.flatMap((folder) => {
      const state = trust.stateOf(folder.path)
      return state === 'trusted' ? [] : [{ ...folder, isDeclined: state === 'declined' }]
    })
  const folderState = (): Pick<
    WindowState,
    'folders' | 'untrusted' | 'recentFolders' | 'layout' | 'branch'
  > => ({
    folders: folders.named,
    untrusted: untrusted(),
    recentFolders: folderStates
      .recentFolders(mostRecent + 1)
      .filter((path) => path !== sampleFolder)
      .slice(0, mostRecent),
    branch: branch.name,
    layout: folderStates.read(folders.paths).layout,
  })
  return {
    calls: {
      'text.read': ({ handle, from }) => texts.read(handle, from) ?? { piece: '', done: true },
      'window.chooseFolder': async () => {
        if (!abilities.chooseFolder) return fail('unavailable', 'Type the path of a folder.')
        return succeed({ path: await abilities.chooseFolder() })
      },
      'window.completeFolder': async ({ text }) => ({ folders: await completeFolder(text, home) }),
      'window.openFolder': async ({ path }) => {
        const folder = await findFolder(path, home)
        return folder.ok ? choice.open(folder.value) : folder
      },
      'window.addFolder': async ({ path }) => {
        const folder = await findFolder(path, home)
        return folder.ok ? choice.add(folder.value) : folder
      },
      'window.removeFolder': ({ path }) => choice.remove(path),
      'window.openNew': async () => {
        if (folders.paths.length === 0)
          return fail('open-already', 'This window has no folder yet. Open one here.')
        return succeed({ link: await abilities.openWindow([]) })
      },
      'window.sortDropped': async ({ paths }) => {
        const kinds = await Promise.all(paths.map((path) => stat(path).catch(() => null)))
        const those = (is: (at: number) => boolean) => paths.filter((_path, at) => is(at))
        return {
          folders: those((at) => kinds[at]?.isDirectory() ?? false),
          files: those((at) => kinds[at]?.isFile() ?? false),
          others: those((at) => !kinds[at]?.isDirectory() && !kinds[at]?.isFile()),
        }
      },
      'window.setLayout': ({ layout }) => folderStates.update(folders.paths, { layout }),
      'window.openExternal': async ({ url }) => {
        if (!/^https?:$/.test(new URL(url).protocol)) {
          return fail('refused', 'Only web links can be opened. Copy the link and open it yourself.')
        }
        const opened = await abilities.openExternal(url)
        return opened ? succeed({}) : fail('failed', 'Couldn’t start a browser. Copy the link instead.')
      },
    },
    topics: {
      window: (_params, sink) => {
        sink.snapshot({
          version,
          host,
          platform: process.platform,
          homeDirectory: home,
          ...folderState(),
        })
        return new DisposableStack(
          folders.onChange(() => sink.delta(folderState())),
          branch.onChange(() => sink.delta({ branch: branch.name })),
          trust.onChange(() => sink.delta({ untrusted: untrusted() })),
        )
      },
    },
  }
}

/** The folder that was typed or chosen, with ~ for home; a failure says what it is instead. */
async function findFolder(path: string, home: string): Promise<Result<string>> {
  const expanded = expandHome(path, home)
  const found = await stat(expanded).catch(() => null)
  if (!found) return fail('absent', `${path} doesn’t exist. Check the path.`)
  if (!found.isDirectory()) return fail('not-a-folder', `${path} isn’t a folder. Choose a folder.`)
  return succeed(expanded)
}

function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith(`~${sep}`) || path.startsWith('~/')
    ? join(home, path.slice(1))
    : path
}

/** Folders whose path begins with what was typed; hidden ones only when a dot was typed. */
async function completeFolder(text: string, home: string): Promise<string[]> {
  const typed = expandHome(text, home)
  if (!typed.startsWith(sep) && !/^[A-Za-z]:[\\/]/.test(typed)) return []
  const parent = /[\\/]$/.test(typed) ? typed : dirname(typed)
  const begun = /[\\/]$/.test(typed) ? '' : typed.slice(parent.length).replace(/^[\\/]/, '')
  try {
    const entries = await readdir(parent, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => entry.name)
      .filter((name) => name.toLowerCase().startsWith(begun.toLowerCase()))
      .filter((name) => begun.startsWith('.') || !name.startsWith('.'))
      .sort((one, other) => one.localeCompare(other))
      .slice(0, mostCompletions)
      .map((name) => join(parent, name))
  } catch {
    return []
  }
}
