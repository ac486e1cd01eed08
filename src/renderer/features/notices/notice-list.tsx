import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Notice } from '../../../shared/contract/notices'
import { ask, attempt, send } from '../../state/host/calls'
import { showSide } from '../../state/window/frame-layout'
import { useMirror } from '../../state/host/mirror'
import {
  type PageNotice,
  dismissPageNotice,
  hostNotices,
  tell,
  usePageNotices,
} from '../../state/window/notices-mirror'
import { openFile } from '../../state/tabs/wanted-file'
import { reopenReview } from '../../state/reviews/reviews-mirror'
import { showReview } from '../../state/reviews/shown-review'
import { Button } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { announce } from '../../ui/browser/live-region'
import { countOf } from '../../ui/wording/number-format'
import './notice-list.css'

/** A passing notice stays this long, and longer while it is hovered or has the focus; in milliseconds. */
const passingTime = 6000
/** No more than this many are shown; others wait. */
const mostShown = 5

const none: readonly Notice[] = []

/** Sentences in the page's corner. Each is announced as it comes; none takes the focus. */
export function Notices() {
  const fromHost = useMirror(hostNotices, (state) => state?.notices ?? none)
  const fromPage = usePageNotices()
  const all = [
    ...fromHost.map((notice) => ({
      notice: { ...notice, action: actionOf(notice) },
      dismiss: () => send('notices.dismiss', { id: notice.id }),
    })),
    ...fromPage.map((notice) => ({ notice, dismiss: () => dismissPageNotice(notice.id) })),
  ]
  const more = all.length - mostShown
  const place = useRef<HTMLElement>(null)
  usePlace(place, all.length > 0)
  return (
    <section ref={place} className="notices column" aria-label="Notices">
      {more > 0 ? <p className="notices-more aside">{more} more</p> : null}
      {all.slice(-mostShown).map(({ notice, dismiss }) => (
        <NoticeCard key={notice.id} notice={notice} onDismiss={dismiss} />
      ))}
    </section>
  )
}

/** The distance from the edges of what the notices lie over, in pixels. */
const gap = 12

/**
 * Keeps the notices over the bottom of the editors and reviews, never over a terminal, where a person reads and types;
 * where a terminal stands alone, over its tabs.
 */
function usePlace(place: RefObject<HTMLElement | null>, isAny: boolean): void {
  useLayoutEffect(() => {
    if (!isAny) return
    const paneOf = (name: string) => document.querySelector<HTMLElement>(`[data-pane="${name}"]`)
    const [main, terminal] = [paneOf('main'), paneOf('terminal')]
    const put = () => {
      const style = place.current?.style
      if (!style) return
      const isSeen = main !== null && main.clientWidth > 0
      const alone = !isSeen && terminal !== null && terminal.clientWidth > 0 ? terminal : null
      const { right, bottom } = (isSeen ? main : document.documentElement).getBoundingClientRect()
      style.right = `${innerWidth - right + gap}px`
      style.bottom = alone ? 'auto' : isSeen ? `${innerHeight - bottom + gap}px` : ''
      style.top = alone ? `${alone.getBoundingClientRect().top}px` : ''
    }
    put()
    const observer = new ResizeObserver(put)
    for (const pane of [main, terminal, document.documentElement]) if (pane) observer.observe(pane)
    return () => observer.disconnect()
  }, [place, isAny])
}

function actionOf(notice: Notice): PageNotice['action'] {
  const { action } = notice
  if (action === null) return null
  const run = () => {
    switch (action.kind) {
      case 'undo-review':
        void ask('review.undo', { id: action.review })
        break
      case 'reopen-review':
        void reopenReview(action.review)
        break
      case 'undo-reviews':
        void undoAll(action.reviews)
        break
      case 'open-review':
        showReview(action.review, true)
        break
      case 'open-file':
        void openFile(action.path, { preview: false, focus: true })
        break
      case 'show-reviews':
        showSide('reviews')
    }
    send('notices.dismiss', { id: notice.id })
  }
  return { label: action.label, run }
}

/** Undoes one after the other, and says how many files stay because they were changed again. */
async function undoAll(reviews: readonly string[]): Promise<void> {
  let left = 0
  for (const id of reviews) if (!(await attempt('review.undo', { id })).ok) left++
  const done = reviews.length - left
  if (done > 0) tell('info', `Put back ${countOf(done, 'file')}.`)
  if (left > 0) {
    const why = left === 1 ? 'was changed since and stays' : 'were changed since and stay'
    tell('warning', `${countOf(left, 'file')} ${why}. See Recently decided.`)
  }
}

/** A sentence is announced once it has not changed for this long, in milliseconds. */
const sayingTime = 300

const icons = { info: <Info />, warning: <TriangleAlert />, error: <CircleAlert /> }

function NoticeCard({ notice, onDismiss }: { notice: PageNotice; onDismiss: () => void }) {
  const { id, kind, text, passing, action } = notice
  const [held, setHeld] = useState(false)
  const dismiss = useRef(onDismiss)
  dismiss.current = onDismiss

  useEffect(() => {
    const timer = setTimeout(() => announce(text), sayingTime)
    return () => clearTimeout(timer)
  }, [id, text])
  useEffect(() => {
    if (!passing || held) return
    const timer = setTimeout(() => dismiss.current(), passingTime)
    return () => clearTimeout(timer)
  }, [passing, held, text])

  return (
    <div
      className={`notice row notice-${kind}`}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="notice-icon" aria-hidden="true">
        {icons[kind]}
      </span>
      <p className="notice-text selectable">{text}</p>
      {action ? (
        <Button
          size="small"
          onClick={() => {
            action.run()
            onDismiss()
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <IconButton label="Dismiss" icon={<X />} onClick={onDismiss} />
    </div>
  )
}
