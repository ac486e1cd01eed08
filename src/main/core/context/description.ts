import { basename } from 'node:path'
import type { ContextState } from '../../../shared/contract/context'
import { whySelectionWithheld } from '../../../shared/agent-view'
import type { Context } from './context'
import { beginningOf } from './sent-record'

/** How many open files are listed. */
const mostListed = 1000

/** Everything the person sees of a context, except what was sent. `folderOf` names a file's folder. */
export function describeContext(
  context: Context,
  folderOf: (path: string) => string,
): Omit<ContextState, 'sent'> {
  const { current, files } = context.facts
  return {
    sharing: context.sharing,
    selection: current && {
      path: current.path,
      name: basename(current.path),
      folder: folderOf(current.path),
      start: current.start,
      end: current.end,
      text: beginningOf(current.text),
      length: current.text.length,
      withheld: whySelectionWithheld(current, context.policy),
    },
    files: files.slice(0, mostListed).map(({ path, isActive }) => ({
      path,
      name: basename(path),
      folder: folderOf(path),
      isActive,
      withheld: context.whyFileWithheld(path),
    })),
    denyRules: context.denyRules,
    problems: context.problems,
  }
}
