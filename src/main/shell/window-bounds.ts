/** A rectangle of the screen, in device-independent pixels. */
export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

export const smallest = { width: 700, height: 500 }
export const usual = { width: 1400, height: 900 }

/**
 * Where a window opens: where it was, moved and made smaller until it lies wholly on one display; the display that
 * shows most of it, else the first. Without a place of before: centred at the usual size.
 */
export function fitBounds(before: Bounds | null, displays: readonly Bounds[]): Bounds {
  const [first] = displays
  if (!first) return before ?? { x: 0, y: 0, ...usual }
  const display = before
    ? displays.reduce((best, one) => (overlap(before, one) > overlap(before, best) ? one : best), first)
    : first
  const width = clamp(before?.width ?? usual.width, smallest.width, display.width)
  const height = clamp(before?.height ?? usual.height, smallest.height, display.height)
  const x = before?.x ?? display.x + Math.round((display.width - width) / 2)
  const y = before?.y ?? display.y + Math.round((display.height - height) / 2)
  return {
    x: clamp(x, display.x, display.x + display.width - width),
    y: clamp(y, display.y, display.y + display.height - height),
    width,
    height,
  }
}

function overlap(a: Bounds, b: Bounds): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

/** Where the two ends cross, the upper one wins: a window is never larger than its display. */
function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
