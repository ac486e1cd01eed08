// npm run build: builds the app into out/, whether or not its sources have changed.
import { ensureBuilt } from './building.mjs'
import { ensureInstalled } from './installation.mjs'
import { requireNode } from './node-version.mjs'

requireNode()
await ensureInstalled()
await ensureBuilt({ always: true })
