import { objectOf, parseJson } from '../../../shared/json'
import { contentOf } from '../../../shared/conversation/session-record'
import { readStretch } from '../../core/files/file-pieces'
import { withFile } from '../../core/files/regular-file'
import { findSessionOfProcess } from './session-of-process'

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
  const session = await findSessionOfProcess(configFolders, pid)
  const tools = session === undefined ? [] : await openTools(session.path, path)
  return tools.length > 0 && tools.every((tool) => tool === 'Edit')
}

/** The tools that were called on `path` and have no result yet. */
async function openTools(file: string, path: string): Promise<unknown[]> {
  const asking = new Map<unknown, unknown>()
  for (const line of (await readTail(file)).split('\n')) {
    if (!line.includes('tool_use')) continue
    // The first line of a tail is not whole.
    for (const block of contentOf(objectOf(parseJson(line)) ?? {}).map(objectOf)) {
      if (block?.['type'] === 'tool_result') asking.delete(block['tool_use_id'])
      if (block?.['type'] === 'tool_use' && objectOf(block['input'])?.['file_path'] === path) {
        asking.set(block['id'], block['name'])
      }
    }
  }
  return [...asking.values()]
}

async function readTail(path: string): Promise<string> {
  try {
    return await withFile(path, async (file) => {
      const { size } = await file.stat()
      return (await readStretch(file, Math.max(0, size - tail), size)).toString('utf8')
    })
  } catch {
    return ''
  }
}
