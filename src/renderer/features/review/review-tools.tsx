import { ChevronDown, ChevronUp, MessageSquarePlus } from 'lucide-react'
import { useRef } from 'react'
import { useKeyOf } from '../../commands/registry'
import { Menu, MenuItem } from '../../ui/overlays/menu'
import { countOf, formatNumber } from '../../ui/wording/number-format'
import { Toolbar, ToolbarButton, ToolbarGap } from '../../ui/controls/toolbar'
import { canEdit, type ReviewController, type ReviewModel } from './review-controller'
import { AskLess } from './ask-less'
import { countsOf } from './draft-counts'
import { LookToggles } from './look-toggles'
import type { Look, Picture } from './text/draft-picture'

interface ReviewToolsProps {
  controller: ReviewController
  model: ReviewModel
  look: Look
  onLook: (change: Partial<Look>) => void
}

/** The toolbar: going from change to change, and how the text is shown. */
export function ReviewTools({ controller, model, look, onLook }: ReviewToolsProps) {
  const { picture, session } = model
  /** What is to be commented on once the menu is shut. */
  const wanted = useRef<'lines' | 'file' | null>(null)
  const keyOfComment = useKeyOf('review.comment')
  const hasChanges = (picture?.draft.hunks.length ?? 0) > 0
  return (
    <Toolbar label="Changes" className="gl-review-tools">
      <ToolbarButton
        label="Previous change"
        icon={<ChevronUp />}
        keys={useKeyOf('review.previousChange')}
        disabled={!hasChanges}
        onClick={() => controller.goTo(-1)}
      />
      <span className="gl-review-position number">{picture ? positionOf(picture) : ''}</span>
      <ToolbarButton
        label="Next change"
        icon={<ChevronDown />}
        keys={useKeyOf('review.nextChange')}
        disabled={!hasChanges}
        onClick={() => controller.goTo(1)}
      />
      <Menu
        trigger={<ToolbarButton label="Comment" icon={<MessageSquarePlus />} />}
        onCloseAutoFocus={(event) => {
          const on = wanted.current
          wanted.current = null
          if (on === null) return
          // The comment takes the focus.
          event.preventDefault()
          controller.comment(on)
        }}
      >
        <MenuItem
          keys={keyOfComment}
          disabled={!canEdit(session)}
          onSelect={() => (wanted.current = 'lines')}
        >
          On the selected lines
        </MenuItem>
        <MenuItem disabled={!canEdit(session)} onSelect={() => (wanted.current = 'file')}>
          On the file
        </MenuItem>
      </Menu>
      {session.kind === 'text' ? <AskLess controller={controller} summary={session.summary} /> : null}
      <ToolbarGap />
      <LookToggles
        parts={['layout', 'ignoreWhitespace', 'foldUnchanged', 'wrap']}
        look={look}
        onLook={onLook}
      />
      <span className="gl-review-hint one-line aside">
        {picture ? hintOf(picture, canEdit(session)) : ''}
      </span>
    </Toolbar>
  )
}

/** "2 of 7", or "7 changes" while none is current. */
function positionOf({ draft, current }: Picture): string {
  const index = draft.hunks.findIndex((hunk) => hunk.number === current)
  const total = draft.hunks.length
  return index < 0 ? countOf(total, 'change') : `${formatNumber(index + 1)} of ${formatNumber(total)}`
}

function hintOf({ draft }: Picture, isEditable: boolean): string {
  const { decided, total } = countsOf(draft)
  if (!isEditable || total === 0) return ''
  if (decided === 0) return 'You can edit the text in place'
  if (decided === total) return 'All decided. Nothing is sent until you accept the file'
  return `${formatNumber(decided)} of ${formatNumber(total)} decided; undecided changes will be accepted`
}
