import { readdirSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
}

/** A file of the built page. */
export interface StaticFile {
  path: string
  type: string
}

/**
 * The files below a directory by their address, such as `assets/index.js`; the index page is ''. Only what is listed
 * here is ever served, so no address can lead out of the directory.
 */
export function listStaticFiles(directory: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const address = relative(directory, path).split(sep).join('/')
    const type = types[extname(entry.name)] ?? 'application/octet-stream'
    files.set(address === 'index.html' ? '' : address, { path, type })
  }
  return files
}
