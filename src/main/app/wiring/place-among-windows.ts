import type { Origin } from '../../../shared/review'
import type { Place } from '../../core/review/review'
import { describePlace } from '../folders'
import type { WindowHost } from '../window-host'
import { sampleFolderName } from './first-run'

/** The window whose folders hold the path, else the one whose agent asks, else the first. */
export function placeAmong(
  windows: readonly WindowHost[],
  path: string,
  origin: Origin,
  home: string,
): Place {
  const described = windows.map((window) => ({
    window,
    place: describePlace(window.workspace, path, home),
  }))
  const taking = origin.dialect === 'sample' ? windows.find(({ id }) => id === origin.connection) : undefined
  if (taking) return { window: taking.id, folder: sampleFolderName, isOutside: false }
  const chosen =
    described.find(({ place }) => !place.isOutside) ??
    described.find(({ window }) => window.connections.find(origin.connection)) ??
    described[0]
  return chosen
    ? { window: chosen.window.id, ...chosen.place }
    : { window: null, ...describePlace([], path, home) }
}
