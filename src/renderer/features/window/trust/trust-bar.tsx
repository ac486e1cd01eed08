import { ShieldQuestionMark } from 'lucide-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import type { WindowState } from '../../../../shared/contract/window'
import { DisposableStack } from '../../../../shared/lifetime'
import { tell } from '../../../state/window/notices-mirror'
import { answerTrust } from '../../../state/window/trust'
import { useWindow } from '../../../state/window/window-mirror'
import { announce } from '../../../ui/browser/live-region'
import { PressGuard } from '../../../ui/browser/press-guard'
import { Button } from '../../../ui/controls/button'
import { InfoBar } from '../../../ui/layout/info-bar'
import { shorten } from '../../../ui/wording/home-path'
import { plainName } from '../../../ui/wording/plain-name'
import { findPane } from '../pane-cycle'
import './trust-bar.css'

type Untrusted = WindowState['untrusted'][number]

/**
 * Asks about the first folder that the person has said nothing about. It stands at the top, but behind everything in the
 * order of the tab key: it takes no focus, and no key meant for something else.
 */
export function TrustBar() {
  const facts = useWindow()
  const folder = facts?.untrusted.find(({ isDeclined }) => !isDeclined)
  return folder ? <Question key={folder.path} folder={folder} home={facts?.homeDirectory ?? ''} /> : null
}

function Question({ folder, home }: { folder: Untrusted; home: string }) {
  const bar = useRef<HTMLDivElement>(null)
  const [guard] = useState(() => new PressGuard())
  const [isReady, setReady] = useState(false)
  const name = plainName(folder.name)
  useEffect(() => {
    if (!bar.current) return
    const owned = new DisposableStack(guard.onChange(setReady), guard.follow(bar.current))
    return () => owned.dispose()
  }, [guard])
  useEffect(() => announce(`${name} isn’t trusted yet. A bar at the top asks about it.`), [name])

  const press = (mayRun: boolean) => (event: MouseEvent<HTMLButtonElement>) => {
    if (!guard.counts(event.currentTarget, event.detail)) return
    if (event.currentTarget === document.activeElement) findPane('main')?.focus()
    answerTrust(folder.path, mayRun)
    if (mayRun) return announce(`${name} is trusted.`)
    tell(
      'info',
      `Conversations, hooks and MCP servers stay off in ${name}. To change that, use “not trusted” in the status bar.`,
    )
  }
  return (
    <InfoBar
      ref={bar}
      className="trust-bar"
      role="region"
      aria-label="Trust"
      icon={<ShieldQuestionMark aria-hidden="true" />}
      words={
        <>
          Do you trust what is in <strong className="name">{plainName(shorten(folder.path, home))}</strong>?
          Until you do, you can’t start conversations in it, and its hooks and MCP servers don’t run.
        </>
      }
      onPointerDownCapture={(event) => guard.begin(event.target)}
    >
      <Button size="small" aria-disabled={!isReady} onMouseDown={leaveFocus} onClick={press(true)}>
        Trust this folder
      </Button>
      <Button size="small" aria-disabled={!isReady} onMouseDown={leaveFocus} onClick={press(false)}>
        Not now
      </Button>
    </InfoBar>
  )
}

/** By a mouse the focus stays where it was. */
function leaveFocus(event: MouseEvent): void {
  event.preventDefault()
}
