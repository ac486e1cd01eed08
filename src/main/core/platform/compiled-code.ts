import Module from 'node:module'
import { join } from 'node:path'

/**
 * Has what V8 makes of scripts that are loaded from now on kept in the data directory for the next start, where the
 * runtime can: Electron and Node 22.8. What is kept there is run, so the directory must belong to the person alone.
 */
export function keepCompiledCode(dataDirectory: string): void {
  const node = Module as { enableCompileCache?: (directory: string) => unknown }
  node.enableCompileCache?.(join(dataDirectory, 'code-cache'))
}
