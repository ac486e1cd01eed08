import { Button } from '../../../ui/controls/button'
import { useSurroundings } from '../surroundings'

/** Says that messages between are not loaded: what was looked for stands far before the end. */
export function GapRow({
  after,
  isLoading,
  onEnd,
  onLater,
}: {
  /** Where what is not loaded begins in the source. */
  after: number
  isLoading: boolean
  onEnd: () => void
  /** Hears that a piece is asked for. */
  onLater: () => void
}) {
  const { actions } = useSurroundings()
  return (
    <div className="messages-gap">
      <p className="aside">The messages in between aren’t loaded.</p>
      <div className="messages-gap-buttons">
        <Button
          size="small"
          disabled={isLoading}
          onClick={() => {
            onLater()
            actions.later(after)
          }}
        >
          {isLoading ? 'Loading …' : 'Show what follows'}
        </Button>
        <Button size="small" variant="quiet" onClick={onEnd}>
          Go to the end
        </Button>
      </div>
    </div>
  )
}
