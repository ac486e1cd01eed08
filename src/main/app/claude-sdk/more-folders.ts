import { join, resolve } from 'node:path'
import type { FieldValues } from '../../../shared/approval/approval-fields'
import { fail, type Result, succeed } from '../../../shared/result'
import { resolveRealPath } from '../../core/files/real-path'
import { linesIn } from '../../protocols/claude-sdk/launch-arguments'

/**
 * A form's values with the real paths of the folders that Claude is also to work in. It takes slash commands and skills
 * from them, which run programs unasked (docs/protocols/claude-sdk.md), so this fails if one of them isn't trusted.
 */
export async function withTrustedFolders(
  values: FieldValues,
  { folder, home, mayRun }: { folder: string; home: string; mayRun: (folder: string) => boolean },
): Promise<Result<FieldValues>> {
  const { folders } = values
  const paths: string[] = []
  for (const line of linesIn(typeof folders === 'string' ? folders : '')) {
    const named = /^~(?=[\\/]|$)/.test(line) ? join(home, line.slice(1)) : resolve(folder, line)
    const path = await resolveRealPath(named).catch(() => named)
    if (!mayRun(path))
      return fail(
        'untrusted',
        `${path} isn’t trusted, and its own slash commands and skills could run programs. Open that folder and trust it, or take it out of “More folders”.`,
      )
    paths.push(path)
  }
  return succeed({ ...values, folders: paths.join('\n') })
}
