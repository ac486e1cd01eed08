import { Dialog as Radix } from 'radix-ui'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import './dialog.css'

/** By default the focus goes to what comes first, and afterwards back to where it was; both events can be prevented. */
interface DialogProps extends Pick<
  ComponentProps<typeof Radix.Content>,
  'onOpenAutoFocus' | 'onCloseAutoFocus'
> {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The dialog's accessible name; unseen where the content speaks for itself. */
  title: string
  titleUnseen?: boolean
  /** A sentence under the title. */
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the bottom, the safest first. */
  footer?: ReactNode
  width?: number
  /** Near the top instead of in the middle, for lists that grow. */
  atTop?: boolean
}

/** A dialog above the page. Escape and a press beside it close it; the focus then returns where it was. */
export function Dialog({
  open,
  onOpenChange,
  title,
  titleUnseen = false,
  description,
  children,
  footer,
  width = 480,
  atTop = false,
  onOpenAutoFocus,
  onCloseAutoFocus,
}: DialogProps) {
  const before = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-overlay" />
        <Radix.Content
          className={`dialog column ${atTop ? 'dialog-at-top' : ''}`}
          style={{ width: `min(${width}px, calc(100vw - 32px))` }}
          onOpenAutoFocus={(event) => {
            before.current = document.activeElement
            onOpenAutoFocus?.(event)
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event)
            if (event.defaultPrevented) return
            event.preventDefault()
            // Only a focus that the dialog took with it: what it was closed for may have moved it.
            if (document.activeElement !== null && document.activeElement !== document.body) return
            if (before.current instanceof HTMLElement) before.current.focus()
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <Radix.Title className={titleUnseen ? 'unseen' : 'dialog-title'}>{title}</Radix.Title>
          {description ? (
            <Radix.Description className="dialog-description">{description}</Radix.Description>
          ) : null}
          {children}
          {footer ? <div className="dialog-footer">{footer}</div> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
