import { Link2, Link2Off, X } from 'lucide-react'
import type { AddedPicture, PictureDraft } from '../../../state/sessions/added-pictures'
import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { Tooltip } from '../../../ui/overlays/tooltip'
import { formatSize } from '../../../ui/wording/number-format'
import { plainName } from '../../../ui/wording/plain-name'
import type { SharedWords } from '../conversation-state'

/** The pictures that go with the message. */
export function AddedPictures({ pictures }: { pictures: PictureDraft }) {
  const added = pictures.use()
  if (added.length === 0) return null
  return (
    <ul className="added-pictures" aria-label="Pictures">
      {added.map((picture, index) => (
        <li key={index}>
          <Tooltip
            content={`${nameOf(picture, index)}, ${formatSize((picture.data.length * 3) / 4)}`}
            side="top"
          >
            <img
              src={`data:${picture.mediaType};base64,${picture.data}`}
              alt={nameOf(picture, index)}
              tabIndex={-1}
            />
          </Tooltip>
          <IconButton
            label={`Remove ${nameOf(picture, index)}`}
            icon={<X />}
            onClick={() => pictures.set(added.filter((_, other) => other !== index))}
          />
        </li>
      ))}
    </ul>
  )
}

function nameOf({ name }: AddedPicture, index: number): string {
  return name === '' ? `picture ${index + 1}` : plainName(name)
}

/** What of the editor goes with the message; it can be left out. */
export function SharedChip({
  useShared,
  isLeftOut,
  onLeaveOut,
}: {
  useShared: () => SharedWords | null
  isLeftOut: boolean
  onLeaveOut: (isLeftOut: boolean) => void
}) {
  const shared = useShared()
  if (shared === null) return null
  if (isLeftOut) {
    return (
      <Button
        size="small"
        variant="quiet"
        className="shared-off"
        icon={<Link2Off />}
        onClick={() => onLeaveOut(false)}
      >
        Add selection and open files
      </Button>
    )
  }
  return (
    <span className="shared-chip row">
      <Link2 aria-hidden="true" />
      <Tooltip content={shared.all} side="top">
        <bdi className="one-line">{shared.words}</bdi>
      </Tooltip>
      <IconButton
        label="Leave out selection and open files"
        icon={<X />}
        tooltipSide="top"
        onClick={() => onLeaveOut(true)}
      />
    </span>
  )
}
