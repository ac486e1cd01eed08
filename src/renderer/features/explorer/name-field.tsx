import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { plainName } from '../../ui/wording/plain-name'

interface NameFieldProps {
  /** The field's accessible name. */
  label: string
  /** The current name; empty for something new. */
  name: string
  isFolder: boolean
  /**
   * Takes the name. Gives null on success, else a sentence that says why not. `isHere` says whether the field has the
   * focus then.
   */
  onName: (name: string, isHere: () => boolean) => Promise<string | null>
  onEnd: () => void
}

/**
 * The field for a name in a line of the tree. Enter takes the name and Escape cancels; leaving the field takes it if
 * that works. Invisible characters in a name are shown as escapes.
 */
export function NameField({ label, name, isFolder, onName, onEnd }: NameFieldProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const first = plainName(name)
  const [typed, setTyped] = useState(first)
  const [problem, setProblem] = useState<string | null>(null)
  const state = useRef({ isBusy: false, isOver: false })

  const begin = useEffectEvent(() => {
    const input = field.current
    if (!input) return
    input.focus()
    const dot = isFolder ? -1 : first.lastIndexOf('.')
    input.setSelectionRange(0, dot > 0 ? dot : first.length)
  })
  useEffect(() => begin(), [])

  const end = () => {
    if (state.current.isOver) return
    state.current.isOver = true
    onEnd()
  }
  const take = async (isLeft: boolean) => {
    const { current } = state
    if (current.isBusy || current.isOver) return
    // Unchanged or empty: nothing to do.
    if (typed === first || typed.trim() === '') return end()
    current.isBusy = true
    const failed = await onName(typed, () => document.activeElement === field.current)
    current.isBusy = false
    if (failed === null || isLeft) end()
    else setProblem(failed)
  }

  return (
    <span className="tree-naming">
      <input
        ref={field}
        type="text"
        aria-label={label}
        aria-invalid={problem !== null}
        aria-describedby={problem ? id : undefined}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value)
          setProblem(null)
        }}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        onBlur={() => void take(true)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') void take(false)
          else if (event.key === 'Escape') end()
          else return
          event.preventDefault()
        }}
      />
      {problem ? (
        <span id={id} role="alert" className="tree-problem">
          {problem}
        </span>
      ) : null}
    </span>
  )
}
