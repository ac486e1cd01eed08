import type { ComponentProps, ReactNode } from 'react'
import { Kbd } from './kbd'
import { keyShortcut } from '../wording/key-label'
import { isMac } from '../browser/platform'
import './button.css'

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` is the one filled button of a place; `quiet` has no border until it is pointed at. */
  variant?: 'plain' | 'primary' | 'quiet' | 'danger'
  size?: 'normal' | 'small'
  icon?: ReactNode
  /** The key that does the same, in Mod notation; shown inside the button. */
  keys?: string | undefined
}

export function Button({
  variant = 'plain',
  size = 'normal',
  icon,
  keys,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={`button button-${variant} button-${size} ${className ?? ''}`}
      aria-keyshortcuts={keys ? keyShortcut(keys, isMac) : undefined}
      {...rest}
    >
      {icon}
      {children}
      {keys ? <Kbd keys={keys} /> : null}
    </button>
  )
}
