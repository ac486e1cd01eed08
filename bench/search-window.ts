import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Calls, Topics } from '../src/shared/contract/contract'
import { openWindowOn, pageOf, startPlainApp } from '../test/plain-app'
import type { RpcClient } from '../src/shared/rpc/rpc'

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
  const app = await startPlainApp(home)
  const window = await openWindowOn(app, folder)
  const page = pageOf(window)
  return {
    folder,
    page,
    async end() {
      await app.shutdown()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
