import { createContext, useContext, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Item, Prompt, ReadTranscript } from '../../../shared/conversation/transcript'
import type { AskedReview, ConversationActions, DrawDiff } from './conversation-state'
import type { Density } from '../../state/sessions/conversation-layout'

/** What every part of a conversation may need; the same object as long as nothing about it changes. */
export interface ConversationSurroundings {
  agent: string
  /** The folder that the session works in: paths in it are shown from there. */
  folder: string | null
  density: Density
  actions: ConversationActions
  transcript: ReadTranscript
  drawDiff: DrawDiff
  /** Draws an item inside of another: what a sub-agent said. */
  drawItem: (item: Item) => ReactNode
  /** The agent works: what has no result yet may still get one. */
  isWorking: boolean
  /** It waits for an answer of the person's. */
  isAsking: boolean
  /** The reviews that it waits for. */
  asked: readonly AskedReview[]
  /** What can be done with what the person said; null where that can't be. */
  promptActs: PromptActs
}

export interface PromptActs {
  /** Takes it into the field, to send it anew as another conversation. */
  edit: ((prompt: Prompt) => void) | null
  /** Shows what it takes to have the files as they were before it. */
  rewind: ((prompt: Prompt) => void) | null
}

/** Given by the view to all that is in it. */
export const SurroundingsContext = createContext<ConversationSurroundings | null>(null)

/** What the conversation around offers. */
export function useSurroundings(): ConversationSurroundings {
  const around = useContext(SurroundingsContext)
  if (!around) throw new Error('a part of a conversation outside of one')
  return around
}

/**
 * Another number at each change of the transcript; only for what shows more of it than it was given. A store, for when a
 * context changes React goes through all that is drawn.
 */
export const RevisionContext = createContext<StoreApi<number>>(createStore(() => 0))

/** Draws anew at each change of the transcript. */
export function useRevision(): number {
  return useStore(useContext(RevisionContext))
}
