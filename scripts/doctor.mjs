// npm run doctor: what this machine has and lacks for Greenlight and for the agents that connect to it. Changes nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isBuilt } from './building.mjs'
import { findChromium } from './chromium.mjs'
import { findElectron } from './electron-binary.mjs'
import { isInstalled } from './installation.mjs'
import { isNodeNewEnough, neededNode } from './node-version.mjs'
import { findOnPath, root } from './programs.mjs'

const marks = { good: '✓', bad: '✗', note: '·' }
const { platform, env } = process

function examineOwn() {
  const lines = []
  const put = (state, words) => lines.push({ state, words })
  if (isNodeNewEnough()) put('good', `Node ${process.versions.node}.`)
  else
    put(
      'bad',
      `Node ${process.versions.node} is too old: ${neededNode} or newer is needed (https://nodejs.org).`,
    )
  if (isInstalled()) put('good', 'The dependencies are installed.')
  else put('note', 'The dependencies are not installed yet. npm start does it.')
  if (isBuilt()) put('good', 'The app is built.')
  else put('note', 'The app is not built, or not from these sources. npm start does it.')
  const hasDisplay = platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (!hasDisplay) put('note', 'There is no display: npm start serves a browser instead of opening a window.')
  if (findElectron()) put('good', 'Electron is there.')
  else
    put(
      'note',
      'Electron is not there. npm start tries to fetch it once, and uses a browser where it cannot.',
    )
  const chromium = findChromium()
  if (chromium) put('good', `A browser of Chromium’s family is there: ${chromium}`)
  else put('note', 'No Chromium was found. npm test fetches one; npm start then only serves the page.')
  if (findOnPath('git')) put('good', 'git is there.')
  else
    put(
      'note',
      'git was not found. Branches, ignored files and the text before an unasked write are not known.',
    )
  return lines
}

const print = (title, lines) =>
  process.stdout.write(
    `${title}\n${lines.map(({ state, words }) => `  ${marks[state]} ${words}\n`).join('')}\n`,
  )

const own = examineOwn()
print('Greenlight', own)
let isWell = own.every(({ state }) => state !== 'bad')
const built = join(root, 'out', 'main', 'doctor.js')
if (isInstalled() && existsSync(built)) {
  const { diagnose } = await import(pathToFileURL(built).href)
  const agents = await diagnose()
  process.stdout.write(agents.text)
  isWell &&= agents.isWell
} else {
  process.stdout.write(
    'Agents can be looked at once the app is built: npm start, then npm run doctor again.\n',
  )
}
process.exitCode = isWell ? 0 : 1
