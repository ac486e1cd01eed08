import { useEffect } from 'react'
import { textOf, type Prompt, type ToolCall } from '../../../../shared/conversation/transcript'
import { countOf } from '../../../ui/wording/number-format'
import { atTheEnd, earlierWindow, laterWindow, moreShown, placeOfWindow } from './agent-window'
import { AgentText } from '../message/contents'
import { useAgentWindow } from '../message/folds'
import { LongText } from '../message/cut-text'
import { useRevision, useSurroundings } from '../surroundings'

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
  const { agent } = call
  useEffect(() => {
    if (agent === null) return undefined
    const following = actions.agents?.follow(agent)
    return () => following?.dispose()
  }, [agent, actions])
  const all = agent === null ? [] : transcript.agentItems(agent)
  const earlier = (agent !== null && actions.agents?.earlier(agent)) || 'none'
  // Its first item is what it was told, which stands above already.
  const items = all.filter(
    (item, index) => !(index === 0 && earlier === 'none' && item.kind === 'prompt' && isTold(item, prompt)),
  )
  const ids = items.map(({ id }) => id)
  const [window, setWindow] = useAgentWindow(agent ?? '')
  const { from, to } = placeOfWindow(ids, window)
  const isMore = from > 0 || earlier !== 'none'
  const showEarlier = () => {
    if (agent !== null && from <= moreShown && earlier === 'some') void actions.agents?.loadEarlier(agent)
    setWindow(earlierWindow(ids, window))
  }
  const lastWords = items.at(-1)
  const saysResult =
    lastWords?.kind === 'reply' &&
    lastWords.blocks.some((block) => block.kind === 'text' && block.text === text)
  return (
    <>
      {type === '' ? null : <p className="aside">{`Sub-agent: ${type}`}</p>}
      {prompt === '' ? null : <LongText text={prompt} label="Instructions" />}
      {items.length === 0 ? null : (
        <div className="sub-agent" role="group" aria-label="Sub-agent">
          {isMore ? (
            <button
              type="button"
              className="text-button"
              disabled={from === 0 && earlier === 'loading'}
              onClick={showEarlier}
            >
              {from > 0
                ? `Show ${countOf(Math.min(from, moreShown), 'earlier message')}`
                : earlier === 'loading'
                  ? 'Loading earlier messages …'
                  : 'Show earlier messages'}
            </button>
          ) : null}
          {items.slice(from, to).map((item) => (
            <div key={item.id} className="sub-agent-item">
              {drawItem(item)}
            </div>
          ))}
          {to < items.length ? (
            <p className="sub-agent-later">
              <button
                type="button"
                className="text-button"
                onClick={() => setWindow(laterWindow(ids, window))}
              >
                {`Show ${countOf(Math.min(items.length - to, moreShown), 'later message')}`}
              </button>
              <button type="button" className="text-button" onClick={() => setWindow(atTheEnd)}>
                To its end
              </button>
            </p>
          ) : null}
        </div>
      )}
      {text === '' || saysResult ? null : <AgentText text={text} />}
    </>
  )
}

/** Whether a sub-agent's first item is what the tool told it, and not something that was said to it later. */
function isTold({ blocks }: Prompt, prompt: string): boolean {
  const said = textOf(blocks).trim()
  return said === prompt.trim() || prompt === ''
}
