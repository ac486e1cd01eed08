import type { ReactNode } from 'react'

/**
 * What assistive technology says of an element beyond its name: `of` goes on the element, `words` beside or into it.
 * Nothing of it is seen. `id` is the page's only one of its kind; of `facts` what is false or empty is left out.
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
