import { ImagePlus } from 'lucide-react'
import { memo, useRef } from 'react'
import type { ConversationControl } from '../../../../shared/contract/conversations'
import type { Usage } from '../../../../shared/conversation/transcript'
import { IconButton } from '../../../ui/controls/icon-button'
import type { ConversationActions, DrivenFacts } from '../conversation-state'
import { Controls } from './controls'
import { FiguresPopover } from './figures-popover'
import { PartsPopover } from './parts-popover'
import { pictureTypes } from './pictures'

/** Under the field: how the agent works, what it has, and what it took. Drawn only when one of these changes. */
export const Foot = memo(function Foot({
  controls,
  driven,
  actions,
  usage,
  costUSD,
  onPictures,
}: {
  controls: readonly ConversationControl[]
  /** Null where Greenlight doesn't drive the conversation. */
  driven: DrivenFacts | null
  actions: ConversationActions
  usage: Usage | null
  costUSD: number | null
  /** Pictures were chosen; null where messages have none. */
  onPictures: ((files: readonly File[]) => Promise<void>) | null
}) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <div className="composer-foot row">
      <Controls controls={controls} onChoose={(control, value) => actions.setControl?.(control, value)} />
      <span className="composer-foot-end row">
        {onPictures ? (
          <>
            <input
              ref={picker}
              type="file"
              hidden
              multiple
              accept={pictureTypes}
              aria-label="Pictures to add"
              onChange={({ target }) => {
                void onPictures([...(target.files ?? [])])
                target.value = ''
              }}
            />
            <IconButton
              label="Add pictures"
              icon={<ImagePlus />}
              tooltipSide="top"
              onClick={() => picker.current?.click()}
            />
          </>
        ) : null}
        {driven && actions.driven && driven.parts.length > 0 ? (
          <PartsPopover parts={driven.parts} act={actions.driven.act} />
        ) : null}
        {driven ? (
          <FiguresPopover
            context={driven.context}
            usage={usage}
            costUSD={costUSD}
            figures={driven.abilities.figures ? (actions.driven?.figures ?? null) : null}
          />
        ) : null}
      </span>
    </div>
  )
})
