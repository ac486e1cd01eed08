import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Notice } from '../../../shared/contract/notices'
import { ask, send } from '../../state/calls'
import { showSide } from '../../state/frame-layout'
import { useMirror } from '../../state/mirror'
import { type PageNotice, dismissPageNotice, hostNotices, usePageNotices } from '../../state/notices'
import { openFile } from '../../state/open-file'
import { reopenReview } from '../../state/reviews'
import { Button } from '../../ui/button'
import { IconButton } from '../../ui/icon-button'
import { announce } from '../../ui/live-region'
import './notices.css'

/** A passing notice stays this long, and longer while it is pointed at or has the focus. Milliseconds. */
const passingTime = 6000
/** More than these are waiting in the list until one goes. */
const mostShown = 5

const none: readonly Notice[] = []

/** Sentences for the person at the page's corner. Each is said in the live region as it comes; none takes the focus. */
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
  return (
    <section className="notices" aria-label="Notices">
      {more > 0 ? <p className="notices-more">{more} more</p> : null}
      {all.slice(-mostShown).map(({ notice, dismiss }) => (
        <NoticeCard key={notice.id} notice={notice} onDismiss={dismiss} />
      ))}
    </section>
  )
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
      case 'open-review':
        void ask('tabs.openReview', { review: action.review })
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

const icons = { info: <Info />, warning: <TriangleAlert />, error: <CircleAlert /> }

function NoticeCard({ notice, onDismiss }: { notice: PageNotice; onDismiss: () => void }) {
  const { id, kind, text, passing, action } = notice
  const [held, setHeld] = useState(false)
  const dismiss = useRef(onDismiss)
  dismiss.current = onDismiss

  useEffect(() => announce(text), [id, text])
  useEffect(() => {
    if (!passing || held) return
    const timer = setTimeout(() => dismiss.current(), passingTime)
    return () => clearTimeout(timer)
  }, [passing, held, text])

  return (
    <div
      className={`notice notice-${kind}`}
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
      <IconButton label="Dismiss" icon={<X />} size="small" onClick={onDismiss} />
    </div>
  )
}
