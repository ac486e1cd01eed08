// npm test: every check, on a fresh clone too. Needs no display. Words after -- go to Playwright (a file, --project …).
import { ensureBuilt } from './building.mjs'
import { add, checkStatically, conclude, failure, runPlaywright, runUnitTests, runVitest } from './checks.mjs'
import { ensureChromium } from './chromium.mjs'
import { ensureInstalled } from './installation.mjs'
import { requireNode } from './node-version.mjs'

requireNode()
await ensureInstalled()
await ensureChromium()

let sum = add(await checkStatically(), await runUnitTests())
sum = add(sum, await runVitest('interop'))
const built = await ensureBuilt().then(
  () => true,
  () => false,
)
if (built) {
  sum = add(sum, await runVitest('built-app'))
  sum = add(sum, await runPlaywright(process.argv.slice(2)))
} else {
  sum = add(sum, failure('the build'))
}
conclude(sum)
