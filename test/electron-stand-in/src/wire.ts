// What the preload's world and the stand-in say to each other. A message is a line of JSON (the head), a line
// feed, and the packed arguments: big arguments are never wrapped in a second layer of JSON.

/** From the preload's world, through a DevTools binding that only this world sees. */
export type FromPreload =
  | { op: 'send'; channel: string }
  | { op: 'invoke'; id: number; channel: string }
  | { op: 'titled'; title: string }
  /** Files were dropped: the world keeps them under `droppedName` until it is told their places. */
  | { op: 'dropped'; count: number }
  | { op: 'preload-error'; name: string; message: string; stack: string }

/** To the preload's world. */
export type ToPreload =
  | { op: 'event'; channel: string }
  | { op: 'reply'; id: number }
  | { op: 'failure'; id: number; message: string }
  /** Where the dropped files lie, packed as one array of paths. */
  | { op: 'places' }

/** The isolated world that Electron too gives to the preload script. */
export const preloadWorld = 'electron-preload'

/** Name of the binding in the preload's world. */
export const sendBinding = '__standInSend'

/** Name of the function in the preload's world that takes a head and packed arguments. */
export const receiveFunction = '__standInReceive'

/** Name of the array of files that were dropped last, in the preload's world. */
export const droppedName = '__standInDropped'

/** What the injected scripts get to know. */
export interface WorldSettings {
  /** Event names nobody can guess, for the way between the two worlds of a page. */
  key: string
  process: {
    type: 'renderer'
    sandboxed: true
    contextIsolated: true
    platform: string
    arch: string
    version: string
    versions: Record<string, string>
    argv: string[]
  }
}

/** Joins a head and packed arguments. */
export function frame(head: FromPreload, packed: string): string {
  return `${JSON.stringify(head)}\n${packed}`
}

/** Takes apart what `frame` joined. */
export function unframe(text: string): { head: FromPreload; packed: unknown } {
  const end = text.indexOf('\n')
  return {
    head: JSON.parse(text.slice(0, end)) as FromPreload,
    packed: JSON.parse(text.slice(end + 1)) as unknown,
  }
}
