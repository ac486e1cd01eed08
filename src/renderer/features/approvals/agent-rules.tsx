import { useMemo } from 'react'
import type { LiveConversationState } from '../../../shared/contract/conversations'
import type { Topics } from '../../../shared/contract/contract'
import { isLiveId } from '../../../shared/conversation/live-id'
import { mergeDelta, useTopic } from '../../state/host/mirror'
import { useTabFact } from '../../state/tabs/tabs-mirror'
import { RevealedText, revealed } from '../../ui/labels/revealed-text'

type Topic = Topics['conversation']

function apply(state: Topic['snapshot'], delta: Topic['delta']): Topic['snapshot'] {
  return state && mergeDelta<LiveConversationState>(state, delta)
}

/** The rules that agents keep themselves, of each conversation under way here. They are only shown. */
export function AgentRules() {
  const ids = useTabFact(({ tabs }) =>
    tabs.flatMap((tab) => (tab.kind === 'session' && isLiveId(tab.session) ? [tab.session] : [])).join('\n'),
  )
  const conversations = useMemo(() => (ids === '' ? [] : [...new Set(ids.split('\n'))]), [ids])
  return conversations.map((id) => <RulesOfConversation key={id} id={id} />)
}

function RulesOfConversation({ id }: { id: string }) {
  const state = useTopic('conversation', { id }, apply)
  const conversation = state.kind === 'here' ? state.data : null
  const entries = conversation?.parts.find((part) => part.id === 'rules')?.entries ?? []
  if (!conversation || entries.length === 0) return null
  const agent = revealed(conversation.agent)
  const title = revealed(conversation.title)
  return (
    <section className="approvals-item agent-rules" aria-label={`Rules of ${agent} in ${title}`}>
      <h3>
        {agent}’s own rules in “{title}”
      </h3>
      <p className="aside">
        {agent} keeps these and obeys them before it asks. Change them in its own settings.
      </p>
      <ul aria-label={`Rules of ${agent}`}>
        {entries.map(({ name, detail }, index) => (
          <li key={index}>
            <code className="selectable">
              <RevealedText text={name} />
            </code>
            <span className="aside">
              <RevealedText text={detail} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
