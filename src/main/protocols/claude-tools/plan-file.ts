import { dirname, join } from 'node:path'
import { objectOf, stringOf } from '../../../shared/json'

/** As much of what a hook is told of a call as matters here. */
interface HookedCall {
  permission_mode?: string | undefined
  /** The session's own file, in `projects/FOLDER` of the agent's configuration. */
  transcript_path?: string | undefined
  tool_input?: unknown
}

/**
 * Whether a planning agent writes the file of its plan, which it keeps among its own and shows to the person by
 * ExitPlanMode: a review of it would ask the same thing twice. Left to the agent's mode, everything else is asked about.
 */
export function writesItsPlan(input: HookedCall): boolean {
  const { permission_mode: mode, transcript_path: transcript } = input
  const path = stringOf(objectOf(input.tool_input)?.['file_path'])
  if (mode !== 'plan' || transcript === undefined || path === null) return false
  const configuration = dirname(dirname(dirname(transcript)))
  return path.endsWith('.md') && dirname(path) === join(configuration, 'plans')
}
