import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FieldValues } from '../../../shared/approval/approval-fields'
import { type Result, succeed } from '../../../shared/result'
import { writeFileAtomically } from '../../core/files/write-file'
import { privateFileMode, privateFolderMode } from '../../core/platform/file-modes'

/** A form's values as a program may be started with them. */
export interface StartValues {
  values: FieldValues
  /** Called once the program has ended. At once, for the app may end with it. */
  remove(): void
}

/**
 * An MCP configuration that was written into the form goes into a file of the person's own: it may hold credentials, and
 * every user of the computer can see a program's arguments.
 */
export async function withPrivateConfig(dataDir: string, values: FieldValues): Promise<Result<StartValues>> {
  const { mcpConfig } = values
  if (typeof mcpConfig !== 'string' || !mcpConfig.trim().startsWith('{'))
    return succeed({ values, remove: () => undefined })
  const folder = join(dataDir, 'mcp-configurations')
  const ours = `${process.pid}-`
  const path = join(folder, `${ours}${randomUUID()}.json`)
  // If this fails, so does the writing, which says why.
  await mkdir(folder, { recursive: true, mode: privateFolderMode }).catch(() => undefined)
  // One process owns the data directory: what others left there when they were killed is nobody's.
  for (const name of await readdir(folder).catch(() => []))
    if (!name.startsWith(ours)) await rm(join(folder, name), { force: true })
  const written = await writeFileAtomically(path, Buffer.from(mcpConfig), { mode: privateFileMode })
  if (!written.ok) return written
  return succeed({
    values: { ...values, mcpConfig: path },
    remove: () => rmSync(path, { force: true }),
  })
}
