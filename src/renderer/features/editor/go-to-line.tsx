import { EditorView } from '@codemirror/view'
import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { Dialog } from '../../ui/overlays/dialog'
import { formatNumber } from '../../ui/wording/number-format'
import { readTypedLine } from './typed-line'
import '../../ui/controls/choice-list.css'

/** The editor that the dialog is open for; null while it is closed. */
export const goingToLine = createStore<{ view: EditorView | null }>()(() => ({ view: null }))

/** Asks for a line and goes there. */
export function GoToLine() {
  const view = useStore(goingToLine, (state) => state.view)
  const close = () => goingToLine.setState({ view: null })
  const gone = useRef<EditorView | null>(null)
  return (
    <Dialog
      open={view !== null}
      onOpenChange={(open) => open || close()}
      title="Go to line"
      titleUnseen
      width={360}
      atTop
      onCloseAutoFocus={(event) => {
        if (!gone.current) return
        event.preventDefault()
        gone.current.focus()
        gone.current = null
      }}
    >
      {view ? (
        <LineField
          view={view}
          onDone={() => {
            gone.current = view
            close()
          }}
        />
      ) : null}
    </Dialog>
  )
}

function LineField({ view, onDone }: { view: EditorView; onDone: () => void }) {
  const [typed, setTyped] = useState('')
  const { doc, selection } = view.state
  const place = readTypedLine(typed, doc, selection.main.head)
  const isWrong = typed.trim() !== '' && place === null
  return (
    <form
      className="palette column"
      onSubmit={(event) => {
        event.preventDefault()
        if (place === null) return
        view.dispatch({
          selection: { anchor: place },
          effects: EditorView.scrollIntoView(place, { y: 'center' }),
          userEvent: 'select.goto',
        })
        onDone()
      }}
    >
      <input
        type="text"
        className="palette-field"
        aria-label="Go to line"
        aria-describedby="go-to-line-hint"
        aria-invalid={isWrong}
        placeholder="Line, or line:column"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <p id="go-to-line-hint" className="palette-empty number">
        {isWrong
          ? 'Type a line, like 12 or 12:5.'
          : `Line ${formatNumber(doc.lineAt(selection.main.head).number)} of ${formatNumber(doc.lines)}`}
      </p>
    </form>
  )
}
