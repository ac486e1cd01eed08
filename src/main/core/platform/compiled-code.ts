import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { basename, dirname, join, sep } from 'node:path'
import { Script, constants } from 'node:vm'
import { privateFolderMode } from './file-modes'
import { replaceFile } from './replace-file'

/** What V8 makes of the app's own scripts, kept for the next start. */
export interface CompiledCode {
  /** Keeps what was compiled anew. Called once, at the end: by then V8 knows which functions a start needs. */
  save(): void
}

/** A module as Node's own loader compiles it: not public, and in Node 20 it stays as it is. */
interface Loader {
  _compile(this: NodeModule, content: string, filename: string): unknown
}

type Run = (
  exports: object,
  require: NodeJS.Require,
  module: NodeModule,
  file: string,
  folder: string,
) => unknown

const digestLength = 32

/**
 * Has every script of a folder that is required from now on come out of the data directory, compiled, where it was kept
 * before (ADR 0020). Node 22.8 and Electron do that themselves; for Node 20 it is done here. What cannot be read, is of
 * another V8 or was altered counts as not there, and what cannot be written is not kept: a start is slower then, and
 * nothing else. The data directory must belong to the person alone, for what lies there is run.
 */
export function keepCompiledCode(dataDirectory: string, scripts: string): CompiledCode {
  const directory = join(dataDirectory, 'code-cache')
  const node = Module as { enableCompileCache?: (directory: string) => unknown }
  if (node.enableCompileCache) {
    node.enableCompileCache(directory)
    // It is kept when the process ends.
    return { save: () => undefined }
  }
  const kept = join(directory, `v8-${process.versions.v8}-${process.arch}`)
  const anew = new Map<string, { script: Script; source: string }>()
  const loader = (Module as unknown as { prototype: Loader }).prototype
  const compile = loader._compile
  loader._compile = function (content, filename) {
    if (!filename.startsWith(scripts + sep)) return compile.call(this, content, filename)
    const source = Module.wrap(content)
    const cachedData = read(join(kept, basename(filename)), source)
    const script = new Script(source, {
      filename,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData ? { cachedData } : {}),
    })
    if (!cachedData || script.cachedDataRejected) anew.set(basename(filename), { script, source })
    const run = script.runInThisContext() as Run
    return run.call(this.exports, this.exports, createRequire(filename), this, filename, dirname(filename))
  }
  return {
    save() {
      if (anew.size === 0) return
      try {
        mkdirSync(kept, { recursive: true, mode: privateFolderMode })
        for (const [name, { script, source }] of anew) {
          removeOlder(kept, name)
          const data = script.createCachedData()
          replaceFile(join(kept, name), Buffer.concat([digest(source, data), data]))
        }
      } catch {
        // A full or read-only disk: the next start compiles again.
      }
      anew.clear()
    },
  }
}

/** What was kept for a source, if it is whole and for exactly this source. */
function read(path: string, source: string): Buffer | undefined {
  try {
    const file = readFileSync(path)
    const data = file.subarray(digestLength)
    return file.subarray(0, digestLength).equals(digest(source, data)) ? data : undefined
  } catch {
    return undefined
  }
}

/** Scripts carry a name of their content, `start-Ab12Cd34.js`: those of an older app are not read again. */
function removeOlder(folder: string, name: string): void {
  const stem = name.replace(/-[\w-]{8}\.js$/, '')
  if (stem === name) return
  for (const other of readdirSync(folder)) {
    if (other.startsWith(`${stem}-`) && other.length === name.length)
      rmSync(join(folder, other), { force: true })
  }
}

function digest(source: string, data: Buffer): Buffer {
  return createHash('sha256').update(source).update('\0').update(data).digest()
}
