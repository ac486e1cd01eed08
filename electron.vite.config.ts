import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
/** Dependencies that go into the bundle all the same: reading them file by file costs a third of a start. */
const bundled = [
  'zod',
  'conf',
  'electron-store',
  'ws',
  '@codemirror/state',
  'jsonc-parser',
  'ignore',
  '@msgpack/msgpack',
]
const define = { GREENLIGHT_VERSION: JSON.stringify(version) }

/** The package is of ES modules; the main process's bundle is not, which starts sooner (ADR 0020). */
const commonJs = {
  name: 'commonjs-folder',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): string }) {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
  },
}

const isSheet = (tag: string) => tag.includes('rel="stylesheet"')

/**
 * What stands in the page before its script is painted at once: style sheets and scripts are named after it, for what is
 * named in the head is fetched before the first paint.
 */
const paintFirst = {
  name: 'paint-first',
  transformIndexHtml: {
    order: 'post' as const,
    handler(html: string): string {
      const named =
        /\s*<(?:link rel="stylesheet"[^>]*|script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>/g
      const tags = (html.match(named) ?? []).toSorted(
        (one, other) => Number(isSheet(other)) - Number(isSheet(one)),
      )
      return html.replaceAll(named, '').replace('</body>', `${tags.join('')}\n  </body>`)
    },
  },
}

/**
 * Three bundles in out/. main runs in Electron and in plain Node 20 alike; what package.json names as dependencies
 * stays outside, everything else goes in. The sandboxed preload is one CommonJS file. Threads are built by
 * `?modulePath` imports beside their subjects.
 */
export default defineConfig({
  main: {
    define,
    build: {
      target: 'node20',
      sourcemap: true,
      externalizeDeps: { exclude: bundled },
      rolldownOptions: {
        input: {
          index: resolve('src/main/index.ts'),
          headless: resolve('src/main/headless/headless.ts'),
          'command-line': resolve('src/main/cli/command-line.ts'),
          errand: resolve('src/main/cli/errand.ts'),
          doctor: resolve('src/main/cli/doctor.ts'),
        },
        output: { format: 'cjs', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        plugins: [commonJs],
      },
    },
  },
  preload: {
    build: {
      target: 'node20',
      sourcemap: false,
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react(), paintFirst],
    build: {
      target: 'chrome140',
      sourcemap: true,
      minify: true,
      modulePreload: { polyfill: false },
      // An inlined file would be a data: URL, which the policy allows for images only.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: { index: resolve('src/renderer/index.html') },
        // A page that asks for a hundred small files waits for each of them.
        output: {
          codeSplitting: {
            groups: [
              { name: 'first', tags: ['$initial'], priority: 1 },
              { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 50_000 },
            ],
          },
        },
      },
    },
  },
})
