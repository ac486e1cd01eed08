import { runTasks } from '../workers/worker-task'
import { SessionCounter } from './session-counter'
import type { SessionFigures } from './figure-count'
import type { SessionPlace } from './session-places'

const counter = new SessionCounter()

runTasks<SessionPlace, SessionFigures>((place) => counter.count(place))
