import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { readText } from '../../core/files/regular-file'

/** What Claude Code's own file of a person's choices says of diffs; every other member is left alone. */
const choices = z.object({ diffTool: z.string().optional().catch(undefined) })

/** Whether Claude Code shows changes in its terminal only, by its `.claude.json`, also where an editor is connected. */
export async function showsDiffsItself(file: string): Promise<boolean> {
  const { diffTool = 'auto' } = choices.safeParse(parseJson(await readText(file).catch(() => ''))).data ?? {}
  return diffTool !== 'auto'
}
