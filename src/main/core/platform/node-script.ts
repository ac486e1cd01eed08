import { constants } from 'node:os'
import { startProgram } from './child-process'
import type { Environment } from './environment'
import { startable } from './programs'

/**
 * Runs a program to its end on our own input and output. Gives its exit code; 127 if it can't be started. Signals are
 * passed on.
 */
export function runProgram(program: string, words: readonly string[], env: Environment): Promise<number> {
  return new Promise((resolve) => {
    const start = startable(program, words, { platform: process.platform, env })
    const child = startProgram(start.program, start.args, { stdio: 'inherit', env })
    if (!child) return resolve(127)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => child.kill(signal))
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  })
}

/** Runs a script as `runProgram` does, by the program that runs us, which may be Electron. */
export function runNodeScript(script: string, words: readonly string[]): Promise<number> {
  return runProgram(process.execPath, [script, ...words], { ...process.env, ELECTRON_RUN_AS_NODE: '1' })
}
