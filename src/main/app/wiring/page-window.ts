import { readdir, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { WindowState } from '../../../shared/contract/window'
import { DisposableStack } from '../../../shared/lifetime'
import { type Result, fail, succeed } from '../../../shared/result'
import type { WindowHost } from '../window-host'
import type { PageHandlers } from './page-handlers'

const mostRecent = 12
const mostCompletions = 50

/** The window itself: folders, layout, what the frame around it can do. */
export function windowHandlers(
  window: WindowHost,
): PageHandlers<
  | 'text.read'
  | 'window.chooseFolder'
  | 'window.completeFolder'
  | 'window.openFolder'
  | 'window.addFolder'
  | 'window.removeFolder'
  | 'window.openNew'
  | 'window.sortDropped'
  | 'window.setLayout'
  | 'window.openExternal',
  'window'
> {
  const { parts, texts } = window
  const { abilities, version, host } = parts.options
  const folderState = (): Pick<WindowState, 'folders' | 'recentFolders' | 'layout' | 'branch'> => ({
    folders: window.workspace,
    recentFolders: parts.folderStates
      .recentFolders(mostRecent + 1)
      .filter((path) => path !== parts.sampleFolder)
      .slice(0, mostRecent),
    branch: window.branch,
    layout: parts.folderStates.read(window.folders).layout,
  })
  return {
    calls: {
      'text.read': ({ handle, from }) => texts.read(handle, from) ?? { piece: '', done: true },
      'window.chooseFolder': async () => {
        if (!abilities.chooseFolder) return fail('unavailable', 'Type the path of a folder.')
        return succeed({ path: await abilities.chooseFolder() })
      },
      'window.completeFolder': async ({ text }) => ({ folders: await completeFolder(text, parts.home) }),
      'window.openFolder': async ({ path }) => {
        const folder = await findFolder(path, parts.home)
        return folder.ok ? parts.openFolder(folder.value, window) : folder
      },
      'window.addFolder': async ({ path }) => {
        const folder = await findFolder(path, parts.home)
        return folder.ok ? parts.addFolder(folder.value, window) : folder
      },
      'window.removeFolder': ({ path }) => parts.removeFolder(path, window),
      'window.openNew': async () => {
        const { folders } = window
        if (folders.length === 0) return fail('open-already', 'This window has no folder yet. Open one here.')
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
      'window.setLayout': ({ layout }) => {
        parts.folderStates.update(window.folders, { layout })
        return {}
      },
      'window.openExternal': async ({ url }) => {
        if (!/^https?:$/.test(new URL(url).protocol)) {
          return fail('refused', 'Only web addresses are opened. Copy the link and open it yourself.')
        }
        const opened = await abilities.openExternal(url)
        return opened ? succeed({}) : fail('failed', 'No browser could be started. Copy the link instead.')
      },
    },
    topics: {
      window: (_params, sink) => {
        sink.snapshot({
          version,
          host,
          platform: process.platform,
          homeDirectory: parts.home,
          ...folderState(),
        })
        const listening = new DisposableStack()
        listening.add(window.onFolders(() => sink.delta(folderState())))
        listening.add(window.onBranch(() => sink.delta({ branch: window.branch })))
        return listening
      },
    },
  }
}

/** The folder that was typed or chosen, with ~ for home; a failure says what it is instead. */
async function findFolder(path: string, home: string): Promise<Result<string>> {
  const expanded = expandHome(path, home)
  const found = await stat(expanded).catch(() => null)
  if (!found) return fail('absent', `${path} does not exist. Check the path.`)
  if (!found.isDirectory()) return fail('not-a-folder', `${path} is not a folder. Choose a folder.`)
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
