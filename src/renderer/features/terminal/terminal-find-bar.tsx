import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { IconButton } from '../../ui/controls/icon-button'
import { announce } from '../../ui/browser/live-region'
import { resolveColor, theme } from '../../ui/theme/theme'
import type { TerminalView } from './terminal-view'

interface FindBarProps {
  view: TerminalView
  onClose: () => void
}

/** The editor's colours for matches, in hexadecimal, which is all that xterm takes. */
function matchColors() {
  return {
    matchBackground: hexOf('--code-match'),
    activeMatchBackground: hexOf('--code-match-active'),
    matchOverviewRuler: hexOf('--code-match'),
    activeMatchColorOverviewRuler: hexOf('--code-match-active'),
  }
}

function hexOf(token: `--${string}`): string {
  const parts = resolveColor(token).match(/\d+/g)?.slice(0, 3) ?? []
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}

/** Finds text in a terminal's output: Enter goes up to older output, Shift+Enter down, Escape closes. */
export function FindBar({ view, onClose }: FindBarProps) {
  const [text, setText] = useState('')
  const [results, setResults] = useState({ index: -1, count: 0 })
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    input.current?.focus()
    view.setFinding(true)
    const selected = view.terminal.getSelection()
    if (selected && !selected.includes('\n')) setText(selected)
    const listening = view.search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setResults({ index: resultIndex, count: resultCount }),
    )
    return () => {
      listening.dispose()
      view.search.clearDecorations()
      view.setFinding(false)
    }
  }, [view])

  const find = useCallback(
    (older: boolean, incremental = false) => {
      const options = { decorations: matchColors(), incremental }
      if (older) view.search.findPrevious(text, options)
      else view.search.findNext(text, options)
    },
    [view, text],
  )
  useEffect(() => {
    if (text) find(true, true)
    else view.search.clearDecorations()
  }, [view, text, find])
  // Marks keep the colours they were made with, so they are made again.
  useEffect(() => {
    if (!text) return
    return theme.subscribe(() => {
      view.search.clearDecorations()
      find(true, true)
    })
  }, [view, text, find])

  const told =
    text === '' ? '' : results.count === 0 ? 'Nothing found' : `${results.index + 1} of ${results.count}`
  useEffect(() => {
    if (told) announce(told)
  }, [told])

  const close = () => {
    onClose()
    view.focus()
  }
  const hear = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') find(!event.shiftKey)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }

  return (
    <div className="terminal-find row" role="search" aria-label="Find in terminal" onKeyDown={hear}>
      <input
        ref={input}
        type="text"
        className="field field-small terminal-find-text"
        aria-label="Find in terminal"
        placeholder="Find"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="terminal-find-told aside">{told}</span>
      <IconButton label="Previous match" icon={<ArrowUp />} onClick={() => find(true)} />
      <IconButton label="Next match" icon={<ArrowDown />} onClick={() => find(false)} />
      <IconButton label="Close" icon={<X />} onClick={close} />
    </div>
  )
}
