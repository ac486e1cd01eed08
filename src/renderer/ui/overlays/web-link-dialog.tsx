import { Button } from '../controls/button'
import { Dialog } from './dialog'

/**
 * Asks before opening an address from a text in the browser. It shows the whole address, since the words of
 * a link may say something else. `url` null: nothing is asked.
 */
export function WebLinkDialog({
  url,
  onOpen,
  onClose,
}: {
  url: string | null
  onOpen: (url: string) => void
  /** Also called after `onOpen`. */
  onClose: () => void
}) {
  return (
    <Dialog
      open={url !== null}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Open this address in your browser?"
      description={<span className="name selectable">{url}</span>}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onClick={() => {
              if (url !== null) onOpen(url)
              onClose()
            }}
          >
            Open
          </Button>
        </>
      }
    />
  )
}
