import { strict } from './strict'

let text = ''

/** Electron's `clipboard`: a text of this process. It is not the one that pages have. */
export const clipboard = strict('clipboard', {
  readText: async (): Promise<string> => text,
  writeText: async (written: string): Promise<void> => {
    text = written
  },
  clear: (): void => {
    text = ''
  },
}) satisfies Pick<Electron.Clipboard, 'readText' | 'writeText' | 'clear'>
