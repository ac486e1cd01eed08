import type { Origin } from '../../../shared/review/proposal'
import type { Connections } from '../../core/connections/connections'
import type { Place } from '../../core/review/review'
import { describePlace } from '../folders'
import type { WindowFolders } from '../window-folders'
import { sampleFolderName } from './first-run'

interface PlacedWindow {
  readonly id: string
  readonly folders: WindowFolders
  readonly connections: Connections
}

/** The window whose folders hold the path, else the one whose agent asks, else the first. */
export function placeAmong(
  windows: readonly PlacedWindow[],
  path: string,
  origin: Origin,
  home: string,
): Place {
  const described = windows.map((window) => ({
    window,
    place: describePlace(window.folders.named, path, home),
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
