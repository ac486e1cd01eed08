import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import WebSocket from 'ws'
import type { RunningHost } from '../e2e/running-host'

/** Starts a host whose garbage `collectedMemory` can collect. */
export const collectable = ['env', 'NODE_OPTIONS=--inspect=127.0.0.1:0']

/**
 * A host's resident memory in MB after a collection (Linux). Without one the figure tells how much V8 let lie, which is
 * more after more work: it need not collect what fits in memory, and may not do so in an idle process either.
 */
export async function collectedMemory({ process: { pid }, stderr }: RunningHost): Promise<number> {
  const [, url = ''] = /^Debugger listening on (ws:\S+)/m.exec(stderr) ?? []
  const inspector = new WebSocket(url, { perMessageDeflate: false })
  await once(inspector, 'open')
  inspector.send('{"id":1,"method":"HeapProfiler.collectGarbage"}')
  await once(inspector, 'message')
  inspector.terminate()
  return restingMemory(pid)
}

/** The least within two seconds: pages are given back to the system a moment after the collection. */
async function restingMemory(pid: number | undefined): Promise<number> {
  const read = () => {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  }
  let least = read()
  for (let look = 0; look < 8; look++) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    least = Math.min(least, read())
  }
  return least
}
