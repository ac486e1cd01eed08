import {
  type Approval,
  type ApprovalOption,
  type Question,
  kindWords,
} from '../../../shared/approval/approval'
import { describeRule } from '../../../shared/approval/approval-rule'
import { useConnections } from '../../state/agents/connections-mirror'
import { useTerminals } from '../../state/agents/terminals-mirror'
import { RevealedText, revealed } from '../../ui/labels/revealed-text'
import { TimeText } from '../../ui/labels/time-text'

/** Who asks, where and why. */
export function Facts({ approval: { question, askedAt } }: { approval: Approval }) {
  const { kind, tool, folder, path, why, requester, subject, title } = question
  const connection = useConnections()?.connections.find((one) => one.id === requester.connection)
  const terminal = useTerminals().terminals.find((one) => one.id === connection?.terminal)?.title
  const facts: [string, string | null | undefined][] = [
    ['Asks', subject.trim() === '' || title.toLowerCase() === kindWords[kind] ? null : title],
    ['Why', why],
    ['Path', path],
    ['Folder', folder],
    ['Tool', tool],
    ['Terminal', terminal],
    ['Session', requester.session],
  ]
  return (
    <dl className="approval-facts column">
      {facts.map(([name, text]) =>
        text ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="selectable">
              <RevealedText text={text} />
            </dd>
          </div>
        ) : null,
      )}
      <div>
        <dt>Asked</dt>
        <dd>
          <TimeText at={askedAt} />
        </dd>
      </div>
    </dl>
  )
}

/** What an option leads to beyond its own words; null where that is nothing. */
export function consequenceOf({ leadsTo }: ApprovalOption, { requester }: Question): string | null {
  const agent = revealed(requester.agent)
  if (leadsTo.kind === 'deny') {
    const untold = leadsTo.dropsReason === true
    if (leadsTo.stops) return `ends the turn of ${agent}${untold ? ', which isn’t told your reason' : ''}.`
    return null
  }
  if (leadsTo.kind === 'leave') return null
  const { remembers } = leadsTo
  if (remembers === null) return null
  if (remembers.by === 'agent') return `${agent} remembers: ${revealed(remembers.words)}`
  const ends = requester.session === undefined ? `${agent} disconnects` : 'this session ends'
  const until = remembers.rule.session === null ? 'kept until you remove it' : `until ${ends}`
  return `adds a rule for exactly this, ${until}: ${revealed(describeRule({ ...remembers.rule, session: null }))}.`
}

/** What the options lead to beyond their own words. */
export function Consequences({ question }: { question: Question }) {
  const told = question.options.flatMap((option) => {
    const words = consequenceOf(option, question)
    return words === null ? [] : [{ option, words }]
  })
  if (told.length === 0) return null
  return (
    <ul className="approval-consequences aside">
      {told.map(({ option, words }) => (
        <li key={option.id}>
          <strong>{revealed(option.label)}</strong> {words}
        </li>
      ))}
    </ul>
  )
}
