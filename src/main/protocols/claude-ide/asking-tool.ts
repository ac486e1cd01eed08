import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

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
  for (const folder of configFolders) {
    const file = await sessionFile(folder, pid)
    const tools = file === undefined ? undefined : await openTools(file, path)
    if (tools !== undefined) return tools.length > 0 && tools.every((tool) => tool === 'Edit')
  }
  return false
}

async function sessionFile(configFolder: string, pid: number): Promise<string | undefined> {
  const session = parse(await readFile(join(configFolder, 'sessions', `${pid}.json`), 'utf8').catch(() => ''))
  const { sessionId, cwd } = session
  if (typeof sessionId !== 'string' || !/^[\w-]+$/.test(sessionId) || typeof cwd !== 'string')
    return undefined
  return join(configFolder, 'projects', cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'), `${sessionId}.jsonl`)
}

/** The tools that were called on `path` and have no result yet. */
async function openTools(file: string, path: string): Promise<string[] | undefined> {
  const text = await readTail(file)
  if (text === undefined) return undefined
  const asking = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (!line.includes('tool_use')) continue
    for (const block of contentOf(parse(line))) {
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
    const handle = await open(file, 'r')
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

/** A JSON object, or an empty one: the first line of a tail is cut. */
function parse(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function contentOf(line: Record<string, unknown>): Record<string, unknown>[] {
  const { content } = (line['message'] ?? {}) as { content?: unknown }
  return Array.isArray(content) ? (content as Record<string, unknown>[]) : []
}
