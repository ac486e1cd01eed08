import { z } from 'zod'
import { defineCall, defineTopic, nothing, path } from './define'

/**
 * What git says of a file, the strongest word of several. `untracked` and `ignored` also stand for whole folders, with
 * all that is in them.
 */
export const gitMark = z.enum(['conflict', 'deleted', 'modified', 'renamed', 'added', 'untracked', 'ignored'])
export type GitMark = z.infer<typeof gitMark>

/** Where a repository stands. */
export const gitHead = z.object({
  /** The branch, or null where HEAD names none. */
  branch: z.string().nullable(),
  /** The beginning of the commit; null before the first one. */
  commit: z.string().nullable(),
  /** The branch that this one follows, and the commits on either side only; null where there is none. */
  upstream: z.object({ name: z.string(), ahead: z.number().int(), behind: z.number().int() }).nullable(),
})
export type GitHead = z.infer<typeof gitHead>

/** A repository that a folder of the window lies in, as far as the folder goes, or one in such a folder. */
export const gitRepository = z.object({
  /** The folder of the window, or the top of the nested repository; real path. */
  folder: path,
  /** A repository of its own in a folder of the window, a submodule too. */
  nested: z.boolean(),
  head: gitHead,
  /** By absolute path. */
  marks: z.array(z.tuple([path, gitMark])),
  /** There is more to mark than is told. */
  isPartial: z.boolean(),
})
export type GitRepository = z.infer<typeof gitRepository>

export const gitCalls = {
  /**
   * The page shows these folders, or a file in them: those that are repositories of their own come to the topic. They
   * are followed until the page is gone, thirty at most.
   */
  'git.look': defineCall(z.object({ folders: z.array(path).max(500) }), nothing),
}

export const gitTopics = {
  /** The repositories of the window's folders, and those found in them. A folder without one is not listed. */
  git: defineTopic(
    nothing,
    z.object({ repositories: z.array(gitRepository) }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('put'), repository: gitRepository }),
      /** What has changed of one that is known. */
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
