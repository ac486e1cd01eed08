import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'

/** What is unfolded in a conversation, by the id of the fold; what is not named stands as it stands at first. */
export type Folds = StoreApi<{ open: Readonly<Record<string, boolean>> }>

/** Folds that outlive the rows that they are in: a row that is scrolled away is not kept. */
export function createFolds(): Folds {
  return createStore(() => ({ open: {} }))
}

/** Folds or unfolds one. */
export function setFold(folds: Folds, id: string, isOpen: boolean): void {
  folds.setState(({ open }) => (open[id] === isOpen ? { open } : { open: { ...open, [id]: isOpen } }))
}

/** The fold of the tools of a reply, which are one line in a summary. */
export function workFold(item: string): string {
  return `tools:${item}`
}

/** The folds of the conversation around. */
export const FoldsContext = createContext<Folds>(createFolds())

/** Whether something is unfolded, and what changes that. */
export function useFold(
  id: string,
  isOpenAtFirst: boolean,
): [isOpen: boolean, set: (isOpen: boolean) => void] {
  const folds = useContext(FoldsContext)
  const isOpen = useStore(folds, ({ open }) => open[id] ?? isOpenAtFirst)
  return [isOpen, (next) => setFold(folds, id, next)]
}
