import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { strict } from './strict'

type Offered = 'openExternal' | 'openPath' | 'showItemInFolder' | 'trashItem' | 'beep'

/** What the app has asked the desktop to open, for tests: nothing is ever opened here. */
export const opened: { by: 'openExternal' | 'openPath' | 'showItemInFolder'; what: string }[] = []

let trashFolder = (): string => {
  throw new Error('stand-in: no folder for the trash yet')
}

/** Tells where trashed files go; the folder is made when the first one comes. */
export function bindTrash(folder: () => string): void {
  trashFolder = folder
}

/** Electron's `shell`. */
export const shell = strict('shell', {
  async openExternal(url: string): Promise<void> {
    opened.push({ by: 'openExternal', what: new URL(url).href })
  },
  /** Resolves with an empty text for success, else with the reason, as in Electron. */
  async openPath(path: string): Promise<string> {
    if (!existsSync(path)) return 'Failed to open path'
    opened.push({ by: 'openPath', what: path })
    return ''
  },
  showItemInFolder(path: string): void {
    opened.push({ by: 'showItemInFolder', what: path })
  },
  async trashItem(path: string): Promise<void> {
    if (!existsSync(path)) throw new Error(`Failed to move item to trash: ${path} does not exist`)
    const folder = trashFolder()
    mkdirSync(folder, { recursive: true })
    let to = join(folder, basename(resolve(path)))
    for (let copy = 2; existsSync(to); copy++) to = join(folder, `${basename(resolve(path))}.${copy}`)
    renameSync(path, to)
  },
  beep(): void {},
}) satisfies Pick<Electron.Shell, Offered>
