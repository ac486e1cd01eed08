import { Hammer, ScrollText } from 'lucide-react'
import { useState } from 'react'
import type { Item, OtherLine } from '../../../../shared/conversation/transcript'
import { LineCounts } from '../../../ui/labels/line-counts'
import { countOf } from '../../../ui/wording/number-format'
import { JsonText } from '../message/contents'
import { FoldRow } from '../message/fold-row'
import { useFold } from '../message/folds'
import { LongText } from '../message/long-text'
import { describeLines } from '../list/rows'
import { useSurroundings } from '../surroundings'
import { sumUp } from './work-sum'

/** So many steps are shown when they are unfolded, and so many more at each press. */
const shownAtFirst = 30

/** What an agent did in between, as one line. `isInside`: it stands in a reply, of which only the tools are meant. */
export function WorkRow({
  id,
  items,
  isInside = false,
}: {
  id: string
  items: readonly Item[]
  isInside?: boolean
}) {
  const { drawItem } = useSurroundings()
  const [isOpen, setOpen] = useFold(id, false)
  const [shown, setShown] = useState(shownAtFirst)
  const { subject, added, removed, steps } = sumUp(items)
  const title = steps === 0 ? 'Output and notices' : countOf(steps, 'step')
  const drawn = isInside ? items.map(toolsOnly) : items
  return (
    <FoldRow
      icon={<Hammer />}
      title={title}
      subject={subject}
      label={[title, subject].filter((part) => part !== '').join(': ')}
      facts={added + removed > 0 ? <LineCounts added={added} removed={removed} /> : undefined}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      {() => (
        <>
          {drawn.slice(0, shown).map((item) => (
            <div key={item.id} className="sub-agent-item">
              {drawItem(item)}
            </div>
          ))}
          {drawn.length > shown ? (
            <button type="button" className="text-button" onClick={() => setShown(shown + shownAtFirst)}>
              Show more steps
            </button>
          ) : null}
        </>
      )}
    </FoldRow>
  )
}

function toolsOnly(item: Item): Item {
  return item.kind === 'reply' ? { ...item, blocks: item.blocks.filter(({ kind }) => kind === 'tool') } : item
}

/** Lines that are no part of the conversation. */
export function LinesRow({ id, lines }: { id: string; lines: readonly OtherLine[] }) {
  const [isOpen, setOpen] = useFold(id, false)
  const [shown, setShown] = useState(shownAtFirst)
  const words = describeLines(lines)
  return (
    <FoldRow
      icon={<ScrollText />}
      title={words}
      label={words}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      {() => (
        <>
          {lines.slice(0, shown).map((line) => (
            <OneLine key={line.offset} line={line} />
          ))}
          {lines.length > shown ? (
            <button type="button" className="text-button" onClick={() => setShown(shown + shownAtFirst)}>
              Show more lines
            </button>
          ) : null}
        </>
      )}
    </FoldRow>
  )
}

function OneLine({ line }: { line: OtherLine }) {
  const [isOpen, setOpen] = useFold(`line:${line.offset}`, false)
  const isRead = line.record !== undefined
  const title = isRead ? (line.type === '' ? 'Without a type' : line.type) : 'Not readable'
  return (
    <FoldRow
      icon={<ScrollText />}
      title={title}
      subject={isRead ? '' : line.head.slice(0, 120)}
      label={title}
      tone={line.standing === 'known' ? 'plain' : 'failed'}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      {() =>
        isRead ? (
          <JsonText value={line.record} label={title} />
        ) : (
          <LongText text={line.head === '' ? 'Too long to read.' : line.head} label="Beginning of the line" />
        )
      }
    </FoldRow>
  )
}
