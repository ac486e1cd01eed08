import type { TourState } from '../../../shared/contract/first-run'
import { ask } from '../host/calls'
import { client } from '../host/client'
import { mirrorTopic, readMirror, replaceByDelta, useMirror } from '../host/mirror'

const tourMirror = mirrorTopic(client, 'tour', {}, replaceByDelta)

/** The tour of this window, followed; null while there is none. */
export function useTour(): TourState | null {
  return useMirror(tourMirror, (state) => state?.tour ?? null)
}

export function hasTour(): boolean {
  return readMirror(tourMirror)?.tour != null
}

/** Starts or restarts the tour, and reports a failure. */
export function startTour(): void {
  void ask('tour.start', {})
}
