import { type MouseEvent, type ReactNode, useRef } from 'react'
import { usePressGuard } from '../../ui/browser/use-press-guard'
import { Button } from '../../ui/controls/button'
import { InfoBar } from '../../ui/layout/info-bar'
import { findPane } from './pane-cycle'
import './asking-bar.css'

/**
 * Asks something about the whole window. It stands at the top, but behind everything in the order of the tab key: it takes
 * no focus, and no key meant for something else.
 */
export function AskingBar({
  label,
  icon,
  words,
  agree,
  decline,
  onAnswer,
}: {
  /** The name of the region. */
  label: string
  icon: ReactNode
  words: ReactNode
  agree: string
  decline: string
  onAnswer: (agrees: boolean) => void
}) {
  const bar = useRef<HTMLDivElement>(null)
  const { guard, isReady } = usePressGuard(bar)

  const press = (agrees: boolean) => (event: MouseEvent<HTMLButtonElement>) => {
    if (!guard.counts(event.currentTarget, event.detail)) return
    if (event.currentTarget === document.activeElement) findPane('main')?.focus()
    onAnswer(agrees)
  }
  return (
    <InfoBar
      ref={bar}
      className="asking-bar"
      role="region"
      aria-label={label}
      icon={icon}
      words={words}
      onPointerDownCapture={(event) => guard.begin(event.target)}
    >
      <Button size="small" aria-disabled={!isReady} onMouseDown={leaveFocus} onClick={press(true)}>
        {agree}
      </Button>
      <Button size="small" aria-disabled={!isReady} onMouseDown={leaveFocus} onClick={press(false)}>
        {decline}
      </Button>
    </InfoBar>
  )
}

/** By a mouse the focus stays where it was. */
function leaveFocus(event: MouseEvent): void {
  event.preventDefault()
}
