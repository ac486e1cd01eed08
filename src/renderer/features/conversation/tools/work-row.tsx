import { Hammer, ScrollText } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Item, OtherLine } from '../../../../shared/conversation/transcript'
import { LineCounts } from '../../../ui/labels/line-counts'
import { countOf } from '../../../ui/wording/number-format'
import { JsonText } from '../message/contents'
import { FoldRow } from '../message/fold-row'
import { LongText } from '../message/cut-text'
import { describeLines } from '../list/rows'
import { useSurroundings } from '../surroundings'
import { sumUp } from './work-sum'

/** How many steps are shown at first, and how many more at each press. */
const shownAtFirst = 30

/** What an agent did in between, as one line. `isInside`: it is part of a reply, of which it shows only the tools. */
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
  const { subject, added, removed, steps } = sumUp(items)
  const title = steps === 0 ? 'Output and notices' : countOf(steps, 'step')
  const drawn = isInside ? items.map(toolsOnly) : items
  return (
    <FoldRow
      id={id}
      icon={<Hammer />}
      title={title}
      subject={subject}
      label={[title, subject].filter((part) => part !== '').join(': ')}
      facts={added + removed > 0 ? <LineCounts added={added} removed={removed} /> : undefined}
    >
      {() => (
        <ByPieces of={drawn} more="Show more steps">
          {(item) => (
            <div key={item.id} className="sub-agent-item">
              {drawItem(item)}
            </div>
          )}
        </ByPieces>
      )}
    </FoldRow>
  )
}

/** The first ones, and a button for more of them. */
function ByPieces<T>({
  of,
  more,
  children,
}: {
  of: readonly T[]
  more: string
  children: (one: T) => ReactNode
}) {
  const [shown, setShown] = useState(shownAtFirst)
  return (
    <>
      {of.slice(0, shown).map(children)}
      {of.length > shown ? (
        <button type="button" className="text-button" onClick={() => setShown(shown + shownAtFirst)}>
          {more}
        </button>
      ) : null}
    </>
  )
}

function toolsOnly(item: Item): Item {
  return item.kind === 'reply' ? { ...item, blocks: item.blocks.filter(({ kind }) => kind === 'tool') } : item
}

/** Lines that are no part of the conversation. */
export function LinesRow({ id, lines }: { id: string; lines: readonly OtherLine[] }) {
  return (
    <FoldRow id={id} icon={<ScrollText />} title={describeLines(lines)}>
      {() => (
        <ByPieces of={lines} more="Show more lines">
          {(line) => <OneLine key={line.offset} line={line} />}
        </ByPieces>
      )}
    </FoldRow>
  )
}

function OneLine({ line }: { line: OtherLine }) {
  const isRead = line.record !== undefined
  const title = isRead ? (line.type === '' ? 'Without a type' : line.type) : 'Not readable'
  return (
    <FoldRow
      id={`line:${line.offset}`}
      icon={<ScrollText />}
      title={title}
      subject={isRead ? '' : line.head.slice(0, 120)}
      tone={line.standing === 'known' ? 'plain' : 'failed'}
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
