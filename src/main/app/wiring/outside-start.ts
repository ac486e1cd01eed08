import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Result, fail, succeed } from '../../../shared/result'
import { resolveRealPath } from '../../core/files/real-path'
import type { OutsideRequest, OutsideStart } from '../../core/platform/hand-over-server'
import type { DialectFacts, OpenDialect } from '../dialect-kit/dialect'
import { type WindowFolders, windowHolding } from '../window-folders'

interface OutsideWindow {
  readonly id: string
  readonly folders: Pick<WindowFolders, 'paths'>
  readonly dialects: readonly { facts: DialectFacts; open: OpenDialect }[]
}

/**
 * How an agent is started in a terminal of another program: for the window whose terminal it was typed in, else the one
 * with the innermost folder that holds where it was typed, else the only one. Fails with a sentence if there is none, or
 * if it takes no questions of the agent now. `front` is the folder of wrappers.
 */
export async function outsideStart(
  windows: readonly OutsideWindow[],
  front: string | null,
  { command, folder, window: asking }: OutsideRequest,
): Promise<Result<OutsideStart>> {
  const window =
    windows.find(({ id }) => id === asking) ??
    windowHolding(windows, await resolveRealPath(folder)) ??
    (windows.length === 1 ? windows[0] : undefined)
  if (!window)
    return fail('no-window', `No window of Greenlight has ${folder} open. Open it, then try again.`)
  const terminal = `outside-${randomUUID()}`
  const dialect = window.dialects.find(({ facts }) => facts.wrapper?.command === command)
  const outside = front === null ? null : await dialect?.open.outside?.(terminal, folder)
  if (!dialect || !outside || front === null)
    return fail(
      'off',
      `Reviews of ${command} are off for this window. Switch them on in Connections, then try again.`,
    )
  if (!outside.ok) return outside
  const { address, variables: own } = outside.value
  const others = window.dialects.filter((one) => one !== dialect).map(({ open }) => open.variables(terminal))
  const variables = Object.entries(Object.assign({}, ...others, own) as OpenDialectVariables)
  return succeed({
    program: join(front, process.platform === 'win32' ? `${command}.cmd` : command),
    variables: Object.fromEntries(
      variables.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    address,
  })
}

type OpenDialectVariables = ReturnType<OpenDialect['variables']>
