import { createHash } from 'node:crypto'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const repository = join(dirname(fileURLToPath(import.meta.url)), '..')

interface ModulePathPlugin {
  name: string
  enforce: 'pre'
  resolveId(id: string, importer: string | undefined): string | undefined
  load(id: string): Promise<string | undefined>
}

/**
 * `import path from './x?modulePath'` outside electron-vite, which has its own: builds the module for a worker thread
 * into .cache/workers and gives the path of the built file. A plugin for vitest and for rolldown.
 */
export function modulePath(): ModulePathPlugin {
  return {
    name: 'module-path',
    enforce: 'pre',
    resolveId(id, importer) {
      if (!id.endsWith('?modulePath') || importer === undefined) return undefined
      return resolve(dirname(importer), id)
    },
    async load(id) {
      if (!id.endsWith('?modulePath')) return undefined
      const source = id.slice(0, -'?modulePath'.length)
      const key = createHash('sha256').update(source).digest('hex').slice(0, 8)
      const bundle = await rolldown({
        input: source,
        platform: 'node',
        plugins: [modulePath()],
        external: (module) => !module.startsWith('.') && !module.startsWith('/'),
      })
      // One file per process: others may be running the one they built.
      const file = join(repository, '.cache', 'workers', `${basename(source)}-${key}-${process.pid}.mjs`)
      await bundle.write({ file, format: 'esm', codeSplitting: false })
      await bundle.close()
      return `export default ${JSON.stringify(file)}`
    },
  }
}
