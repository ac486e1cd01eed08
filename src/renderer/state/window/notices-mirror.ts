import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Topics } from '../../../shared/contract/contract'
import type { Notice } from '../../../shared/contract/notices'
import { client } from '../host/client'
import { mirrorTopic, putById } from '../host/mirror'

type State = Topics['notices']['snapshot']

export function applyNotices(state: State, delta: Topics['notices']['delta']): State {
  switch (delta.kind) {
    case 'add':
      return { notices: putById(state.notices, delta.notice) }
    case 'remove':
      return { notices: state.notices.filter((notice) => notice.id !== delta.id) }
  }
}

/** The host's sentences for the person. */
export const hostNotices = mirrorTopic(client, 'notices', {}, applyNotices)

/** A sentence of the page's own, with at most one thing to do about it. */
export interface PageNotice {
  id: string
  kind: Notice['kind']
  text: string
  passing: boolean
  action: { label: string; run: () => void } | null
}

export const pageNotices = createStore<{ notices: readonly PageNotice[] }>()(() => ({ notices: [] }))

let nextId = 1

/** Shows the person a sentence. Infos disappear by themselves; warnings and errors stay until dismissed. */
export function tell(kind: Notice['kind'], text: string, action: PageNotice['action'] = null): void {
  const { notices } = pageNotices.getState()
  // Of the same sentence only the newest stays.
  const others = notices.filter((notice) => notice.text !== text)
  const notice = { id: `page-${nextId++}`, kind, text, passing: kind === 'info', action }
  pageNotices.setState({ notices: [...others, notice] })
}

/** Dismisses one of the page's own notices. */
export function dismissPageNotice(id: string): void {
  pageNotices.setState({ notices: pageNotices.getState().notices.filter((notice) => notice.id !== id) })
}

export function usePageNotices(): readonly PageNotice[] {
  return useStore(pageNotices, (state) => state.notices)
}
