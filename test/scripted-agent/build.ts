import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { modulePath } from '../module-path'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, '..', '..', '.cache', 'scripted-agent')

/** The headless app with scripted agents, once it is built. It takes its page from out/. */
export const scriptedHost = join(out, 'host.mjs')

/** Builds it from today's sources. */
export async function buildScriptedHost(): Promise<void> {
  const bundle = await rolldown({
    input: join(here, 'host.ts'),
    platform: 'node',
    plugins: [modulePath()],
    external: (module) => /^(?![./])/.test(module),
    transform: { define: { GREENLIGHT_VERSION: '"0.0.0-test"' } },
    logLevel: 'warn',
  })
  rmSync(out, { recursive: true, force: true })
  await bundle.write({ file: scriptedHost, format: 'esm', codeSplitting: false, sourcemap: true })
  await bundle.close()
}
