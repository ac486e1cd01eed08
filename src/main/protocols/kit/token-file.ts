import { randomBytes } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import { type Result, succeed } from '../../../shared/result'
import { writeFileAtomically } from '../../core/files/write-file'
import { privateFileMode } from '../../core/platform/file-modes'

const shape = /^[\w-]{32,200}$/

/**
 * The token in a file that only its owner may read; a new one if there is none, if it isn't a token, or if others could
 * have read it. Fails if the file cannot be written.
 */
export async function keepToken(path: string): Promise<Result<string>> {
  const kept = await readToken(path)
  if (kept !== null) return succeed(kept)
  return writeToken(path, randomBytes(32).toString('base64url'))
}

/** Writes a token to a file that only its owner may read, in place of whatever is there. */
export async function writeToken(path: string, token: string): Promise<Result<string>> {
  await rm(path, { force: true, recursive: true }).catch(() => undefined)
  const written = await writeFileAtomically(path, Buffer.from(`${token}\n`), {
    mode: privateFileMode,
    createParents: true,
  })
  return written.ok ? succeed(token) : written
}

async function readToken(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) return null
    const text = (await readFile(path, 'utf8')).trim()
    return shape.test(text) ? text : null
  } catch {
    return null
  }
}
