import { type KeyboardEvent, type TextareaHTMLAttributes, useEffect, useId, useState } from 'react'
import type { AgentCommand } from '../../../../shared/contract/conversations'
import { escapeSigns } from '../../../../shared/text/plain-text'
import { commandMatches } from './command-matches'

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
 * The agent's commands, while one is being typed and the field has the focus. Escape closes the list until a command is
 * begun anew. Enter or Tab takes the chosen one into the field; nothing is sent by that.
 */
export function useCommandList(
  commands: readonly AgentCommand[],
  text: string,
  take: (command: AgentCommand) => void,
) {
  const id = useId()
  const [hasFocus, setFocus] = useState(false)
  const [isClosed, setClosed] = useState(false)
  const [at, setAt] = useState(0)
  if (isClosed && text === '') setClosed(false)
  const found = hasFocus && !isClosed ? commandMatches(commands, text) : []
  const place = Math.min(at, found.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  const chosenId = place < 0 ? undefined : optionId(place)
  useEffect(() => {
    if (chosenId !== undefined) document.getElementById(chosenId)?.scrollIntoView({ block: 'nearest' })
  }, [chosenId])

  const field: FieldProps = {
    onFocus: () => setFocus(true),
    onBlur: () => setFocus(false),
    ...(found.length > 0
      ? {
          ...{ role: 'combobox', 'aria-expanded': true, 'aria-autocomplete': 'list' },
          ...{ 'aria-controls': id, 'aria-activedescendant': chosenId },
        }
      : {}),
  }
  /** Whether the key was the list's. */
  const hear = (event: KeyboardEvent): boolean => {
    const chosen = found[place]
    if (!chosen || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return false
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        setAt((place + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length)
        break
      case 'Enter':
      case 'Tab':
        // Whoever has typed all of it means it.
        if (text === `/${chosen.name}`) return false
        take(chosen)
        break
      case 'Escape':
        setClosed(true)
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
    found.length === 0 ? null : (
      <div id={id} className="composer-commands" role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <button
            key={command.name}
            id={optionId(index)}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === place}
            // The focus stays in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(command)}
          >
            <bdi className="composer-command one-line mono">/{escapeSigns(command.name)}</bdi>
            <bdi className="composer-command-words one-line">{escapeSigns(command.description)}</bdi>
          </button>
        ))}
      </div>
    )
  return { field, hear, list }
}
