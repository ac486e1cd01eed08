import { PlugZap } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type Link, linkSentence } from '../../state/host/link'
import { Button } from '../../ui/controls/button'
import { InfoBar } from '../../ui/layout/info-bar'
import { useLongWait } from '../../ui/layout/skeleton'
import './link-bar.css'

/** Says above the page that the link to the host is lost; the page stays usable. */
export function LinkBar({ link }: { link: Link }) {
  const sentence = linkSentence(link)
  const isLong = useLongWait(link.state === 'connecting')
  if (sentence === null || link.state === 'elsewhere' || (link.state === 'connecting' && !isLong)) return null
  return <InfoBar icon={<PlugZap aria-hidden="true" />} words={sentence} role="status" />
}

/** Covers the page while another one is live. */
export function OpenElsewhere({ link }: { link: Link }) {
  const button = useRef<HTMLButtonElement>(null)
  // Nothing else on the page can have the focus.
  useEffect(() => button.current?.focus(), [])
  return (
    <main className="open-elsewhere column">
      <p>{linkSentence(link)}</p>
      <Button ref={button} variant="primary" onClick={() => link.useHere?.()}>
        Use here
      </Button>
    </main>
  )
}
