import type { Origin } from '../../../shared/review/proposal'
import type { Connections } from '../../core/connections/connections'
import type { Place } from '../../core/review/review'
import { describePlace } from '../folder-names'
import { type WindowFolders, windowHolding } from '../window-folders'
import { sampleFolderName } from './first-run'

interface PlacedWindow {
  readonly id: string
  readonly folders: WindowFolders
  readonly connections: Connections
}

/** The window with the innermost folder that holds the path, else the one whose agent asks, else the first. */
export function placeAmong(
  windows: readonly PlacedWindow[],
  path: string,
  origin: Origin,
  home: string,
): Place {
  const taking = origin.dialect === 'sample' ? windows.find(({ id }) => id === origin.connection) : undefined
  if (taking) return { window: taking.id, folder: sampleFolderName, isOutside: false }
  const chosen =
    windowHolding(windows, path) ??
    windows.find(({ connections }) => connections.find(origin.connection)) ??
    windows[0]
  return { window: chosen?.id ?? null, ...describePlace(chosen?.folders.named ?? [], path, home) }
}
