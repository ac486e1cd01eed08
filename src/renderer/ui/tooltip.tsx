import { Tooltip as Radix } from 'radix-ui'
import type { FocusEvent, ReactNode } from 'react'
import { Kbd } from './kbd'
import './tooltip.css'

/** Stands once around the whole page; after one tooltip the next ones come without delay. */
export function TooltipProvider({ children }: { children: ReactNode }) {
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
        <Radix.Content className="tooltip" side={side} sideOffset={6} collisionPadding={8}>
          {content}
          {keys ? <Kbd keys={keys} /> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The focus that comes back to a button after a press elsewhere asks for no words, and they would cover what is near. */
function stayShutWhenGivenBack(event: FocusEvent<HTMLElement>): void {
  if (!event.currentTarget.matches(':focus-visible')) event.preventDefault()
}
