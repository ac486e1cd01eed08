import { useEffect, useState } from 'react'
import type { ToolCall } from '../../../shared/transcript'
import { countOf } from '../../ui/number-format'
import { Words } from './contents'
import { LongText } from './long-text'
import { useRevision, useSurroundings } from './surroundings'

/** So many messages of a sub-agent are shown at first: the last ones; and so many more at each press. */
const firstShown = 12
const moreShown = 40
/** So many at most at once: each may be long. */
const mostShown = 200

/** A sub-agent: what it was told, what it said and did, and what it gave back. */
export function AgentBody({
  call,
  prompt,
  type,
  text,
}: {
  call: ToolCall
  prompt: string
  type: string
  text: string
}) {
  const { actions, transcript, drawItem } = useSurroundings()
  // What it says comes as it works.
  useRevision()
  const [shown, setShown] = useState(firstShown)
  const { agent } = call
  useEffect(() => {
    if (agent === null) return undefined
    const following = actions.followAgent(agent)
    return () => following.dispose()
  }, [agent, actions])
  const all = agent === null ? [] : transcript.agentItems(agent)
  // Its first item is what it was told, which stands above already.
  const items = all.filter((item, index) => !(index === 0 && item.kind === 'prompt'))
  const hidden = Math.max(0, items.length - shown)
  const lastWords = items.at(-1)
  const saysResult =
    lastWords?.kind === 'reply' &&
    lastWords.blocks.some((block) => block.kind === 'text' && block.text === text)
  return (
    <>
      {type === '' ? null : <p className="aside">{`Sub-agent: ${type}`}</p>}
      {prompt === '' ? null : <LongText text={prompt} label="What it was told" />}
      {items.length === 0 ? null : (
        <div className="sub-agent" role="group" aria-label="Sub-agent">
          {hidden > 0 ? (
            <button
              type="button"
              className="text-button"
              disabled={shown >= mostShown}
              onClick={() => setShown(shown + moreShown)}
            >
              {`Show ${countOf(Math.min(hidden, moreShown), 'earlier message')}`}
            </button>
          ) : null}
          {items.slice(-shown).map((item) => (
            <div key={item.id} className="sub-agent-item">
              {drawItem(item)}
            </div>
          ))}
        </div>
      )}
      {text === '' || saysResult ? null : <Words text={text} />}
    </>
  )
}
