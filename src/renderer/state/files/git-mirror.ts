import type { GitHead, GitMark, GitRepository } from '../../../shared/contract/git'
import type { Topics } from '../../../shared/contract/contract'
import { isWithin } from '../../../shared/text/path-name'
import { send } from '../host/calls'
import { client } from '../host/client'
import { link } from '../host/link'
import { mirrorTopic, useMirror } from '../host/mirror'

type GitState = Topics['git']['snapshot']

export function applyGit(state: GitState, delta: Topics['git']['delta']): GitState {
  switch (delta.kind) {
    case 'put': {
      const { repository } = delta
      const others = state.repositories.filter(({ folder }) => folder !== repository.folder)
      return { repositories: [...others, repository] }
    }
    case 'change': {
      const { folder, head, put, gone, isPartial } = delta
      const repositories = state.repositories.map((repository) => {
        if (repository.folder !== folder) return repository
        const marks = new Map(repository.marks)
        for (const path of gone) marks.delete(path)
        for (const [path, mark] of put) marks.set(path, mark)
        return { ...repository, head, marks: [...marks], isPartial }
      })
      return { repositories }
    }
    case 'remove':
      return { repositories: state.repositories.filter(({ folder }) => folder !== delta.folder) }
  }
}

/** What git says of the window's folders. */
export const gitMirror = mirrorTopic(client, 'git', {}, applyGit)

const none: GitState = { repositories: [] }

/** Git's mark for a line of the tree. `inside`: the strongest mark of anything in the folder. */
export type TreeMark = { mark: GitMark; inside: boolean }

/** Looks up what git says of paths. */
export interface GitMarks {
  of(path: string): TreeMark | null
  /** The head of a nested repository whose top is this folder; else null. */
  ownAt(folder: string): GitHead | null
}

/** The strongest mark first. */
const strongest: readonly GitMark[] = ['conflict', 'modified', 'renamed', 'deleted', 'added', 'untracked']

/** Indexes the marks of some repositories; a folder gets the strongest mark of anything in it. */
export function indexMarks(repositories: readonly GitRepository[]): GitMarks {
  const own = new Map<string, GitMark>()
  const inside = new Map<string, GitMark>()
  const tops = new Map(repositories.flatMap(({ nested, folder, head }) => (nested ? [[folder, head]] : [])))
  for (const { folder, marks } of repositories) {
    for (const [path, mark] of marks) {
      own.set(path, mark)
      if (mark === 'ignored') continue
      for (let above = folderOf(path); above.length >= folder.length; above = folderOf(above)) {
        const known = inside.get(above)
        if (known !== undefined && strongest.indexOf(known) <= strongest.indexOf(mark)) break
        inside.set(above, mark)
      }
    }
  }
  return {
    ownAt: (folder) => tops.get(folder) ?? null,
    of(path) {
      const mark = own.get(path)
      // The outer repository never tracks a nested one.
      if (mark !== undefined && !(tops.has(path) && mark === 'untracked')) return { mark, inside: false }
      const below = inside.get(path)
      if (below !== undefined) return { mark: below, inside: true }
      if (tops.has(path)) return null
      // Everything in an untracked or ignored folder is untracked or ignored too.
      for (const above of foldersOver(path)) {
        // What the outer repository says about a nested one doesn't apply inside it.
        if (tops.has(above)) return null
        const whole = own.get(above)
        if (whole === 'untracked' || whole === 'ignored') return { mark: whole, inside: false }
      }
      return null
    },
  }
}

const indexes = new WeakMap<GitState, GitMarks>()

export function useGitMarks(): GitMarks {
  return useMirror(gitMirror, (state) => {
    const known = state ?? none
    const index = indexes.get(known) ?? indexMarks(known.repositories)
    indexes.set(known, index)
    return index
  })
}

/** The head of the innermost repository that holds a path; without a path, of the first repository. */
export function headFor(repositories: readonly GitRepository[], path: string | null): GitHead | null {
  const holding = repositories
    .filter(({ folder }) => path !== null && isWithin(folder, path))
    .toSorted((one, other) => other.folder.length - one.folder.length)[0]
  return (holding ?? repositories.find(({ nested }) => !nested))?.head ?? null
}

/** `headFor`, followed. */
export function useGitHead(path: string | null): GitHead | null {
  return useMirror(gitMirror, (state) => headFor((state ?? none).repositories, path))
}

/** Folders that the host has been asked to look at on this link. */
const asked = new Set<string>()
/** The most folders per call; the tree shows about sixty. */
const mostAtOnce = 500

link.subscribe((now, before) => {
  // A restarted host, or a new link to it, has forgotten what was asked.
  if (now.state !== 'live' && before.state === 'live') asked.clear()
})

/** Asks the host which of the visible folders are repositories of their own. */
export function lookForRepositories(folders: readonly string[]): void {
  if (link.getState().state !== 'live') return
  const fresh = folders.filter((folder) => !asked.has(folder)).slice(0, mostAtOnce)
  if (fresh.length === 0) return
  for (const folder of fresh) asked.add(folder)
  send('git.look', { folders: fresh })
}

/** The folders above a path, the nearest first. */
export function foldersOver(path: string): string[] {
  const folders: string[] = []
  for (let above = folderOf(path); above.length > 1; above = folderOf(above)) folders.push(above)
  return folders
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')))
}
