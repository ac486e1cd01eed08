import {
  type KeyboardEvent,
  type ReactNode,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useState,
} from 'react'
import { escapeSigns } from '../../../../shared/text/plain-text'

/** Something that can take the place of what is being typed. */
export interface Suggestion {
  /** Unique in its list. */
  key: string
  name: string
  /** What it is. */
  words: string
  icon?: ReactNode
  /** What is put in the place of what is typed. */
  text: string
}

/** What is being typed that suggestions take the place of. */
export interface TypedToken {
  kind: 'command' | 'mention'
  /** With its sign: `/com`, `@src`. */
  typed: string
  /** Where it begins in the text. */
  from: number
}

/** What the field is told while its list stands open, so that it is read as one with it. */
type FieldProps = Pick<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  | 'role'
  | 'aria-expanded'
  | 'aria-controls'
  | 'aria-activedescendant'
  | 'aria-autocomplete'
  | 'onFocus'
  | 'onBlur'
>

/**
 * The list above the field while something of it is being typed. Escape closes it until another token is begun. Enter or
 * Tab takes the chosen one into the field; nothing is sent by that.
 */
export function useSuggestions({
  label,
  token,
  found,
  take,
}: {
  label: string
  token: TypedToken | null
  found: readonly Suggestion[]
  take: (suggestion: Suggestion) => void
}) {
  const id = useId()
  const [hasFocus, setFocus] = useState(false)
  const [closed, setClosed] = useState<number | null>(null)
  const [at, setAt] = useState(0)
  if (closed !== null && token?.from !== closed) setClosed(null)
  const shown = token === null || closed !== null || !hasFocus ? [] : found
  const place = Math.min(at, shown.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  const chosenId = place < 0 ? undefined : optionId(place)
  useEffect(() => {
    if (chosenId !== undefined) document.getElementById(chosenId)?.scrollIntoView({ block: 'nearest' })
  }, [chosenId])

  const field: FieldProps = {
    onFocus: () => setFocus(true),
    onBlur: () => setFocus(false),
    ...(shown.length > 0
      ? {
          ...{ role: 'combobox', 'aria-expanded': true, 'aria-autocomplete': 'list' },
          ...{ 'aria-controls': id, 'aria-activedescendant': chosenId },
        }
      : {}),
  }
  /** Whether the key was the list's. */
  const hear = (event: KeyboardEvent): boolean => {
    const chosen = shown[place]
    if (!chosen || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return false
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        setAt((place + (event.key === 'ArrowDown' ? 1 : shown.length - 1)) % shown.length)
        break
      case 'Enter':
      case 'Tab':
        // Whoever has typed all of it means it.
        if (token?.typed === chosen.text.trimEnd()) return false
        take(chosen)
        break
      case 'Escape':
        setClosed(token?.from ?? null)
        break
      default:
        // Another letter is another list.
        if (event.key.length === 1 || event.key === 'Backspace') setAt(0)
        return false
    }
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const list =
    shown.length === 0 ? null : (
      <div id={id} className="suggestions column" role="listbox" aria-label={label}>
        {shown.map((suggestion, index) => (
          <button
            key={suggestion.key}
            id={optionId(index)}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === place}
            // The focus stays in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(suggestion)}
          >
            {suggestion.icon === undefined ? null : (
              <span className="suggestion-icon" aria-hidden="true">
                {suggestion.icon}
              </span>
            )}
            <bdi className="suggestion-name one-line mono">{escapeSigns(suggestion.name)}</bdi>
            <bdi className="suggestion-words one-line">{escapeSigns(suggestion.words)}</bdi>
          </button>
        ))}
      </div>
    )
  return { field, hear, list }
}
