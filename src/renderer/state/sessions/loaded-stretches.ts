/** A part of a file that is here, from the begin of a line to the end of another, in bytes. */
export interface LoadedStretch {
  from: number
  to: number
}

/** What is not here between two parts that are. */
export interface Gap {
  /** Where it begins: behind the last line before it. */
  after: number
  /** Where it ends: the first line behind it begins there. */
  before: number
}

/** The parts of a file that are here, in order, none of which touches another; the last one grows with the file. */
export type LoadedStretches = readonly LoadedStretch[]

/** The end of a file is here, from an offset on. */
export function loadedFrom(from: number): LoadedStretches {
  return [{ from, to: Number.POSITIVE_INFINITY }]
}

/** One part more; what touches becomes one. */
export function withStretch(loaded: LoadedStretches, { from, to }: LoadedStretch): LoadedStretches {
  const apart = loaded.filter((one) => one.to < from || one.from > to)
  const joined = loaded.filter((one) => one.to >= from && one.from <= to)
  const whole = {
    from: Math.min(from, ...joined.map((one) => one.from)),
    to: Math.max(to, ...joined.map((one) => one.to)),
  }
  return [...apart, whole].sort((a, b) => a.from - b.from)
}

/** Whether the line at an offset is here. */
export function isLoaded(loaded: LoadedStretches, offset: number): boolean {
  return loaded.some(({ from, to }) => from <= offset && offset < to)
}

/** Where the next part behind an offset that is not here begins; infinite where none does. */
export function nextLoaded(loaded: LoadedStretches, offset: number): number {
  return loaded.find(({ from }) => from > offset)?.from ?? Number.POSITIVE_INFINITY
}

/** All gaps between the parts, in order. What precedes the first part is not a gap. */
export function gapsIn(loaded: LoadedStretches): Gap[] {
  return loaded.slice(1).map(({ from }, index) => ({ after: loaded[index]?.to ?? from, before: from }))
}
