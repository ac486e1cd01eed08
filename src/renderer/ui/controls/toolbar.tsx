import type { ComponentProps, KeyboardEvent } from 'react'
import './toolbar.css'

const stops = 'button:not(:disabled), [role="button"]:not([aria-disabled="true"]), input:not(:disabled)'

/** A row of controls under one name. Left and right, Home and End walk through them; so does Tab. */
export function Toolbar({ label, className, ...rest }: ComponentProps<'div'> & { label: string }) {
  return (
    <div
      role="toolbar"
      aria-label={label}
      className={`toolbar ${className ?? ''}`}
      onKeyDown={walk}
      {...rest}
    />
  )
}

/** A thin line between groups of a toolbar. */
export function ToolbarGap() {
  return <span className="toolbar-gap" role="separator" aria-orientation="vertical" />
}

function walk(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  // In a text field these keys move the caret.
  if (event.target instanceof HTMLInputElement) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(stops)]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = nextStop(event.key, at, all.length)
  if (next === null || at < 0) return
  event.preventDefault()
  all[next]?.focus()
}

function nextStop(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return Math.min(count - 1, at + 1)
    case 'ArrowLeft':
      return Math.max(0, at - 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
