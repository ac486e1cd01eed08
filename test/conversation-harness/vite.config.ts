import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The page of a conversation alone; built, because what is measured and looked at shall be what people get. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../../.cache/conversation-harness', import.meta.url)),
    emptyOutDir: true,
    chunkSizeWarningLimit: 4000,
  },
})
