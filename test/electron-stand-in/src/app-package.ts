import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The app that the stand-in runs. */
export interface AppPackage {
  /** What `app.getAppPath()` says. */
  folder: string
  /** The file that is loaded. */
  entry: string
  name: string
  version: string
}

interface Manifest {
  name?: string
  productName?: string
  version?: string
  main?: string
}

/** Finds the entry and the package of the app at `path`, a folder or a file. */
export function readAppPackage(path: string): AppPackage {
  const whole = resolve(path)
  const isFolder = statSync(whole).isDirectory()
  const folder = isFolder ? whole : dirname(whole)
  const manifest = findManifest(folder)
  return {
    folder,
    entry: isFolder ? resolve(folder, manifest.main ?? 'index.js') : whole,
    name: manifest.productName ?? manifest.name ?? 'Electron',
    version: manifest.version ?? '0.0.0',
  }
}

function findManifest(folder: string): Manifest {
  const file = join(folder, 'package.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const above = dirname(folder)
  return above === folder ? {} : findManifest(above)
}
