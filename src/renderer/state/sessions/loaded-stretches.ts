/** A loaded part of a file, from the beginning of a line to the end of another, in bytes. */
export interface LoadedStretch {
  from: number
  to: number
}

/** What is missing between two loaded parts. */
export interface Gap {
  /** Where it begins: after the last line before it. */
  after: number
  /** Where it ends: at the first line after it. */
  before: number
}

/** The loaded parts of a file, in order and not touching; the last one grows with the file. */
export type LoadedStretches = readonly LoadedStretch[]

/** A file loaded from an offset to its end. */
export function loadedFrom(from: number): LoadedStretches {
  return [{ from, to: Number.POSITIVE_INFINITY }]
}

/** Adds a part; parts that touch become one. */
export function withStretch(loaded: LoadedStretches, { from, to }: LoadedStretch): LoadedStretches {
  const apart = loaded.filter((one) => one.to < from || one.from > to)
  const joined = loaded.filter((one) => one.to >= from && one.from <= to)
  const whole = {
    from: Math.min(from, ...joined.map((one) => one.from)),
    to: Math.max(to, ...joined.map((one) => one.to)),
  }
  return [...apart, whole].sort((a, b) => a.from - b.from)
}

/** Whether the line at an offset is loaded. */
export function isLoaded(loaded: LoadedStretches, offset: number): boolean {
  return loaded.some(({ from, to }) => from <= offset && offset < to)
}

/** Where the next loaded part after an offset begins; infinite if there is none. */
export function nextLoaded(loaded: LoadedStretches, offset: number): number {
  return loaded.find(({ from }) => from > offset)?.from ?? Number.POSITIVE_INFINITY
}

/** All gaps between the parts, in order. What precedes the first part is not a gap. */
export function gapsIn(loaded: LoadedStretches): Gap[] {
  return loaded.slice(1).map(({ from }, index) => ({ after: loaded[index]?.to ?? from, before: from }))
}
