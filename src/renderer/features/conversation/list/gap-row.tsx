import { Button } from '../../../ui/controls/button'
import { useSurroundings } from '../surroundings'

/** Says that the messages in between are not loaded. */
export function GapRow({
  after,
  isLoading,
  onEnd,
  onLater,
}: {
  /** Where the unloaded part begins in the source. */
  after: number
  isLoading: boolean
  onEnd: () => void
  /** Hears that a piece is asked for. */
  onLater: () => void
}) {
  const { actions } = useSurroundings()
  return (
    <div className="messages-gap row">
      <p className="aside">The messages in between aren’t loaded.</p>
      <div className="messages-gap-buttons">
        <Button
          size="small"
          disabled={isLoading}
          onClick={() => {
            onLater()
            actions.later?.(after)
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
