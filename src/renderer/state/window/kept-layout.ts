import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { send } from '../host/calls'
import { windowMirror } from './window-mirror'

type Stored = Readonly<Record<string, unknown>>

/**
 * What the page alone knows of its own look (sizes, open panels, expanded folders), kept by the host per folder.
 * The page is the authority: the host's copy is read once for each set of folders, and written some time after.
 */
const layout = createStore<{ values: Stored; loadedFor: string | null }>()(() => ({
  values: {},
  loadedFor: null,
}))

const savingDelay = 400
let saving: ReturnType<typeof setTimeout> | null = null

/** One value of the layout under a key of its own. Features may have theirs. */
export interface LayoutValue<T> {
  get(): T
  set(value: T): void
  /** Follows it in a component. */
  use(): T
}

/** Names a value of the layout. `parse` makes a sound value of whatever was stored, also of undefined. */
export function defineLayoutValue<T>(key: string, parse: (stored: unknown) => T): LayoutValue<T> {
  // Parsed again only when the stored value is another one, so that readers see the same object.
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

/** Whether the layout of this window has come from the host; panels wait for it so as not to jump. */
export function useLayoutLoaded(): boolean {
  return useStore(layout, (state) => state.loadedFor !== null)
}

/** Saves at once what is not saved yet, for a page that is about to close. */
export function saveLayoutNow(): void {
  if (saving === null) return
  clearTimeout(saving)
  saving = null
  send('window.setLayout', { layout: layout.getState().values })
}

function saveSoon(): void {
  if (saving === null) saving = setTimeout(saveLayoutNow, savingDelay)
}

windowMirror.store.subscribe((state) => {
  if (state.kind !== 'here') return
  const folders = state.data.folders.map((folder) => folder.path).join('\n')
  if (folders === layout.getState().loadedFor) return
  layout.setState({ values: state.data.layout ?? {}, loadedFor: folders })
})
