// npm run test:long: the unit tests with thousands of tries for each property, what npm test runs on one host also on the other, what waits for minutes, and the long form of chaos.
import { ensureBuilt } from './building.mjs'
import { add, conclude, runPlaywright, runUnitTests, runVitest } from './checks.mjs'
import { ensureChromium } from './chromium.mjs'
import { ensureInstalled } from './installation.mjs'
import { requireNode } from './node-version.mjs'

requireNode()
await ensureInstalled()
process.env.GREENLIGHT_PROPERTY_RUNS ??= '5000'
process.env.GREENLIGHT_LONG = '1'
let sum = await runUnitTests(['--testTimeout=900000'])
await ensureBuilt()
await ensureChromium()
// Also installs the real command lines, while there is a network.
sum = add(sum, await runVitest('interop'))
sum = add(sum, await runPlaywright(['--project=headless', '--grep=@long']))
sum = add(sum, await runPlaywright(['--project=electron-long']))
sum = add(sum, await runPlaywright(['--project=interop']))
conclude(add(sum, await runPlaywright(['--project=chaos'])))
