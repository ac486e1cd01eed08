import { type KeyboardEvent, useRef } from 'react'
import { useStore } from 'zustand'
import { sessionSearchForm } from '../../state/sessions/session-search-form'

/** The field to search all sessions. Escape clears it, Arrow Down goes to the hits, Enter opens the first. */
export function SessionSearchField() {
  const text = useStore(sessionSearchForm, (form) => form.text)
  const field = useRef<HTMLInputElement>(null)
  const hear = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && text !== '') {
      sessionSearchForm.setState({ text: '' })
      event.preventDefault()
    } else if (event.key === 'ArrowDown') {
      field.current?.closest('.sessions')?.querySelector<HTMLElement>('.session-hit')?.focus()
      event.preventDefault()
    } else if (event.key === 'Enter') {
      field.current?.closest('.sessions')?.querySelector<HTMLElement>('.session-hit')?.click()
    }
  }
  return (
    <input
      ref={field}
      className="field sessions-filter"
      type="search"
      aria-label="Search sessions"
      placeholder="Search conversations"
      spellCheck={false}
      maxLength={1000}
      value={text}
      onChange={(event) => sessionSearchForm.setState({ text: event.target.value })}
      onKeyDown={hear}
    />
  )
}
