import { Change, MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'

/** What a bare socket brings: both texts and what differs between them, as offsets. */
export interface BareReview {
  base: string
  proposed: string
  changes: { fromA: number; toA: number; fromB: number; toB: number }[]
}

/** CodeMirror's merge view on a bare socket: the limit for a review. */
export interface BareReviewPage {
  connect(port: number, layout: 'unified' | 'side-by-side'): Promise<void>
  /** When the next review is painted with its first change, in milliseconds since the epoch. It is closed then. */
  painted(): Promise<number>
}

declare global {
  interface Window {
    bareReview: BareReviewPage
  }
}

const place = document.getElementById('place') ?? document.body
const collapseUnchanged = { margin: 3, minSize: 6 }
let close: () => void = () => undefined

window.bareReview = {
  connect(port, layout) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
    socket.onmessage = ({ data }) => {
      const review = JSON.parse(data as string) as BareReview
      close = layout === 'unified' ? openUnified(review) : openBeside(review)
    }
    return new Promise((resolve) => (socket.onopen = () => resolve()))
  },
  painted: () =>
    new Promise((resolve) => {
      const look = () => {
        if (place.querySelector('.cm-changedLine, .cm-deletedChunk') === null)
          return requestAnimationFrame(look)
        setTimeout(() => {
          const at = performance.timeOrigin + performance.now()
          close()
          resolve(at)
        })
      }
      requestAnimationFrame(look)
    }),
}

const override = ({ changes }: BareReview) => ({
  override: () => changes.map(({ fromA, toA, fromB, toB }) => new Change(fromA, toA, fromB, toB)),
})

function openUnified(review: BareReview): () => void {
  const view = new EditorView({
    parent: place,
    doc: review.proposed,
    extensions: [
      lineNumbers(),
      unifiedMergeView({ original: review.base, diffConfig: override(review), collapseUnchanged }),
    ],
  })
  return () => view.destroy()
}

function openBeside(review: BareReview): () => void {
  const view = new MergeView({
    parent: place,
    a: { doc: review.base, extensions: [lineNumbers(), EditorState.readOnly.of(true)] },
    b: { doc: review.proposed, extensions: [lineNumbers()] },
    diffConfig: override(review),
    collapseUnchanged,
  })
  return () => view.destroy()
}
