// npm run dist: builds the app and packs it for this system, or for what is asked: npm run dist -- --linux dir.
// GREENLIGHT_ELECTRON_DIST names a folder with Electron's program, in place of the one that is fetched;
// GREENLIGHT_UPDATE_URL the address that the packed app asks for newer versions, and without it the app asks none.
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
const { GREENLIGHT_ELECTRON_DIST: electronDist, GREENLIGHT_UPDATE_URL: updateUrl } = process.env
if (electronDist) words.push(`-c.electronDist=${electronDist}`)
if (updateUrl) words.push('-c.publish.provider=generic', `-c.publish.url=${updateUrl}`)
const code = await runTool('electron-builder/cli.js', [...words, ...process.argv.slice(2)])
if (code !== 0) say('The app could not be packed; the reason stands above.')
process.exitCode = code
