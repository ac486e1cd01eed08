import { diffTexts } from '../../../shared/text/line-diff'
import { toText } from '../../../shared/text/text-facts'
import { runTasks } from '../workers/worker-task'

export interface DraftTask {
  base: string
  proposed: string
}

runTasks(({ base, proposed }: DraftTask) => diffTexts(toText(base), toText(proposed)))
