import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { objectOf, parseJson, stringOf } from '../../../shared/json'
import { type Disposable, disposable } from '../../../shared/lifetime'
import { privateFileMode } from './file-modes'

/** Unix socket paths end at 104 bytes on macOS and 108 on Linux. */
const longestSocketPath = 100

/** A socket's address that only this user can reach. It is free, and removed by disposal. */
export interface PrivateAddress extends Disposable {
  readonly path: string
}

/**
 * An address in a folder that is ours alone or, if its path is too long for the system, in a folder that only we can
 * enter. `path` must be no other process's: a socket found there is of one that died.
 */
export function choosePrivateAddress(path: string): PrivateAddress {
  if (process.platform === 'win32') {
    const name = createHash('sha256').update(path).digest('hex').slice(0, 32)
    return { path: `\\\\.\\pipe\\greenlight-${name}`, ...disposable(() => undefined) }
  }
  if (Buffer.byteLength(path) <= longestSocketPath) {
    rmSync(path, { force: true })
    return { path, ...disposable(() => rmSync(path, { force: true })) }
  }
  const far = join(mkdtempSync(join(tmpdir(), 'greenlight-')), 's')
  return { path: far, ...disposable(() => rmSync(dirname(far), { recursive: true, force: true })) }
}

/** Writes into a file where a socket is. False if the disk refuses. */
export function recordAddress(file: string, socket: string): boolean {
  try {
    writeFileSync(file, JSON.stringify({ socket }), { mode: privateFileMode })
    return true
  } catch {
    return false
  }
}

/** Where a socket is, as a file says; null if none does. */
export function readAddress(file: string): string | null {
  try {
    return stringOf(objectOf(parseJson(readFileSync(file, 'utf8')))?.['socket'])
  } catch {
    return null
  }
}
