import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { readText } from '../../core/files/regular-file'
import { type StampedValue, readIfChanged } from '../../core/history/file-stamp'

/** What Claude Code's own file of a person's choices says of diffs; every other member is left alone. */
const choices = z.object({ diffTool: z.string().optional().catch(undefined) })

/** Where Claude Code shows its changes, by its `.claude.json`. A file that hasn't changed isn't read again. */
export class DiffTool {
  readonly #file: string
  #read: StampedValue<boolean> | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** Whether that is a connected editor; true where nothing is said. */
  async isEditor(): Promise<boolean> {
    this.#read = await readIfChanged(this.#file, isEditorIn, this.#read)
    return this.#read[0]
  }
}

async function isEditorIn(file: string): Promise<boolean> {
  const text = await readText(file).catch(() => '')
  // It may have megabytes, changes often, and mostly says nothing of this.
  const said = text.includes('"diffTool"') ? choices.safeParse(parseJson(text)).data?.diffTool : undefined
  return (said ?? 'auto') === 'auto'
}
