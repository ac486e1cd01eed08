// npm run build: builds the app into out/, whether or not its sources have changed.
import { ensureBuilt } from './building.mjs'
import { ensureInstalled } from './installation.mjs'
import { requireNode } from './node-version.mjs'
import { say } from './programs.mjs'

requireNode()
await ensureInstalled()
await ensureBuilt({ always: true }).catch((error) => {
  say(`Not built: ${error.message}`)
  process.exitCode = 1
})
