import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Done, fail, succeed } from '../../../shared/result'
import { resolveRealPath } from '../../core/files/real-path'
import { untrusted } from '../../core/trust/folder-trust'

/** What Claude Code takes from every folder above the one that it works in, up to the root. */
const takenFromAbove = ['.mcp.json', ...['skills', 'commands', 'agents'].map((name) => join('.claude', name))]

/**
 * Whether Claude Code may be started in a folder (a real path) without a terminal. There it runs the folder's hooks
 * unasked, and the MCP servers, slash commands and skills of it and of the folders above (docs/protocols/claude-sdk.md).
 * Commands and skills in the person's home are their own.
 */
export async function mayStartIn(
  folder: string,
  { mayRun, home }: { mayRun: (folder: string) => boolean; home: string },
): Promise<Done> {
  if (!mayRun(folder)) return untrusted(folder)
  const own = await resolveRealPath(home).catch(() => home)
  for (let above = dirname(folder), below = folder; above !== below; below = above, above = dirname(above)) {
    if (mayRun(above)) continue
    for (const name of above === own ? ['.mcp.json'] : takenFromAbove) {
      const path = join(above, name)
      // What can't be looked at can't be read by Claude Code either.
      if (!(await stat(path).catch(() => null))) continue
      const what = name === '.mcp.json' ? 'names MCP servers that would run' : 'could have programs run'
      return fail(
        'untrusted',
        `${path} ${what} here, and ${above} isn’t trusted. Open that folder and trust it, or move this away.`,
      )
    }
  }
  return succeed({})
}
