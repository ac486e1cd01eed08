import type { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'

/**
 * The addon that gives characters the widths that the page gives them. It reads its table from the beginning of the
 * memory behind a Buffer, which is right only for a Buffer that shares its memory with no other one.
 */
async function loadAddon(): Promise<typeof UnicodeGraphemesAddon> {
  const { poolSize } = Buffer
  Buffer.poolSize = 0
  try {
    return (await import('@xterm/addon-unicode-graphemes')).UnicodeGraphemesAddon
  } finally {
    Buffer.poolSize = poolSize
  }
}

/** For `Terminal.loadAddon`: widths as Unicode 15 has them, for whole graphemes. */
export const UnicodeWidths = await loadAddon()
