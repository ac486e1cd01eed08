import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The command line that does what its prompt says. */
export const scriptedClaude = join(dirname(fileURLToPath(import.meta.url)), 'claude.mjs')
