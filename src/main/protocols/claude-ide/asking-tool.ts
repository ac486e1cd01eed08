import { parseJson } from '../../../shared/json'
import { openToRead } from '../../core/files/regular-file'
import { findSessionFile } from './session-file'

/** How much of a session file's end is looked at, in bytes. */
const tail = 512 * 1024

/**
 * Whether it is surely Edit, and not Write, that asks about `path`: openDiff does not say, but the command line notes
 * each tool call in its session file before it asks. False whenever that is not plain, also where the files are not
 * as we know them (measured with 2.1.330: sessions/PID.json names the session and its folder).
 */
export async function isEditAsking(
  configFolders: readonly string[],
  pid: number | undefined,
  path: string,
): Promise<boolean> {
  if (pid === undefined) return false
  const session = await findSessionFile(configFolders, pid)
  const tools = session === undefined ? undefined : await openTools(session.path, path)
  return tools !== undefined && tools.length > 0 && tools.every((tool) => tool === 'Edit')
}

/** The tools that were called on `path` and have no result yet. */
async function openTools(file: string, path: string): Promise<string[] | undefined> {
  const text = await readTail(file)
  if (text === undefined) return undefined
  const asking = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (!line.includes('tool_use')) continue
    for (const block of contentOf(line)) {
      if (block['type'] === 'tool_result') asking.delete(String(block['tool_use_id']))
      const input = block['input'] as { file_path?: unknown } | undefined
      if (block['type'] === 'tool_use' && input?.file_path === path) {
        asking.set(String(block['id']), String(block['name']))
      }
    }
  }
  return [...asking.values()]
}

async function readTail(file: string): Promise<string | undefined> {
  try {
    const handle = await openToRead(file)
    try {
      const { size } = await handle.stat()
      const from = Math.max(0, size - tail)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}

/** What a line's message is made of; nothing where it is no whole line, as the first of a tail. */
function contentOf(text: string): Record<string, unknown>[] {
  const line = parseJson(text) as { message?: { content?: unknown } } | null | undefined
  const content = line?.message?.content
  return Array.isArray(content) ? (content as Record<string, unknown>[]) : []
}
