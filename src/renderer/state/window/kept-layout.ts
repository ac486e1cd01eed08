import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { send } from '../host/calls'
import { link } from '../host/link'
import { windowMirror } from './window-mirror'

type Stored = Readonly<Record<string, unknown>>

/**
 * The page's own layout (sizes, open panels, expanded folders), kept by the host per folder.
 * The page is authoritative: the host's copy is read once per set of folders, and written a little later. It is read
 * again after another page has had the window.
 */
const layout = createStore<{ values: Stored; loadedFor: string | null }>()(() => ({
  values: {},
  loadedFor: null,
}))

/** In milliseconds. What is typed is in it too, and a crash may lose no more than a quarter of a second of that. */
const savingDelay = 200
let saving: ReturnType<typeof setTimeout> | null = null
/** What was saved last hasn't arrived. */
let isUnsaved = false
/** What the host had last of this page. */
let arrived: Stored = {}
/** What this page had when another one took the window: what the host keeps is newer since. */
let outdated: Stored | null = null

/** One value of the layout under its own key. Features may define their own. */
export interface LayoutValue<T> {
  get(): T
  set(value: T): void
  /** Follows it in a component. */
  use(): T
}

/** By key: how what this page couldn't save and what another page has left become one. */
const joins = new Map<string, (mine: unknown, theirs: unknown) => unknown>()

/**
 * Defines a value of the layout. `parse` makes a valid value from anything stored, including undefined. `join` is for
 * what a person has written: where this page couldn't save its own before another page had the window, both are kept.
 */
export function defineLayoutValue<T>(
  key: string,
  parse: (stored: unknown) => T,
  join?: (mine: T, theirs: T) => T,
): LayoutValue<T> {
  if (join) joins.set(key, (mine, theirs) => join(parse(mine), parse(theirs)))
  // Parsed only when the stored value changes, so that readers get the same object.
  let known: { stored: unknown; value: T } | null = null
  const read = (values: Stored): T => {
    const stored = values[key]
    if (!known || known.stored !== stored) known = { stored, value: parse(stored) }
    return known.value
  }
  return {
    get: () => read(layout.getState().values),
    set(value) {
      const { values } = layout.getState()
      if (Object.is(values[key], value)) return
      layout.setState({ values: { ...values, [key]: value } })
      saveSoon()
    },
    use: () => useStore(layout, (state) => read(state.values)),
  }
}

/** Whether this window's layout has arrived from the host; panels wait for it so that they don't jump. */
export function useLayoutLoaded(): boolean {
  return useStore(layout, (state) => state.loadedFor !== null)
}

/** Saves at once what is not saved yet, for a page that is about to close. */
export function saveLayoutNow(): void {
  if (saving === null) return
  clearTimeout(saving)
  saving = null
  if (outdated) return
  isUnsaved = false
  const { values } = layout.getState()
  send('window.setLayout', { layout: values }, (isTaken) => {
    if (isTaken) arrived = values
    else isUnsaved = true
  })
}

function saveSoon(): void {
  if (saving === null) saving = setTimeout(saveLayoutNow, savingDelay)
}

link.subscribe(({ state }) => {
  if (state === 'elsewhere') outdated ??= layout.getState().values
})
windowMirror.store.subscribe((state) => {
  if (state.kind !== 'here') return
  const folders = state.data.folders.map((folder) => folder.path).join('\n')
  if (folders === layout.getState().loadedFor && !outdated) {
    if (isUnsaved) saveSoon()
    return
  }
  const theirs = state.data.layout ?? {}
  const mine = outdated ?? arrived
  const joined = [...joins].flatMap(([key, join]) =>
    mine[key] === arrived[key] ? [] : [[key, join(mine[key], theirs[key])] as const],
  )
  isUnsaved = false
  outdated = null
  arrived = theirs
  layout.setState({ values: { ...theirs, ...Object.fromEntries(joined) }, loadedFor: folders })
  if (joined.length > 0) saveSoon()
})
