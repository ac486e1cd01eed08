import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

/** A folder open in a window. `name` is for the person, and distinct from the others. */
export const workspaceFolder = z.object({ path, name: z.string() })
export type WorkspaceFolder = z.infer<typeof workspaceFolder>

/** What the page must know about its host from the start. */
export const windowState = z.object({
  version: z.string(),
  host: z.enum(['electron', 'browser']),
  platform: z.string(),
  homeDirectory: path,
  folders: z.array(workspaceFolder),
  /** Those of its folders whose own programs may not run; `isDeclined`: the person has said not now. */
  untrusted: z.array(workspaceFolder.extend({ isDeclined: z.boolean() })),
  recentFolders: z.array(path),
  /** Branch of the first folder; null without git. */
  branch: z.string().nullable(),
  /** The page's layout as it last stored it (sizes, open panels), kept per folder; null at first. */
  layout: z.record(z.string(), z.unknown()).nullable(),
})
export type WindowState = z.infer<typeof windowState>

/** A link that shows a window once, in a browser; null if the shell has shown it. */
const shownWindow = z.object({ link: z.url().nullable() })

export const windowCalls = {
  /** Shows the system's folder dialog. Fails as `unavailable` in a browser, where the page asks for a path. */
  'window.chooseFolder': defineCall(nothing, resultOf(z.object({ path: path.nullable() }))),
  /** Completions for a folder's path that the person is typing; at most 50. */
  'window.completeFolder': defineCall(
    z.object({ text: z.string().max(4096) }),
    z.object({ folders: z.array(path) }),
  ),
  /** Opens a folder in this window if it has none, else in another; if a window has it already, focuses that one. */
  'window.openFolder': defineCall(z.object({ path }), resultOf(shownWindow)),
  /** Adds a folder to this window. Connected agents are told at once. */
  'window.addFolder': defineCall(z.object({ path }), resultOf(nothing)),
  /** Removes a folder from this window. Its files stay on disk, and open files stay open. */
  'window.removeFolder': defineCall(z.object({ path }), resultOf(nothing)),
  /** Opens a window without a folder, or shows the one there is. */
  'window.openNew': defineCall(nothing, resultOf(shownWindow)),
  /** Sorts what was dropped on the window into folders, files and others. */
  'window.sortDropped': defineCall(
    z.object({ paths: z.array(path).max(200) }),
    z.object({ folders: z.array(path), files: z.array(path), others: z.array(path) }),
  ),
  'window.setLayout': defineCall(z.object({ layout: z.record(z.string(), z.unknown()) }), nothing),
  /** Opens an http or https address in the person's browser, if the page can't do so itself. */
  'window.openExternal': defineCall(z.object({ url: z.url().max(4096) }), resultOf(nothing)),
}

export const windowTopics = {
  window: defineTopic(nothing, windowState, windowState.partial()),
}
