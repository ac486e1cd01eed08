import { z } from 'zod'
import { defineCall, defineTopic, nothing, path } from './define'

/**
 * What git says about a file; of several marks, the strongest. `untracked` and `ignored` also mark whole folders,
 * including everything in them.
 */
export const gitMark = z.enum(['conflict', 'deleted', 'modified', 'renamed', 'added', 'untracked', 'ignored'])
export type GitMark = z.infer<typeof gitMark>

export const gitHead = z.object({
  /** Null if HEAD is detached. */
  branch: z.string().nullable(),
  /** The abbreviated commit; null before the first one. */
  commit: z.string().nullable(),
  /** The upstream branch, and how many commits only one side has; null if there is none. */
  upstream: z.object({ name: z.string(), ahead: z.number().int(), behind: z.number().int() }).nullable(),
})
export type GitHead = z.infer<typeof gitHead>

/** A repository around or in one of the window's folders, with the marks inside the folder. */
export const gitRepository = z.object({
  /** The window's folder, or the top of a nested repository; real path. */
  folder: path,
  /** A separate repository in one of the window's folders, or a submodule. */
  nested: z.boolean(),
  head: gitHead,
  /** By absolute path. */
  marks: z.array(z.tuple([path, gitMark])),
  /** There are more marks than are sent. */
  isPartial: z.boolean(),
})
export type GitRepository = z.infer<typeof gitRepository>

export const gitCalls = {
  /**
   * The page shows these folders, or a file in them: the topic adds those that are repositories of their own. At most
   * thirty are followed, until the page is gone.
   */
  'git.look': defineCall(z.object({ folders: z.array(path).max(500) }), nothing),
}

export const gitTopics = {
  /** The repositories of the window's folders, and those found in them. */
  git: defineTopic(
    nothing,
    z.object({ repositories: z.array(gitRepository) }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('put'), repository: gitRepository }),
      /** What has changed in a known one. */
      z.object({
        kind: z.literal('change'),
        folder: path,
        head: gitHead,
        put: z.array(z.tuple([path, gitMark])),
        gone: z.array(path),
        isPartial: z.boolean(),
      }),
      z.object({ kind: z.literal('remove'), folder: path }),
    ]),
  ),
}
