import { basename } from 'node:path'
import type { ContextState } from '../../../shared/contract/context'
import { type Selected, whySelectionWithheld } from '../../../shared/agent-view'
import type { Context } from './context'
import { beginningOf } from './sent-record'

/** How many open files are listed. */
const mostListed = 1000

/** Everything the person sees of a context, except what was sent. `folderOf` names a file's folder. */
export function describeContext(
  context: Context,
  folderOf: (path: string) => string,
): Omit<ContextState, 'sent'> {
  const { current, latest, files } = context.facts
  const describe = (selection: Selected | null) =>
    selection && {
      path: selection.path,
      name: basename(selection.path),
      folder: folderOf(selection.path),
      start: selection.start,
      end: selection.end,
      text: beginningOf(selection.text),
      length: selection.text.length,
      withheld: whySelectionWithheld(selection, context.policy),
    }
  return {
    sharing: context.sharing,
    selection: describe(current),
    latest: describe(latest),
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
