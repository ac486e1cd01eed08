// npm run chaos: the long form of test/chaos, with its figures at the end. Words after -- go to Playwright (a file, -g …).
import { ensureBuilt } from './building.mjs'
import { conclude, runPlaywright } from './checks.mjs'
import { ensureChromium } from './chromium.mjs'
import { ensureInstalled } from './installation.mjs'
import { requireNode } from './node-version.mjs'

requireNode()
await ensureInstalled()
await ensureBuilt()
await ensureChromium()
process.env.GREENLIGHT_LONG = '1'
conclude(await runPlaywright(['--project=chaos', ...process.argv.slice(2)]))
