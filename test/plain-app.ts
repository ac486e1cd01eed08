import { join } from 'node:path'
import { App } from '../src/main/app/app'
import type { AppBeginning } from '../src/main/app/app-parts'
import type { HostAbilities } from '../src/main/app/host-abilities'
import type { WindowHost } from '../src/main/app/window-host'
import { prepareDataDirectory } from '../src/main/core/platform/directories'
import { createMemorySettingsStore } from './memory-settings'
import { createChannelPair } from './channel-pair'
import type { Calls, Topics } from '../src/shared/contract/contract'
import { type RpcClient, createRpcClient } from '../src/shared/rpc/rpc'

/** A frame that can do nothing of its own. */
export const noAbilities: HostAbilities = {
  chooseFolder: null,
  openExternal: () => Promise.resolve(false),
  openWindow: () => Promise.resolve(null),
  focusWindow: () => null,
  trash: () => Promise.resolve(null),
  showInFileManager: () => Promise.resolve(false),
  notify: () => false,
  setWaiting: () => undefined,
}

/** A log that keeps errors in a list, and nothing else. */
export function logTo(reports: unknown[]): AppBeginning['log'] {
  return { info() {}, warn() {}, error: (event, fields) => reports.push([event, fields]) }
}

/** The real app on a home of a test's own, its data in HOME/data, in a frame that can do nothing unless told otherwise. */
export async function startPlainApp(home: string, more: Partial<AppBeginning> = {}): Promise<App> {
  prepareDataDirectory(join(home, 'data'))
  const created = await App.create({
    dataDir: join(home, 'data'),
    host: 'browser',
    version: '0.0.0-test',
    log: logTo([]),
    settingsStore: createMemorySettingsStore(),
    abilities: noAbilities,
    env: { PATH: process.env['PATH'], HOME: home, SHELL: '/bin/sh' },
    ...more,
  })
  if (!created.ok) throw new Error(created.failure.message)
  return created.value
}

/** Opens a window; a folder that is refused fails the test. */
export async function openWindowOn(app: App, ...folders: readonly string[]): Promise<WindowHost> {
  const opened = await app.openWindow(folders)
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value
}

/** What listens in a window, as the ready line has it. */
export function readyOf(window: WindowHost) {
  return window.readiness() as {
    workspace: string[]
    claudeIde?: { port: number; lockFiles: string[] }
    gemini?: { port: number; discoveryFiles: string[] }
    sessions?: { url: string; tokenFile: string }
    sdk?: { url: string; tokenFile: string }
  }
}

/** The page's side of a window, without a page. */
export function pageOf(window: WindowHost): RpcClient<Calls, Topics> {
  const [mine, its] = createChannelPair()
  const page = createRpcClient<Calls, Topics>()
  window.connect(its)
  page.attach(mine)
  return page
}
