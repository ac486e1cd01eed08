import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What every scripted API has: its address, the requests that it saw, and a script that may change. */
export interface ScriptedApi<Seen, Script> {
  url: string
  /** All requests so far. */
  requests: readonly Seen[]
  /** Changes the script for the requests to come. */
  setScript(script: Script): void
  /** The first request, also an earlier one, that the test is looking for. Rejects after `limit` milliseconds. */
  waitFor(wanted: (request: Seen) => boolean, limit?: number): Promise<Seen>
  close(): Promise<void>
}

/** One request on the wire, and the way to take it into the record before it is answered. */
export interface Exchange<Seen, Script> {
  path: string
  method: string
  body: string
  response: ServerResponse
  script: Script
  requests: readonly Seen[]
  /** Notes the request, tells those who wait for it, and gives the requests before it. */
  note(seen: Seen): readonly Seen[]
}

/** Serves an API on a free port of 127.0.0.1; a request whose answer fails is broken off. */
export async function startScriptedApi<Seen, Script>(
  script: Script,
  answer: (exchange: Exchange<Seen, Script>) => Promise<void>,
): Promise<ScriptedApi<Seen, Script>> {
  let current = script
  const requests: Seen[] = []
  const waiting = new Set<(request: Seen) => void>()

  function note(seen: Seen): readonly Seen[] {
    const before = [...requests]
    requests.push(seen)
    for (const hear of [...waiting]) hear(seen)
    return before
  }

  const server = createServer((request, response) => {
    readBody(request)
      .then((body) => {
        const path = (request.url ?? '/').split('?')[0] ?? '/'
        const method = request.method ?? 'GET'
        return answer({ path, method, body, response, script: current, requests, note })
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    setScript(next) {
      current = next
    },
    waitFor(wanted, limit = 30_000) {
      const found = requests.find(wanted)
      if (found) return Promise.resolve(found)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(hear)
          reject(new Error(`no such request within ${limit} ms; ${requests.length} others came`))
        }, limit)
        const hear = (request: Seen): void => {
          if (!wanted(request)) return
          clearTimeout(timer)
          waiting.delete(hear)
          resolve(request)
        }
        waiting.add(hear)
      })
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Answers with one JSON value. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
