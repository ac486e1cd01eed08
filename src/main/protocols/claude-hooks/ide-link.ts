import { namedPath } from '../claude-tools/edit-gate'
import type { EditTool, ToolInput } from '../claude-tools/edit-tools'

/** Whether a session also proposes its changes over a connection; `unknown`: none of its processes is known. */
export type IdeLink = 'linked' | 'unlinked' | 'unknown'

/** `linked` only where each process of the session holds such a connection: any of them may be the one that asks. */
export function linkOf(processes: readonly number[], proposing: ReadonlySet<number>): IdeLink {
  if (processes.length === 0) return 'unknown'
  return processes.every((pid) => proposing.has(pid)) ? 'linked' : 'unlinked'
}

/** What these tools change the agent never proposes over a connection. */
const unproposed: ReadonlySet<EditTool> = new Set<EditTool>(['NotebookEdit', 'MultiEdit'])
/** Nor what has such a path, whichever tool changes it: a notebook, or what could lie on another machine. */
const unproposedPaths = /\.ipynb$|^[\\/]{2}/i

/** A change that is about to be made. */
interface LinkedChange {
  link: IdeLink
  tool: EditTool
  input: ToolInput
}

/**
 * Whether the agent proposes a change over its connection, so that it can be accepted there. `opensDiffs`: whether agents
 * show what they propose in a connected editor at all.
 */
export async function isProposed(
  { link, tool, input }: LinkedChange,
  opensDiffs: () => Promise<boolean>,
): Promise<boolean> {
  if (link !== 'linked' || unproposed.has(tool)) return false
  const path = namedPath(tool, input)
  if (path === null || unproposedPaths.test(path)) return false
  // Over a connection an empty text means no, so a new empty file couldn't be accepted.
  return input['content'] !== '' && (await opensDiffs())
}
