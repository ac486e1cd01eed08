import { sep } from 'node:path'
import { runTasks } from '../workers/worker-task'
import {
  type PreparedPaths,
  preparePaths,
  bestMatches,
  findMatches,
  markLetters,
  wordsOf,
} from './path-matcher'

/** Names of one folder's files, each followed by a NUL. */
interface ListedFolder {
  folder: string
  /** What is shown before its files' paths. */
  prefix: string
  /** Folders in it that are listed separately. */
  skip: readonly string[]
  listed: Uint8Array<ArrayBuffer>
}

/** One thread holds one list: it is loaded once, then asked. */
export type PathTask =
  | { kind: 'load'; lists: ListedFolder[]; most: number }
  | { kind: 'match'; typed: string; recent: readonly string[]; limit: number }

/** A matching file: its path, how it is shown, and the places of the typed letters in that. */
export interface FoundPath {
  path: string
  text: string
  marks: number[]
  isRecent: boolean
}

/** Null if there is no list yet. */
export type PathAnswer = { files: FoundPath[]; count: number; isWhole: boolean } | null

/** A folder with its trailing separator, what is shown before its paths, and the index after its last. */
interface ListedPlace {
  folder: string
  prefix: string
  until: number
}

interface LoadedList {
  list: PreparedPaths
  folders: readonly ListedPlace[]
  /** The indexes of recently opened files, looked up so far; undefined: not in the list. */
  numbers: Map<string, number | undefined>
  isWhole: boolean
  /** The last matches: one more letter can only make them fewer. */
  last: { words: readonly string[]; indexes: Uint32Array } | null
}

let list: LoadedList | null = null

runTasks<PathTask, PathAnswer>((task) => {
  if (task.kind === 'match') return list && match(list, task)
  list = load(task)
  return null
})

function load({ lists: given, most }: Extract<PathTask, { kind: 'load' }>): LoadedList {
  const paths: string[] = []
  const folders: ListedPlace[] = []
  let isWhole = true
  for (const { folder, prefix, skip, listed } of given) {
    const start = folder.endsWith(sep) ? folder : folder + sep
    const inner = skip.map((path) => `${path.slice(start.length).split(sep).join('/')}/`)
    for (const name of namesIn(listed)) {
      if (inner.some((path) => name.startsWith(path))) continue
      isWhole = paths.length < most
      if (!isWhole) break
      paths.push(prefix + name)
    }
    folders.push({ folder: start, prefix, until: paths.length })
  }
  const loaded: LoadedList = { list: preparePaths(paths), folders, numbers: new Map(), isWhole, last: null }
  // Otherwise the first letters typed would wait for the engine to compile the matching code.
  for (const typed of ['e', 'es', 's e']) match(loaded, { kind: 'match', typed, recent: [], limit: 100 })
  return loaded
}

function namesIn(listed: Uint8Array): string[] {
  const names = Buffer.from(listed.buffer, listed.byteOffset, listed.byteLength).toString('utf8').split('\0')
  names.pop()
  return sep === '/' ? names : names.map((name) => name.replaceAll(sep, '/'))
}

function match(
  loaded: LoadedList,
  { typed, recent, limit }: Extract<PathTask, { kind: 'match' }>,
): PathAnswer {
  const { list: all, isWhole } = loaded
  const words = wordsOf(typed)
  const count = all.paths.length
  const opened = recentNumbers(loaded, recent)
  if (words.length === 0) {
    const others = all.paths.slice(0, limit).flatMap((_, index) => (opened.includes(index) ? [] : [index]))
    const shown = [...opened, ...others].slice(0, limit)
    return { files: shown.map((index) => describe(loaded, [], index, opened)), count, isWhole }
  }
  const { last } = loaded
  const isNarrower =
    last !== null &&
    last.words.length <= words.length &&
    last.words.every((word, at) => words[at]?.startsWith(word))
  const matches = findMatches(all, words, isNarrower ? last.indexes : null)
  loaded.last = { words, indexes: matches.indexes }
  const fitting = findMatches(all, words, Uint32Array.from(opened))
  const first = bestMatches(all, words, fitting, limit)
  const firsts = new Set(first)
  const others = bestMatches(all, words, matches, limit).filter((index) => !firsts.has(index))
  const shown = [...first, ...others].slice(0, limit)
  return { files: shown.map((index) => describe(loaded, words, index, opened)), count, isWhole }
}

function describe(
  loaded: LoadedList,
  words: readonly string[],
  index: number,
  opened: readonly number[],
): FoundPath {
  const text = loaded.list.paths[index] ?? ''
  const marks = markLetters(loaded.list, words, index)
  return { path: pathOf(loaded, index), text, marks, isRecent: opened.includes(index) }
}

/** The indexes of recently opened files that are in the list. */
function recentNumbers({ list: all, folders, numbers }: LoadedList, recent: readonly string[]): number[] {
  const wanted = new Map<string, string>()
  for (const path of recent) {
    if (numbers.has(path)) continue
    numbers.set(path, undefined)
    for (const { folder, prefix } of folders) {
      if (!path.startsWith(folder)) continue
      wanted.set(prefix + path.slice(folder.length).split(sep).join('/'), path)
    }
  }
  if (wanted.size > 0) {
    for (const [index, text] of all.paths.entries()) {
      const path = wanted.get(text)
      if (path !== undefined) numbers.set(path, index)
    }
  }
  return recent.flatMap((path) => numbers.get(path) ?? [])
}

function pathOf({ list: all, folders }: LoadedList, index: number): string {
  const holding = folders.find(({ until }) => index < until)
  const name = (all.paths[index] ?? '').slice(holding?.prefix.length ?? 0)
  return (holding?.folder ?? '') + (sep === '/' ? name : name.replaceAll('/', sep))
}
