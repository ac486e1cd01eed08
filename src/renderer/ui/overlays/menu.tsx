import { DropdownMenu } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { Check } from 'lucide-react'
import { Kbd } from '../controls/kbd'
import './menu.css'

type Content = ComponentProps<typeof DropdownMenu.Content>

interface MenuProps extends Pick<Content, 'align' | 'side' | 'onCloseAutoFocus'> {
  /** The one element that opens it. */
  trigger: ReactNode
  /** MenuItem, MenuChoice, MenuGap. */
  children: ReactNode
}

/** A menu that drops from a button. After it the focus returns there, unless `onCloseAutoFocus` prevents it. */
export function Menu({ trigger, ...rest }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <MenuContent align="start" sideOffset={4} {...rest} />
    </DropdownMenu.Root>
  )
}

interface MenuAtProps extends Pick<Content, 'onCloseAutoFocus'> {
  /** Where it stands, in pixels of the page; null: it is shut. */
  place: { x: number; y: number } | null
  /** Its accessible name. */
  label: string
  children: ReactNode
  onClose: () => void
}

/** A menu at a place in the page, for what was pressed there or has the cursor. */
export function MenuAt({ place, label, onClose, ...rest }: MenuAtProps) {
  return (
    <DropdownMenu.Root modal={false} open={place !== null} onOpenChange={(open) => open || onClose()}>
      {/* Only marks the place; nobody can press it. */}
      <DropdownMenu.Trigger asChild>
        <span
          className="menu-place"
          aria-hidden="true"
          style={place ? { left: place.x, top: place.y } : undefined}
        />
      </DropdownMenu.Trigger>
      <MenuContent
        key={place ? `${place.x} ${place.y}` : ''}
        aria-label={label}
        aria-labelledby={undefined}
        align="start"
        onContextMenu={(event) => event.preventDefault()}
        {...rest}
      />
    </DropdownMenu.Root>
  )
}

function MenuContent(props: Content) {
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content className="menu" collisionPadding={8} {...props} />
    </DropdownMenu.Portal>
  )
}

interface MenuItemProps {
  children: ReactNode
  onSelect: () => void
  icon?: ReactNode
  keys?: string | undefined
  /** A word at the right, dimmed. */
  note?: ReactNode
  disabled?: boolean
  /** The accessible name, where the visible words hold more than the name. */
  label?: string
}

export function MenuItem({ children, onSelect, icon, keys, note, disabled = false, label }: MenuItemProps) {
  return (
    <DropdownMenu.Item className="menu-item row" disabled={disabled} onSelect={onSelect} aria-label={label}>
      <span className="menu-icon" aria-hidden="true">
        {icon}
      </span>
      <span className="menu-words">{children}</span>
      {note ? <span className="menu-note">{note}</span> : null}
      {keys ? <Kbd keys={keys} /> : null}
    </DropdownMenu.Item>
  )
}

/** One line of a menu that is on or off. */
export function MenuChoice({
  children,
  checked,
  onCheckedChange,
}: {
  children: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
}) {
  return (
    <DropdownMenu.CheckboxItem className="menu-item row" checked={checked} onCheckedChange={onCheckedChange}>
      <span className="menu-icon" aria-hidden="true">
        {checked ? <Check /> : null}
      </span>
      <span className="menu-words">{children}</span>
    </DropdownMenu.CheckboxItem>
  )
}

/** A line between groups of a menu. */
export function MenuGap() {
  return <DropdownMenu.Separator className="menu-gap" />
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="menu-heading">{children}</DropdownMenu.Label>
}
