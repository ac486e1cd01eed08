// npm run check: the quick gate. Types, lint, format, architecture, unit tests; needs no browser and no build.
import { add, checkStatically, conclude, runUnitTests } from './checks.mjs'
import { ensureInstalled } from './installation.mjs'
import { requireNode } from './node-version.mjs'

requireNode()
await ensureInstalled()
conclude(add(await checkStatically(), await runUnitTests()))
