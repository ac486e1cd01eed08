// npm run dist: builds the app and packs it for this system, or for what is asked: npm run dist -- --linux dir.
// GREENLIGHT_ELECTRON_DIST names a folder with Electron's program, in place of the one that is fetched;
// GREENLIGHT_UPDATE_URL the address that the packed app asks for newer versions, and without it the app asks none;
// GREENLIGHT_MAINTAINER the person, "NAME <ADDRESS>", that a deb must name.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './building.mjs'
import { ensureInstalled } from './installation.mjs'
import { requireNode } from './node-version.mjs'
import { root, runTool, say } from './programs.mjs'

requireNode()
await ensureInstalled()
await ensureBuilt()
const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'))
const words = ['--config', 'electron-builder.yml', `-c.electronVersion=${version}`, '--publish', 'never']
const {
  GREENLIGHT_ELECTRON_DIST: electronDist,
  GREENLIGHT_UPDATE_URL: updateUrl,
  GREENLIGHT_MAINTAINER: maintainer,
} = process.env
if (electronDist) words.push(`-c.electronDist=${electronDist}`)
if (updateUrl) words.push('-c.publish.provider=generic', `-c.publish.url=${updateUrl}`)
if (maintainer) words.push(`-c.linux.maintainer=${maintainer}`)
const asked = process.argv.slice(2)
const isForLinux = ['--linux', '-l'].some((word) => asked.includes(word))
const namesTargets = asked.some((word) => !word.startsWith('-'))
// Without a maintainer there is no deb; everything else is packed.
if (!maintainer && asked.includes('deb')) {
  say('A deb names whom to write to: set GREENLIGHT_MAINTAINER="NAME <ADDRESS>", then try again.')
  process.exit(2)
}
if (!maintainer && !namesTargets && (isForLinux || (process.platform === 'linux' && asked.length === 0))) {
  say('No deb is made: it names whom to write to (GREENLIGHT_MAINTAINER="NAME <ADDRESS>").')
  asked.splice(
    0,
    asked.length,
    ...asked.filter((word) => word !== '-l' && word !== '--linux'),
    '--linux',
    'AppImage',
  )
}
const code = await runTool('electron-builder/cli.js', [...words, ...asked])
if (code !== 0) say('The app could not be packed; the reason stands above.')
process.exitCode = code
