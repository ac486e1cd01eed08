import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Script } from 'node:vm'
import { standInFolder } from './place'
import type { WorldSettings } from './wire'

/** What is run before a page's own scripts, in this order. */
export interface PageScripts {
  /** For the page's world. */
  page: string
  /** For the preload's world; it holds the preload script. */
  preload: string
}

/** Electron's preload script is the body of a function with these parameters (those that the stand-in has). */
const preloadParameters = 'require, process, global, setImmediate, clearImmediate, exports, module'

/**
 * Builds the scripts for a page with this preload script.
 * @throws SyntaxError when the preload is not a CommonJS script, with its file in the message
 */
export function pageScripts(preload: string): PageScripts {
  const body = readFileSync(preload, 'utf8')
  try {
    void new Script(`((${preloadParameters}) => {${body}\n})`, { filename: preload })
  } catch (error) {
    throw new SyntaxError(`Unable to load preload script: ${preload}: ${String(error)}`, { cause: error })
  }
  const settings: WorldSettings = {
    key: randomBytes(16).toString('hex'),
    process: {
      type: 'renderer',
      sandboxed: true,
      contextIsolated: true,
      platform: process.platform,
      arch: process.arch,
      version: process.version,
      versions: Object.fromEntries(Object.entries(process.versions).map(([name, is]) => [name, is ?? ''])),
      argv: [process.argv[0] ?? ''],
    },
  }
  // Only the top document of the app, as in Electron; the first, empty one is not the app's.
  const only = (script: string): string =>
    `if (self === top && location.href !== 'about:blank') (() => {${script}\n})()`
  const given = JSON.stringify(settings)
  return {
    page: only(`${readWorld('page-world')}\n;standInPageWorld.start(${given})`),
    preload: only(`${readWorld('preload-world')}
;standInPreloadWorld.start(${given}, (${preloadParameters}) => {${body}
})
//# sourceURL=electron-stand-in://preload/${basename(preload)}`),
  }
}

function readWorld(name: string): string {
  return readFileSync(new URL(`${name}.js`, standInFolder), 'utf8')
}
