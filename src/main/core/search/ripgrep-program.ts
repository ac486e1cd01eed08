import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findProgram } from '../platform/programs'

/**
 * The ripgrep to search with: the one that npm brought for this platform, whose version is known, else one on the
 * PATH of `env`; null where there is neither.
 */
export function findRipgrep(env: Record<string, string | undefined>): string | null {
  return packagedRipgrep() ?? findProgram('rg', { platform: process.platform, env })
}

/** The program in the package for this platform. In a packed app programs lie beside the archive, not in it. */
function packagedRipgrep(): string | null {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
  try {
    const from = createRequire(import.meta.url).resolve('@vscode/ripgrep')
    const found = createRequire(from).resolve(
      `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`,
    )
    const path = found.replace(/([\\/])app\.asar([\\/])/, '$1app.asar.unpacked$2')
    return existsSync(path) ? path : null
  } catch {
    return null
  }
}
