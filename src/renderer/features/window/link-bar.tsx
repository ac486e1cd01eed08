import { PlugZap } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type Link, linkSentence } from '../../state/host/link'
import { Button } from '../../ui/controls/button'
import { useLongWait } from '../../ui/layout/skeleton'
import './link-bar.css'

/** Says that the link to the host is lost, above a page that stays usable; nothing while all is well. */
export function LinkBar({ link }: { link: Link }) {
  const sentence = linkSentence(link)
  const isLong = useLongWait(link.state === 'connecting')
  if (sentence === null || link.state === 'elsewhere' || (link.state === 'connecting' && !isLong)) return null
  return (
    <div className="link-bar" role="status">
      <PlugZap aria-hidden="true" />
      <span>{sentence}</span>
    </div>
  )
}

/** Stands in place of the whole page while another one is live. */
export function OpenElsewhere({ link }: { link: Link }) {
  const button = useRef<HTMLButtonElement>(null)
  // There is nothing else on the page.
  useEffect(() => button.current?.focus(), [])
  return (
    <main className="open-elsewhere">
      <p>{linkSentence(link)}</p>
      <Button ref={button} variant="primary" onClick={() => link.useHere?.()}>
        Use here
      </Button>
    </main>
  )
}
