import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type InlineConfig } from 'vite'

const here = dirname(fileURLToPath(import.meta.url))

/** Builds the sample app into .cache, laid out as Greenlight is; resolves with its folder. */
export async function buildSampleApp(): Promise<string> {
  const folder = join(here, '../../../.cache/electron-stand-in/sample-app')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const manifest = { name: 'sample', version: '1.2.3', type: 'module', main: './out/main/index.js' }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const common: InlineConfig = { configFile: false, root: here, logLevel: 'warn' }
  const half = (entry: string, to: string, format: 'es' | 'cjs', fileName: string): InlineConfig => ({
    ...common,
    build: {
      ssr: join(here, entry),
      outDir: join(folder, 'out', to),
      emptyOutDir: true,
      rolldownOptions: { external: [/^electron/], output: { format, entryFileNames: fileName } },
    },
  })
  await build(half('main.ts', 'main', 'es', 'index.js'))
  await build(half('preload.ts', 'preload', 'cjs', 'index.cjs'))
  await build({ ...common, base: './', build: { outDir: join(folder, 'out/renderer'), emptyOutDir: true } })
  return folder
}
