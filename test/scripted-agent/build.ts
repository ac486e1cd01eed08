import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { modulePath } from '../module-path'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, '..', '..', '.cache', 'scripted-agent')

/** The headless app with scripted agents, once it is built. It takes its page from out/. */
export const scriptedHost = join(out, 'host.mjs')

/** The same in Electron. */
export const scriptedShell = join(out, 'shell.mjs')

/** Builds both from today's sources. */
export async function buildScriptedHosts(): Promise<void> {
  rmSync(out, { recursive: true, force: true })
  await build('host.ts', scriptedHost)
  await build('shell.ts', scriptedShell)
}

async function build(source: string, file: string): Promise<void> {
  const bundle = await rolldown({
    input: join(here, source),
    platform: 'node',
    plugins: [modulePath()],
    external: (module) => /^(?![./])/.test(module),
    transform: { define: { GREENLIGHT_VERSION: '"0.0.0-test"' } },
    logLevel: 'warn',
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false, sourcemap: true })
  await bundle.close()
}
