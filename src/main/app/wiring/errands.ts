import { stat } from 'node:fs/promises'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import { resolveRealPath } from '../../core/files/real-path'
import type { CompareRequest, EditRequest, OpenedFiles } from '../../core/platform/hand-over'
import { isInside } from '../folders'
import type { WindowHost } from '../window-host'

/**
 * Opens files that a command waits for: in the window whose terminal it was typed in, else in the one whose folders
 * hold the first of them, else in the first. Fails with a sentence where there is no window, or no such file.
 */
export async function editForCommand(
  windows: readonly WindowHost[],
  { files, window: asking }: EditRequest,
): Promise<Result<OpenedFiles>> {
  const places: { path: string; line: number; column: number }[] = []
  for (const file of files) {
    const path = await realFile(file.path)
    if (path === null) return fail('no-file', `There is no file ${file.path}.`)
    // Positions here count from 0; a file without a line is left where it was read last.
    places.push({ path, line: (file.line ?? 0) - 1, column: (file.column ?? 1) - 1 })
  }
  const [first] = places
  const window = first && chooseWindow(windows, asking, first.path)
  if (!window) return fail('no-window', 'Greenlight has no window open. Open one, then try again.')
  for (const { path, line, column } of places) {
    // Whether it comes to the front is the page's to say: it knows where the person is typing.
    window.tabs.openFile(path, { activate: false })
    await window.openDocuments.get(path)
    if (line < 0) continue
    const at = { line, character: column }
    window.reveal({ path, selection: { start: at, end: at }, focus: false })
  }
  const paths = places.map(({ path }) => path)
  const wait = window.waits.add(paths)
  // Somebody may have closed one while another was read.
  window.waits.follow((path) => window.tabs.findFile(path) !== undefined)
  // Of several, one comes to the front; the others have their tabs.
  const last = paths.at(-1)
  if (last !== undefined) window.waits.bringUp(last)
  // In its own terminal the person is there already; from outside nobody looks at the window.
  if (window.id !== asking) window.requestFocus()
  return succeed(wait)
}

/** Shows two files beside each other, read only: what comes first on the left. Fails like `editForCommand`. */
export async function compareForCommand(
  windows: readonly WindowHost[],
  { left, right, window: asking }: CompareRequest,
): Promise<Done> {
  const [older, newer] = await Promise.all([realFile(left), realFile(right)])
  if (older === null) return fail('no-file', `There is no file ${left}.`)
  if (newer === null) return fail('no-file', `There is no file ${right}.`)
  const window = chooseWindow(windows, asking, newer)
  if (!window) return fail('no-window', 'Greenlight has no window open. Open one, then try again.')
  window.tabs.openCompared(newer, { kind: 'file', path: older })
  if (window.id !== asking) window.requestFocus()
  return succeed({})
}

function chooseWindow(
  windows: readonly WindowHost[],
  asking: string | null,
  path: string,
): WindowHost | undefined {
  return (
    windows.find(({ id }) => id === asking) ??
    windows.find(({ folders }) => folders.some((folder) => isInside(folder, path))) ??
    windows[0]
  )
}

async function realFile(path: string): Promise<string | null> {
  try {
    const real = await resolveRealPath(path)
    return (await stat(real)).isFile() ? real : null
  } catch {
    return null
  }
}
