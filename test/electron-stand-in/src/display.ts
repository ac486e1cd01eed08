import { StrictEmitter } from './strict'

const size = { width: 1920, height: 1080 }
const origin = { x: 0, y: 0 }

/** The one screen. */
export const display: Electron.Display = {
  accelerometerSupport: 'unavailable',
  bounds: { ...origin, ...size },
  colorDepth: 24,
  colorSpace: '',
  depthPerComponent: 8,
  detected: true,
  displayFrequency: 60,
  id: 1,
  internal: false,
  label: 'Stand-in',
  maximumCursorSize: { width: 64, height: 64 },
  monochrome: false,
  nativeOrigin: origin,
  rotation: 0,
  scaleFactor: 1,
  size,
  touchSupport: 'unavailable',
  workArea: { ...origin, ...size },
  workAreaSize: size,
}

/** Electron's `screen`, with one display that never changes. */
class StandInScreen
  extends StrictEmitter
  implements
    Pick<
      Electron.Screen,
      | 'getPrimaryDisplay'
      | 'getAllDisplays'
      | 'getDisplayMatching'
      | 'getDisplayNearestPoint'
      | 'getCursorScreenPoint'
    >
{
  getPrimaryDisplay(): Electron.Display {
    return display
  }

  getAllDisplays(): Electron.Display[] {
    return [display]
  }

  getDisplayMatching(): Electron.Display {
    return display
  }

  getDisplayNearestPoint(): Electron.Display {
    return display
  }

  getCursorScreenPoint(): Electron.Point {
    return origin
  }
}

/** The one `screen`. */
export const screen: StandInScreen = new StandInScreen('screen', [
  'display-added',
  'display-removed',
  'display-metrics-changed',
])
