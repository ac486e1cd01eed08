import { readFileSync } from 'node:fs'
import { checkMain, readMainNames } from './main-check'
import { checkPageMarkup, checkPageScript, checkPageStyle } from './page-check'
import { checkPreload } from './preload-check'
import { readPart, type BuiltFile } from './syntax'

const script = /\.[cm]?js$/

/**
 * Looks over the built app for what only Electron would refuse, and only when it runs. `outDir` holds `main`,
 * `preload` and `renderer`; `electronDts` is electron.d.ts of the version that the app is built for. Gives back one
 * sentence for each problem, with the file in front; none means that the bundles are in order.
 */
export function checkBundles(outDir: string, electronDts: string): string[] {
  const problems: string[] = []
  const check = (part: string, pattern: RegExp, look: (file: BuiltFile) => void, needed: string): void => {
    const files = readPart(outDir, part, pattern, problems)
    // A check that finds nothing to look at must not pass.
    if (files.length === 0 && needed !== '') problems.push(`${part}: no ${needed} has been built`)
    for (const file of files) look(file)
  }
  const mainNames = readMainNames(readFileSync(electronDts, 'utf8'))
  check('preload', script, checkPreload, 'preload script')
  check('renderer', /\.html$/, checkPageMarkup, 'page')
  check('renderer', script, checkPageScript, 'script')
  check('renderer', /\.css$/, checkPageStyle, '')
  check('main', script, (file) => checkMain(file, mainNames), 'main script')
  return problems
}
