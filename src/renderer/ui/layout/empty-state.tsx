import type { ReactNode } from 'react'
import './empty-state.css'

/** What a view shows when it is empty: a title, perhaps more words, and an action. */
export function EmptyState({
  title,
  icon,
  children,
  action,
}: {
  title: string
  icon?: ReactNode
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="empty-state column">
      {icon}
      <p className="empty-state-title">{title}</p>
      {children ? <div className="empty-state-words">{children}</div> : null}
      {action ? <div className="empty-state-action">{action}</div> : null}
    </div>
  )
}
