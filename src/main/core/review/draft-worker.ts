import { diffTexts } from '../../../shared/diff'
import { toText } from '../../../shared/text'
import { runTasks } from '../workers/worker-task'

/** Two long texts to be compared. */
export interface DraftTask {
  base: string
  proposed: string
}

runTasks(({ base, proposed }: DraftTask) => ({ output: diffTexts(toText(base), toText(proposed)) }))
