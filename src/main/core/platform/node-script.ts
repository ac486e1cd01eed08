import { constants } from 'node:os'
import { startProgram } from './child-process'

/**
 * Runs a script to its end by the program that runs us, which may be Electron, on our own input and output. Gives its
 * exit code; 127 if it can't be started. Signals are passed on.
 */
export function runNodeScript(script: string, words: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = startProgram(process.execPath, [script, ...words], {
      stdio: 'inherit',
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    })
    if (!child) return resolve(127)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => child.kill(signal))
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  })
}
