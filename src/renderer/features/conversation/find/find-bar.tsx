import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { shallow } from 'zustand/vanilla/shallow'
import { IconButton } from '../../../ui/controls/icon-button'
import { announce } from '../../../ui/browser/live-region'
import { formatNumber } from '../../../ui/wording/number-format'
import type { ConversationState } from '../conversation-state'
import { findAll, findPattern, type FindState, type FindMatch } from './find'

const nothing: FindState = { matches: [], isPartial: false, progress: 1 }

/** Finds text in what is loaded of a conversation. Enter goes on, Shift+Enter back, Escape closes. */
export function FindBar({
  state,
  shown,
  onPattern,
  onShow,
  onClose,
}: {
  state: ConversationState
  /** The current match. */
  shown: FindMatch | null
  /** What to mark. */
  onPattern: (pattern: RegExp | null) => void
  /** Brings a match into sight; null: none is current. */
  onShow: (match: FindMatch | null) => void
  onClose: () => void
}) {
  const { transcript, density, revision, history } = state
  const [text, setText] = useState('')
  const [found, setFound] = useState<FindState>(nothing)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  useEffect(() => {
    const pattern = findPattern(text)
    onPattern(pattern)
    if (!pattern) {
      setFound(nothing)
      return
    }
    const ending = new AbortController()
    void findAll(transcript, pattern, density, setFound, ending.signal)
    return () => ending.abort()
  }, [text, transcript, density, revision, onPattern])

  const { matches, isPartial, progress } = found
  const at = shown === null ? -1 : matches.findIndex((match) => shallow(match, shown))
  const go = (direction: 1 | -1) => {
    // From the end, where people read.
    const next = matches.at(at < 0 ? -1 : (at + direction) % matches.length)
    if (next) onShow(next)
  }
  const isDone = progress === 1
  const count = `${formatNumber(matches.length)}${isPartial || !isDone ? '+' : ''}`
  const told =
    text.trim() === ''
      ? ''
      : matches.length === 0
        ? isDone
          ? 'Nothing found'
          : 'Searching …'
        : at < 0
          ? `${count} found`
          : `${formatNumber(at + 1)} of ${count}`
  useEffect(() => {
    if (told !== '' && isDone) announce(told)
  }, [told, isDone])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const isCut = history.kind === 'here' && history.earlier !== 'none'
  return (
    <div
      className="conversation-find row"
      role="search"
      aria-label="Find in conversation"
      onKeyDown={onKeyDown}
    >
      <input
        ref={field}
        type="text"
        aria-label="Find in conversation"
        placeholder="Find"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onShow(null)
        }}
      />
      <span className="conversation-find-told aside number">{told}</span>
      {isCut && text.trim() !== '' ? <span className="aside">in what is loaded</span> : null}
      <IconButton label="Previous match" icon={<ArrowUp />} onClick={() => go(-1)} />
      <IconButton label="Next match" icon={<ArrowDown />} onClick={() => go(1)} />
      <IconButton label="Close" icon={<X />} onClick={onClose} />
    </div>
  )
}
