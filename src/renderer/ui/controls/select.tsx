import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'

/** The system's own choice among a few, drawn like the other fields. `className` places the whole. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={`select ${className ?? ''}`}>
      <select {...rest} className="field" />
      <ChevronDown aria-hidden="true" />
    </span>
  )
}
