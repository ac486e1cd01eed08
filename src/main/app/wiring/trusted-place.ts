import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Done, fail, succeed } from '../../../shared/result'
import { untrusted } from '../../core/trust/folder-trust'

/**
 * Whether Claude Code may be started in a folder (a real path) without a terminal. There it runs the folder's hooks
 * unasked, and the MCP servers of every `.mcp.json` in it and in the folders above, up to the root.
 */
export async function mayStartIn(folder: string, mayRun: (folder: string) => boolean): Promise<Done> {
  if (!mayRun(folder)) return untrusted(folder)
  for (let above = dirname(folder), below = folder; above !== below; below = above, above = dirname(above)) {
    const file = join(above, '.mcp.json')
    // One that can't be looked at can't be read by Claude Code either.
    if (mayRun(above) || !(await stat(file).catch(() => null))) continue
    return fail(
      'untrusted',
      `${file} names MCP servers that would run here, and ${above} isn’t trusted. Open that folder and trust it, or move the file away.`,
    )
  }
  return succeed({})
}
