import { runTasks } from '../../workers/worker-task'
import type { SessionHits } from './session-hit'
import { readHits, type HitTask } from './session-hits'

runTasks<HitTask, SessionHits>(readHits)
