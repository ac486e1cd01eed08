import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { keepFocusIn } from '../browser/kept-focus'
import './popover.css'

/**
 * A small pane that stands at the button that opens it. Escape and a press beside it close it; the focus then returns to
 * the button. What it holds is made when it opens.
 */
export function Popover({
  trigger,
  label,
  align = 'end',
  onOpenChange,
  children,
}: {
  /** The one element that opens it. */
  trigger: ReactNode
  /** Its accessible name and heading. */
  label: string
  align?: 'start' | 'center' | 'end'
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}) {
  return (
    <Radix.Root {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={keepFocus}
          className="popover column"
          aria-label={label}
          align={align}
          side="top"
          sideOffset={6}
          collisionPadding={8}
        >
          <h2 className="popover-title">{label}</h2>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function keepFocus(pane: HTMLElement | null): (() => void) | undefined {
  return pane ? keepFocusIn(pane, () => pane) : undefined
}
