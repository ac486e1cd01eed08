import type { StateEffect } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { FileQuestion, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { Tab } from '../../../shared/contract/tabs'
import { ask } from '../../state/host/calls'
import { settingsMirror } from '../../state/settings/settings-mirror'
import { Button } from '../../ui/controls/button'
import { EmptyState } from '../../ui/layout/empty-state'
import { formatSize } from '../../ui/wording/number-format'
import { Skeleton } from '../../ui/layout/skeleton'
import { DiskBar, UnsentBar } from './document/disk-bar'
import { sessionOf } from './editor-sessions'
import { ImageView } from './drawn/image-view'
import { LargeFileView } from './large-file/large-file-view'
import './editor-pane.css'

/** The scroll positions of editors that were taken out of the page. */
const scrolls = new WeakMap<EditorView, StateEffect<unknown>>()

/** A file's editor. It stays mounted while its tab lives, which keeps scroll position and undo history. */
export function EditorPane({ tab, active }: { tab: Extract<Tab, { kind: 'file' }>; active: boolean }) {
  const session = sessionOf(tab)
  const document = useStore(session.sync.view)
  const view = useStore(session.view, (state) => state.view)
  const place = useRef<HTMLDivElement>(null)

  // While it is shown, the editor keeps its place and the focus.
  const hasEditor = document.kind === 'text' || document.kind === 'unsent'
  useEffect(() => {
    if (!view || !place.current) return
    place.current.append(view.dom)
    // Moved to the other side it would be at its top.
    const scroll = scrolls.get(view)
    if (scroll) view.dispatch({ effects: scroll })
    return () => {
      scrolls.set(view, view.scrollSnapshot())
      view.dom.remove()
    }
  }, [view, hasEditor])

  // The font size may have changed, so the editor must measure again.
  useEffect(() => {
    if (!view) return
    return settingsMirror.store.subscribe(() => requestAnimationFrame(() => view.requestMeasure()))
  }, [view])

  useEffect(() => {
    if (!active || !view) return
    view.requestMeasure()
    session.shown()
  }, [active, view, hasEditor, session])

  switch (document.kind) {
    case 'loading':
      return <Skeleton lines={12} progress={document.progress} />
    case 'image':
      return <ImageView path={session.path} name={session.name} {...document} />
    case 'large':
      return <LargeFileView path={session.path} size={document.size} active={active} />
    case 'binary':
      return (
        <EmptyState
          icon={<FileQuestion />}
          title="This isn’t a text file"
          action={
            <Button onClick={() => void ask('documents.reopen', { path: session.path, encoding: 'latin-1' })}>
              Open as text anyway
            </Button>
          }
        >
          {formatSize(document.size)}. Open it in another program.
        </EmptyState>
      )
    case 'failed':
      return (
        <EmptyState
          icon={<TriangleAlert />}
          title={document.message}
          action={<Button onClick={() => session.sync.takeAgain()}>Try again</Button>}
        />
      )
    case 'text':
    case 'unsent':
      return (
        <div className="editor-pane fills">
          {document.kind === 'text' ? (
            <DiskBar session={session} meta={document.meta} />
          ) : (
            <UnsentBar session={session} />
          )}
          <div ref={place} className="editor-place" />
        </div>
      )
  }
}
