import type { ReactNode } from 'react'
import type { Sharing } from '../../../shared/agent-view'
import { share } from '../../state/agents/context-mirror'
import { Toggle } from '../../ui/controls/toggle'

/** A titled part of the view. */
export function ContextSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="context-section column" aria-label={title}>
      <h3 className="aside">{title}</h3>
      {children}
    </section>
  )
}

/** A part of the view that has a switch in place of its title. */
export function SharedSection({
  title,
  label,
  what,
  sharing,
  children,
}: {
  title: string
  /** The switch's words. */
  label: string
  what: 'selection' | 'files'
  sharing: Sharing
  children: ReactNode
}) {
  return (
    <section className="context-section column" aria-label={title}>
      <Toggle
        label={label}
        checked={sharing[what]}
        disabled={!sharing.all}
        onCheckedChange={(next) => share({ [what]: next })}
      />
      {children}
    </section>
  )
}

/** The beginning of a text of `length` characters, if it has any. */
export function TextPreview({ label, text, length }: { label: string; text: string; length: number }) {
  return (
    <pre className="context-text mono selectable" tabIndex={0} role="group" aria-label={label}>
      {text}
      {length > text.length ? ' …' : ''}
    </pre>
  )
}
