import fc from 'fast-check'

/** How often each property is tried: npm run test:long asks for far more than a usual run. */
const asked = Number(process.env['GREENLIGHT_PROPERTY_RUNS'] ?? '')
if (Number.isInteger(asked) && asked > 0)
  fc.configureGlobal({ numRuns: asked, interruptAfterTimeLimit: 600_000 })
