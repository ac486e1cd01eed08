import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The whole page on a scripted host; built, so that its content security policy holds. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../../.cache/page-harness', import.meta.url)),
    emptyOutDir: true,
    chunkSizeWarningLimit: 4000,
  },
})
