import type { ReactNode } from 'react'
import './pane-header.css'

/** The head of a side pane: its title, and small buttons at the right. */
export function PaneHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="pane-header row">
      <h2 className="name">{title}</h2>
      {children}
    </header>
  )
}
