import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'

/** The system's own select, styled like the other fields. `className` goes on the wrapper. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={`select ${className ?? ''}`}>
      <select {...rest} className="field" />
      <ChevronDown aria-hidden="true" />
    </span>
  )
}
