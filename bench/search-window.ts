import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from '../src/main/app/app'
import { prepareDataDirectory } from '../src/main/core/platform/directories'
import { createMemorySettingsStore } from '../src/main/core/settings/settings-store'
import { createChannelPair } from '../src/shared/channel-pair'
import type { Calls, Topics } from '../src/shared/contract/contract'
import { type RpcClient, createRpcClient } from '../src/shared/rpc'

/** A window on a folder, as a page has it, without the browser. */
export interface SearchWindow {
  folder: string
  page: RpcClient<Calls, Topics>
  end(): Promise<void>
}

/** Makes a folder, has it filled, and opens a window on it. */
export async function openSearchWindow(fill: (folder: string) => void): Promise<SearchWindow> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-')))
  const folder = join(home, 'project')
  await mkdir(folder)
  fill(folder)
  prepareDataDirectory(join(home, 'data'))
  const created = await App.create({
    dataDir: join(home, 'data'),
    host: 'browser',
    version: '0',
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    settingsStore: createMemorySettingsStore(),
    abilities: {
      chooseFolder: null,
      openExternal: () => Promise.resolve(false),
      openWindow: () => undefined,
      focusWindow: () => undefined,
      notify: () => false,
      setWaiting: () => undefined,
      trash: () => Promise.resolve(null),
      showInFileManager: () => Promise.resolve(false),
    },
    env: { PATH: process.env['PATH'], HOME: home, SHELL: '/bin/sh' },
  })
  if (!created.ok) throw new Error(created.failure.message)
  const opened = await created.value.openWindow([folder])
  if (!opened.ok) throw new Error(opened.failure.message)
  const [mine, its] = createChannelPair()
  const page = createRpcClient<Calls, Topics>()
  opened.value.connect(its)
  page.attach(mine)
  return {
    folder,
    page,
    async end() {
      await created.value.shutdown()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
