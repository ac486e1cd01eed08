import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../ui/controls/button'
import { formatNumber, formatSize } from '../../../ui/wording/number-format'
import { Skeleton } from '../../../ui/layout/skeleton'
import { LargeText } from './large-text'
import './large-file-view.css'

/** A file too long to be loaded whole, read-only. */
export function LargeFileView({ path, size, active }: { path: string; size: number; active: boolean }) {
  const [text, setText] = useState<LargeText | null>(null)
  // A file that grows is followed, not opened again.
  const open = useEffectEvent((file: string) => new LargeText(file, size))
  useEffect(() => {
    const made = open(path)
    setText(made)
    void made.goTo(0)
    return () => made.dispose()
  }, [path])
  useEffect(() => text?.setSize(size), [text, size])
  return text ? <Shown text={text} active={active} /> : <Skeleton lines={12} />
}

/** The slider's steps. */
const steps = 10_000

function Shown({ text, active }: { text: LargeText; active: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  const { at, size, line, problem } = useStore(text.place)
  useEffect(() => {
    place.current?.append(text.view.dom)
    return () => text.view.dom.remove()
  }, [text])
  useEffect(() => {
    if (active) text.view.requestMeasure()
  }, [active, text])
  const share = size === 0 ? 0 : at / size
  const words = line === null ? 'counting lines …' : `line ${formatNumber(line)}`
  return (
    <div className="fills">
      <div className="large-bar row" role="group" aria-label="Large file">
        <span>
          {formatSize(size)} · read-only preview · {words} · {Math.floor(share * 100)} %
        </span>
        <LineForm onLine={(wanted) => void text.goToLine(wanted)} />
        {problem === null ? null : <span role="alert">{problem}</span>}
      </div>
      <div className="large-row">
        <div ref={place} className="large-place" />
        <input
          type="range"
          className="large-slider"
          aria-label="Position in the file"
          aria-orientation="vertical"
          aria-valuetext={`${Math.floor(share * 100)} %, ${words}`}
          min={0}
          max={steps}
          value={Math.round(share * steps)}
          onChange={(event) => void text.goTo(Math.round((Number(event.target.value) / steps) * size))}
        />
      </div>
    </div>
  )
}

function LineForm({ onLine }: { onLine: (line: number) => void }) {
  const [words, setWords] = useState('')
  return (
    <form
      className="large-line"
      onSubmit={(event) => {
        event.preventDefault()
        const line = Number(words.replaceAll(/\D/g, ''))
        if (line > 0) onLine(line)
      }}
    >
      <input
        type="text"
        className="field field-small"
        inputMode="numeric"
        aria-label="Line to go to"
        placeholder="Line"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <Button size="small" type="submit">
        Go
      </Button>
    </form>
  )
}
