import { Tooltip as Radix } from 'radix-ui'
import { type FocusEvent, type ReactNode, useEffect } from 'react'
import { Kbd } from '../controls/kbd'
import './tooltip.css'

/** The last key pressed anywhere; null after a press of the mouse. */
let lastKey: string | null = null
const hearKey = (event: KeyboardEvent) => (lastKey = event.key)
const hearPress = () => (lastKey = null)

/** Wraps the whole page once; after one tooltip the next ones open without delay. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  useEffect(() => {
    addEventListener('keydown', hearKey, { capture: true })
    addEventListener('pointerdown', hearPress, { capture: true })
    return () => {
      removeEventListener('keydown', hearKey, { capture: true })
      removeEventListener('pointerdown', hearPress, { capture: true })
    }
  }, [])
  return (
    <Radix.Provider delayDuration={500} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  )
}

interface TooltipProps {
  content: ReactNode
  /** The key that does the same, in Mod notation. */
  keys?: string | undefined
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that takes a ref and props. */
  children: ReactNode
}

/** A few words on hover and on focus. */
export function Tooltip({ content, keys, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild onFocus={stayShutWhenGivenBack}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="tooltip row"
          side={side}
          sideOffset={6}
          collisionPadding={8}
          // Otherwise it would stay in the window's corner when a command hides its trigger.
          hideWhenDetached
        >
          {content}
          {keys ? <Kbd keys={keys} /> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/**
 * Focus that returns from a closed menu or dialog doesn't open the tooltip, which would cover what is near. It opens
 * when a navigation key has moved the focus.
 */
function stayShutWhenGivenBack(event: FocusEvent<HTMLElement>): void {
  const isGoing = lastKey !== null && /^(?:Tab|F6|Home|End|Arrow.*)$/.test(lastKey)
  if (!isGoing || !event.currentTarget.matches(':focus-visible')) event.preventDefault()
}
