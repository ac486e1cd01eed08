import { Button } from '../../../ui/controls/button'
import { focusAtFirst, passFocusOn } from '../focus-return'

/** Asks once more before a large act. Escape and Cancel leave everything as it is. */
export function Confirmation({
  question,
  details,
  verb,
  variant = 'danger',
  isBusy = false,
  className = 'gl-group-asking',
  onYes,
  onNo,
}: {
  question: string
  /** What else to know, as sentences. */
  details?: string
  verb: string
  variant?: 'primary' | 'danger'
  isBusy?: boolean
  className?: string
  onYes: () => void
  onNo: () => void
}) {
  return (
    <div
      ref={passFocusOn}
      className={className}
      role="group"
      aria-label={question}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onNo()
      }}
    >
      <p>
        {question} {details}
      </p>
      <span className="gl-pending-buttons">
        <Button
          size="small"
          variant={variant}
          disabled={isBusy}
          // The second press of a double click was meant for the button before.
          onClick={(event) => event.detail < 2 && onYes()}
        >
          {verb}
        </Button>
        <Button ref={focusAtFirst} size="small" variant="quiet" onClick={onNo}>
          Cancel
        </Button>
      </span>
    </div>
  )
}
