import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Disposable } from '../src/shared/lifetime'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** A folder served to a browser on loopback, until disposed. */
export interface PageServer extends Disposable {
  /** Ends with a slash. */
  readonly address: string
}

/** Serves the files of a built page, as they are and without their own subfolders' indexes. */
export async function servePage(folder: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    readFile(join(folder, path.replaceAll('..', ''))).then(
      (body) => {
        response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        response.end(body)
      },
      () => {
        // A browser asks for this one by itself.
        response.writeHead(path === '/favicon.ico' ? 204 : 404)
        response.end()
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    dispose() {
      server.close()
      server.closeAllConnections()
    },
  }
}
