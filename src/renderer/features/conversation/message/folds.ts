import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { atTheEnd, type AgentWindow } from '../tools/agent-window'

/**
 * What is unfolded in a conversation, by the id of the fold, and which part is shown of what each sub-agent said. What
 * is not named stands as it stands at first.
 */
export type Folds = StoreApi<{
  open: Readonly<Record<string, boolean>>
  windows: Readonly<Record<string, AgentWindow>>
}>

/** Folds that outlive the rows that they are in: a row that is scrolled away is not kept. */
export function createFolds(): Folds {
  return createStore(() => ({ open: {}, windows: {} }))
}

/** Folds or unfolds one. */
export function setFold(folds: Folds, id: string, isOpen: boolean): void {
  folds.setState(({ open }) => (open[id] === isOpen ? { open } : { open: { ...open, [id]: isOpen } }))
}

/** Shows another part of what a sub-agent said. */
export function setAgentWindow(folds: Folds, agent: string, window: AgentWindow): void {
  folds.setState(({ windows }) => ({ windows: { ...windows, [agent]: window } }))
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

/** What is shown of a sub-agent, and what changes that. */
export function useAgentWindow(agent: string): [window: AgentWindow, set: (window: AgentWindow) => void] {
  const folds = useContext(FoldsContext)
  const window = useStore(folds, ({ windows }) => windows[agent] ?? atTheEnd)
  return [window, (next) => setAgentWindow(folds, agent, next)]
}
