// The order of these imports matters: see own-memory.
import { poolSize } from './own-memory'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'

Buffer.poolSize = poolSize

/** For `Terminal.loadAddon`: widths as in Unicode 15, for whole graphemes. */
export const UnicodeWidths = UnicodeGraphemesAddon
