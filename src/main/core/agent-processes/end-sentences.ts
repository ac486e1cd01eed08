import { stat } from 'node:fs/promises'
import type { ProcessEnd } from '../../../shared/contract/agent-processes'
import type { ProcessOptions } from './process-options'

/** How a program ended that nobody stopped: its exit code, else the signal that ended it. */
interface Exit {
  exitCode: number | null
  signalCode: NodeJS.Signals | null
}

/** Greenlight stopped it. */
export function describeStopped(name: string, complaints: string): ProcessEnd {
  return { code: 'stopped', message: `${name} was stopped. Restart it to go on.`, complaints }
}

/** It ended by itself, or from outside. */
export function describeExit(name: string, { exitCode, signalCode }: Exit, complaints: string): ProcessEnd {
  if (signalCode !== null)
    return {
      code: 'killed',
      message: `${name} was ended from outside (${signalCode}). Restart it to go on.`,
      complaints,
    }
  return exitCode === 0
    ? { code: 'ended', message: `${name} has ended by itself. Restart it to go on.`, complaints }
    : {
        code: 'failed',
        message: `${name} has ended with the error code ${exitCode ?? '?'}. Read its last words, then restart it.`,
        complaints,
      }
}

/** The system couldn't start it. */
export async function describeNotStarted({
  name,
  program,
  folder,
}: Pick<ProcessOptions, 'name' | 'program' | 'folder'>): Promise<ProcessEnd> {
  const isThere = async (path: string) => (await stat(path).catch(() => null)) !== null
  const message = !(await isThere(folder))
    ? `${name} could not be started: the folder ${folder} is not there. Choose another one.`
    : !(await isThere(program))
      ? `${name} could not be started: ${program} is not there. Install it, or correct its path.`
      : `${name} could not be started: the system did not run ${program}. Check whether you are allowed to run it.`
  return { code: 'not-started', message, complaints: '' }
}
