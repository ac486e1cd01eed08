import { Brain, CodeXml, FileText } from 'lucide-react'
import { memo } from 'react'
import type { Block } from '../../../../shared/conversation/transcript'
import { JsonText, MessagePicture, AgentText } from './contents'
import { partId } from '../find/find'
import { FoldRow } from './fold-row'
import { useFold } from './folds'
import { useSurroundings } from '../surroundings'
import { ToolCard } from '../tools/tool-card'

/** All that was said in one message, in order. */
export function Blocks({
  item,
  blocks,
  isPlain = false,
}: {
  item: string
  blocks: readonly Block[]
  isPlain?: boolean
}) {
  return blocks.map((block, index) => {
    const id = partId(item, block, index)
    return (
      <div key={id} data-part={id} className={`block block-${block.kind}`}>
        <OneBlock id={id} block={block} isPlain={isPlain} />
      </div>
    )
  })
}

const OneBlock = memo(function OneBlock({
  id,
  block,
  isPlain,
}: {
  id: string
  block: Block
  isPlain: boolean
}) {
  switch (block.kind) {
    case 'text':
      return isPlain ? <PlainWords id={id} text={block.text} /> : <AgentText text={block.text} />
    case 'thinking':
      return <Thinking id={id} text={block.text} />
    case 'tool':
      return <ToolCard id={id} call={block.call} />
    case 'image':
      return <MessagePicture mediaType={block.mediaType} data={block.data} url={block.url} />
    case 'document':
      return (
        <p className="attachment row">
          <FileText aria-hidden="true" />
          <bdi>{block.title === '' ? `Document (${block.mediaType})` : block.title}</bdi>
        </p>
      )
    case 'other':
      return <Other id={id} type={block.type} value={block.value} />
  }
})

/** So much of a person's text is shown at first. */
const longPrompt = 3000
const longPromptLines = 24

/** Text of the person, as it was typed; a long one is cut until it is asked for. */
function PlainWords({ id, text }: { id: string; text: string }) {
  const [isOpen, setOpen] = useFold(id, false)
  const isLong = text.length > longPrompt || text.split('\n', longPromptLines + 1).length > longPromptLines
  const short = isLong ? text.slice(0, longPrompt).split('\n').slice(0, longPromptLines).join('\n') : text
  // A pasted file may be longer than a page can hold.
  const shown = isOpen ? text.slice(0, 400_000) : short
  return (
    <>
      <p className="plain-words selectable" dir="auto">
        {shown}
        {isLong && !isOpen ? ' …' : ''}
      </p>
      {isLong ? (
        <button type="button" className="text-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      ) : null}
    </>
  )
}

function Thinking({ id, text }: { id: string; text: string }) {
  const { density } = useSurroundings()
  const [isOpen] = useFold(id, false)
  const words = text.trim()
  // What its vendor keeps to itself is of interest only to who wants to see all.
  if (words === '') return density === 'verbose' ? <p className="aside">Thinking (hidden)</p> : null
  const [first = ''] = words.split('\n', 1)
  return (
    <FoldRow id={id} icon={<Brain />} title="Thinking" subject={isOpen ? '' : first.slice(0, 200)}>
      {() => (
        <div className="thinking">
          <AgentText text={words} />
        </div>
      )}
    </FoldRow>
  )
}

function Other({ id, type, value }: { id: string; type: string; value: unknown }) {
  const title = type === '' ? 'Other content' : type.replaceAll('_', ' ')
  return (
    <FoldRow id={id} icon={<CodeXml />} title={title}>
      {() => <JsonText value={value} label={title} />}
    </FoldRow>
  )
}
