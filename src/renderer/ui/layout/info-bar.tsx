import type { ComponentProps, ReactNode } from 'react'
import './info-bar.css'

/** A line above a file or the page: what the person should know, and what they can do. `plain`: nothing is wrong. */
export function InfoBar({
  icon,
  words,
  plain = false,
  className = '',
  children,
  ...rest
}: ComponentProps<'div'> & { icon: ReactNode; words: ReactNode; plain?: boolean }) {
  return (
    <div className={`info-bar ${plain ? 'info-bar-plain' : ''} ${className}`} {...rest}>
      {icon}
      <span className="info-bar-words">{words}</span>
      {children ? <span className="info-bar-actions">{children}</span> : null}
    </div>
  )
}
