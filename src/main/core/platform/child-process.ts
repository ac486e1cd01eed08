import {
  type ChildProcess,
  execFile,
  type ExecFileOptions,
  spawn,
  type SpawnOptions,
} from 'node:child_process'

/**
 * Starts a program, or returns null if the system can't: no such program or folder, too many arguments, no descriptor
 * or memory left. Node reports some of these by throwing and some by an event, and then some of the pipes that its
 * types promise are missing; so every program is started here or by `outputOf`.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess | null {
  let child: ChildProcess
  try {
    child = spawn(program, args, options)
  } catch (error) {
    if (!isOfSystem(error)) throw error
    return null
  }
  // A later failure (a signal that may not be sent) ends nothing; `close` tells how the program ends.
  child.on('error', () => undefined)
  return child.pid === undefined ? null : child
}

/** What a program printed. It has failed if it couldn't be started, ended with an error, or took too long. */
export interface ProgramOutput {
  output: string
  complaints: string
  hasFailed: boolean
}

/** Runs a program without input to its end. Never throws for what the system may refuse. */
export function outputOf(
  program: string,
  args: readonly string[],
  options: ExecFileOptions,
): Promise<ProgramOutput> {
  return new Promise((resolve) => {
    try {
      const child = execFile(
        program,
        args,
        { ...options, encoding: 'utf8', windowsHide: true },
        (error, output, complaints) => resolve({ output, complaints, hasFailed: error !== null }),
      )
      child.stdin?.on('error', () => undefined)
      child.stdin?.end()
    } catch (error) {
      if (!isOfSystem(error)) throw error
      resolve({ output: '', complaints: '', hasFailed: true })
    }
  })
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error
}
