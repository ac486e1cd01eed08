import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { readText } from '../../core/files/regular-file'

/** What Claude Code's own file of a person's choices says of diffs; every other member is left alone. */
const choices = z.object({ diffTool: z.string().optional().catch(undefined) })

/** Where Claude Code shows its changes, by its `.claude.json`. A file that hasn't changed isn't read again. */
export class DiffTool {
  readonly #file: string
  #read = { stamp: '', isEditor: true }

  constructor(file: string) {
    this.#file = file
  }

  /** Whether that is a connected editor; true where nothing is said. */
  async isEditor(): Promise<boolean> {
    const found = await stat(this.#file).catch(() => null)
    const stamp = `${found?.mtimeMs} ${found?.size} ${found?.ino}`
    if (this.#read.stamp !== stamp) {
      const text = await readText(this.#file).catch(() => '')
      // It may have megabytes, changes often, and mostly says nothing of this.
      const said = text.includes('"diffTool"') ? choices.safeParse(parseJson(text)).data?.diffTool : undefined
      this.#read = { stamp, isEditor: (said ?? 'auto') === 'auto' }
    }
    return this.#read.isEditor
  }
}
