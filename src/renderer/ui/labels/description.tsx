import type { ReactNode } from 'react'

/**
 * A description of an element for assistive technology: `of` goes on the element, `words` beside or into it.
 * It is never visible. `id` is unique in the page; false and empty `facts` are left out.
 */
export function describe(
  id: string,
  facts: readonly (string | null | undefined | false)[],
): { of: { 'aria-describedby'?: string }; words: ReactNode } {
  const text = facts.filter(Boolean).join(', ')
  if (text === '') return { of: {}, words: null }
  return {
    of: { 'aria-describedby': `${id}-words` },
    words: (
      <span id={`${id}-words`} hidden>
        {text}
      </span>
    ),
  }
}
