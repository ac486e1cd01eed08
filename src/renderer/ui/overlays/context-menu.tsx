import { ContextMenu as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from '../controls/kbd'
import './menu.css'

/** A menu where the right button is pressed, or at the focused element for the menu key. */
export function ContextMenu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function ContextItem({
  children,
  onSelect,
  keys,
  disabled = false,
}: {
  children: ReactNode
  onSelect: () => void
  keys?: string | undefined
  disabled?: boolean
}) {
  return (
    <Radix.Item className="menu-item row" disabled={disabled} onSelect={onSelect}>
      <span className="menu-words">{children}</span>
      {keys ? <Kbd keys={keys} /> : null}
    </Radix.Item>
  )
}

/** A line between groups of a context menu. */
export function ContextGap() {
  return <Radix.Separator className="menu-gap" />
}
