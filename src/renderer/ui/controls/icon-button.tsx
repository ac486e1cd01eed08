import type { ComponentProps, ReactNode } from 'react'
import { keyShortcut } from '../wording/key-label'
import { isMac } from '../browser/platform'
import { Tooltip } from '../overlays/tooltip'
import './icon-button.css'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** The button's name; also its tooltip. */
  label: string
  /** What the tooltip says beyond the name, where the name alone is not enough. */
  hint?: ReactNode
  icon: ReactNode
  keys?: string | undefined
  size?: 'small' | 'large'
  tooltipSide?: 'top' | 'right' | 'bottom' | 'left'
}

/** A button that is only an icon: its name is in the tooltip and for assistive technology. */
export function IconButton({
  label,
  hint,
  icon,
  keys,
  size = 'small',
  tooltipSide = 'bottom',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip content={hint ?? label} keys={keys} side={tooltipSide}>
      <button
        type="button"
        className={`icon-button icon-button-${size} ${className ?? ''}`}
        aria-label={label}
        aria-keyshortcuts={keys ? keyShortcut(keys, isMac) : undefined}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  )
}
