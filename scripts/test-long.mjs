// npm run test:long: the unit tests with thousands of tries for each property; takes minutes.
import { conclude, runVitest } from './checks.mjs'
import { ensureInstalled } from './installation.mjs'
import { requireNode } from './node-version.mjs'

requireNode()
await ensureInstalled()
process.env.GREENLIGHT_PROPERTY_RUNS ??= '5000'
conclude(await runVitest('unit', ['--testTimeout=900000']))
