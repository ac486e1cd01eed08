import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
/** Dependencies that go into the bundle all the same: reading them file by file costs a third of a start. */
const bundled = ['zod', 'conf', 'ws', '@codemirror/state']
const define = { GREENLIGHT_VERSION: JSON.stringify(version) }

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
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
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
    plugins: [react()],
    build: {
      target: 'chrome140',
      sourcemap: true,
      minify: true,
      modulePreload: { polyfill: false },
      // An inlined file would be a data: URL, which the policy allows for images only.
      assetsInlineLimit: 0,
      rolldownOptions: { input: { index: resolve('src/renderer/index.html') } },
    },
  },
})
