import Module from 'node:module'
import { join } from 'node:path'

/**
 * Keeps V8's compiled form of the scripts loaded from now on in the data directory for the next start, if the runtime
 * can (Electron and Node 22.8). What is kept there gets run, so only the person may have access to the directory.
 */
export function keepCompiledCode(dataDirectory: string): void {
  const node = Module as { enableCompileCache?: (directory: string) => unknown }
  node.enableCompileCache?.(join(dataDirectory, 'code-cache'))
}
