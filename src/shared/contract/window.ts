import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

/** A folder open in a window. `name` is what the person reads, made distinct where two are alike. */
export const workspaceFolder = z.object({ path, name: z.string() })
export type WorkspaceFolder = z.infer<typeof workspaceFolder>

/** What the page must know of its host from the start. */
export const windowState = z.object({
  version: z.string(),
  host: z.enum(['electron', 'browser']),
  platform: z.string(),
  homeDirectory: path,
  folders: z.array(workspaceFolder),
  recentFolders: z.array(path),
  /** Branch of the first folder, or null where there is no git. */
  branch: z.string().nullable(),
  /** The page's own layout as it last stored it (sizes, open panels), kept per folder; null at first. */
  layout: z.record(z.string(), z.unknown()).nullable(),
})
export type WindowState = z.infer<typeof windowState>

/** A link that shows a window, once, in a browser; null where the frame around the page has shown it. */
const shownWindow = z.object({ link: z.url().nullable() })

export const windowCalls = {
  /** Shows the system's folder dialog where there is one; `unavailable` in a browser, where the page asks for a path. */
  'window.chooseFolder': defineCall(nothing, resultOf(z.object({ path: path.nullable() }))),
  /** Folders below a path that the person is typing, for completion; at most 50. */
  'window.completeFolder': defineCall(
    z.object({ text: z.string().max(4096) }),
    z.object({ folders: z.array(path) }),
  ),
  /** Opens a folder in this window if it has none yet, else in another; focuses the window that has it already. */
  'window.openFolder': defineCall(z.object({ path }), resultOf(shownWindow)),
  /** Opens one folder more in this window. Agents that are connected learn of it at once. */
  'window.addFolder': defineCall(z.object({ path }), resultOf(nothing)),
  /** Takes a folder from this window. Its files stay on the disk, and those that are open stay open. */
  'window.removeFolder': defineCall(z.object({ path }), resultOf(nothing)),
  /** Opens a window without a folder, or shows the one there is. */
  'window.openNew': defineCall(nothing, resultOf(shownWindow)),
  /** What the person has dropped on the window: which are folders, which files, and which are neither. */
  'window.sortDropped': defineCall(
    z.object({ paths: z.array(path).max(200) }),
    z.object({ folders: z.array(path), files: z.array(path), others: z.array(path) }),
  ),
  'window.setLayout': defineCall(z.object({ layout: z.record(z.string(), z.unknown()) }), nothing),
  /** Opens a web address in the person's browser, where the page cannot by itself; only http and https. */
  'window.openExternal': defineCall(z.object({ url: z.url().max(4096) }), resultOf(nothing)),
}

export const windowTopics = {
  window: defineTopic(nothing, windowState, windowState.partial()),
}
