import type { Announcement } from './announcements'
import type { ScreenImage } from './screen'

/** Messages to the worker that holds the terminals' screens. `id` names a terminal; output is UTF-8. */
export type ToScreens =
  | { kind: 'open'; id: string; columns: number; rows: number }
  | { kind: 'feed'; id: string; output: Uint8Array<ArrayBuffer> }
  | { kind: 'resize'; id: string; columns: number; rows: number }
  | { kind: 'image'; id: string; request: number }
  | { kind: 'takesPaste'; id: string; request: number }
  | { kind: 'close'; id: string }

/** Messages from the worker. */
export type FromScreens =
  | { kind: 'taken'; id: string; length: number }
  | { kind: 'title'; id: string; title: string }
  | { kind: 'bell'; id: string }
  | { kind: 'announcement'; id: string; announcement: Announcement }
  | { kind: 'answer'; id: string; data: string }
  | { kind: 'image'; request: number; image: ScreenImage | null }
  | { kind: 'takesPaste'; request: number; takes: boolean }
