import Module, { createRequire } from 'node:module'
import type { ElectronModule } from './electron-module'

/** Where both kinds of module find the one object. */
const place = Symbol.for('electron-stand-in')

const names = ['electron', 'electron/main', 'electron/common']
const scheme = 'electron-stand-in:'

/** Parts of node:module that its types leave out, or that only newer versions have. */
interface ModuleInternals {
  _load(request: string, ...rest: unknown[]): unknown
  registerHooks?(hooks: { resolve: ResolveHook; load: LoadHook }): void
}

type ResolveHook = (
  specifier: string,
  context: unknown,
  next: (specifier: string, context: unknown) => unknown,
) => unknown
type LoadHook = (url: string, context: unknown, next: (url: string, context: unknown) => unknown) => unknown

/** Makes `electron` and its parts resolve to `electron`, for require and for import, everywhere in this process. */
export function provideElectron(electron: ElectronModule): void {
  Object.defineProperty(globalThis, place, { value: electron })
  const internals = Module as unknown as ModuleInternals
  const load = internals._load.bind(Module)
  internals._load = (request, ...rest) => (names.includes(request) ? electron : load(request, ...rest))

  const source = moduleSource(Object.keys(electron))
  if (internals.registerHooks) {
    internals.registerHooks({
      resolve: (specifier, context, next) =>
        names.includes(specifier)
          ? { url: `${scheme}${specifier}`, format: 'module', shortCircuit: true }
          : next(specifier, context),
      load: (url, context, next) =>
        url.startsWith(scheme) ? { source, format: 'module', shortCircuit: true } : next(url, context),
    })
  } else {
    // Older versions of Node run hooks on a thread of their own: it gets them as text.
    const hooks = `
      const names = ${JSON.stringify(names)}, scheme = ${JSON.stringify(scheme)}, source = ${JSON.stringify(source)}
      export const resolve = (specifier, context, next) => names.includes(specifier)
        ? { url: scheme + specifier, format: 'module', shortCircuit: true } : next(specifier, context)
      export const load = (url, context, next) => url.startsWith(scheme)
        ? { source, format: 'module', shortCircuit: true } : next(url, context)`
    Module.register(`data:text/javascript,${encodeURIComponent(hooks)}`)
  }
}

/** Loads a CommonJS module by its path, as `-r` does. */
export function requireFile(file: string): void {
  createRequire(import.meta.url)(file)
}

function moduleSource(exported: readonly string[]): string {
  const lines = exported.map((name) => `export const ${name} = electron.${name}`)
  return [
    `const electron = globalThis[Symbol.for('electron-stand-in')]`,
    'export default electron',
    ...lines,
  ].join('\n')
}
