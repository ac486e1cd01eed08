// Builds the stand-in into .cache/electron-stand-in/dist. Runnable by itself: node test/electron-stand-in/build.mjs
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, '../../.cache/electron-stand-in/dist')

/** As Electron's own: with ELECTRON_RUN_AS_NODE it is nothing but Node. */
const launcher = `#!/bin/sh
# A test tool in the place of Electron's executable; see test/electron-stand-in/README.md.
here=$(dirname "$(readlink -f "$0")")
node=\${ELECTRON_STAND_IN_NODE:-${process.execPath}}
if [ -n "$ELECTRON_RUN_AS_NODE" ]; then exec "$node" "$@"; fi
# Electron warns of a rejected promise that nobody handles in the main process, and goes on.
exec "$node" --unhandled-rejections=warn "$here/boot.mjs" "$here/electron" "$@"
`

/** @param {string} name @param {'esm' | 'iife'} format @param {string} file @param {string} [global] */
async function bundle(name, format, file, global) {
  const build = await rolldown({
    input: join(here, 'src', `${name}.ts`),
    platform: format === 'esm' ? 'node' : 'browser',
    external: ['playwright-core'],
    logLevel: 'warn',
  })
  await build.write({ file: join(out, file), format, ...(global === undefined ? {} : { name: global }) })
  await build.close()
}

/** Builds it; `distPath` is what ELECTRON_OVERRIDE_DIST_PATH has to be. */
export async function buildStandIn() {
  await rm(out, { recursive: true, force: true })
  await mkdir(join(out, 'resources'), { recursive: true })
  await bundle('boot', 'esm', 'boot.mjs')
  await bundle('page-world', 'iife', 'page-world.js', 'standInPageWorld')
  await bundle('preload-world', 'iife', 'preload-world.js', 'standInPreloadWorld')
  await writeFile(join(out, 'electron'), launcher)
  await chmod(join(out, 'electron'), 0o755)
  return { distPath: out }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log((await buildStandIn()).distPath)
}
