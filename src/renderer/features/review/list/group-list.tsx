import { useState } from 'react'
import type { ChangeGroup } from '../../../../shared/contract/changes'
import type { Result } from '../../../../shared/result'
import { attempt } from '../../../state/host/calls'
import { useChangeGroups } from '../../../state/reviews/change-groups-mirror'
import { announce } from '../../../ui/browser/live-region'
import { AgentDot } from '../../../ui/labels/agent-dot'
import { Button } from '../../../ui/controls/button'
import { countOf, formatNumber } from '../../../ui/wording/number-format'
import { TimeText } from '../../../ui/labels/time-text'
import { turnIn } from '../turn-in'
import { Confirmation } from './confirmation'
import './group-list.css'

interface GroupsProps {
  /** Shows a review; the person asked for it. */
  onOpen: (reviewId: string) => void
  onFailure: (sentence: string) => void
}

/** Files that were written at once, such as by a checkout, in one row. */
export function ChangeGroups(props: GroupsProps) {
  const groups = useChangeGroups()
  if (groups.length === 0) return null
  return (
    <ul className="gl-groups" aria-label="Files changed at once">
      {groups.map((group) => (
        <Group key={group.id} group={group} {...props} />
      ))}
    </ul>
  )
}

function Group({ group, onOpen, onFailure }: GroupsProps & { group: ChangeGroup }) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // What was asked about is what is put back: what has come to the group since is not in it.
  const [asked, setAsked] = useState<ChangeGroup | null>(null)
  const count = countIn(group)
  const title = `${count} changed at once`
  const run = async <T,>(call: Promise<Result<T>>): Promise<T | null> => {
    setBusy(true)
    const result = await call
    setBusy(false)
    if (result.ok) return result.value
    onFailure(result.failure.message)
    return null
  }
  const keepAll = async () => {
    if (await run(attempt('changes.keepAll', { id: group.id, revision: group.revision })))
      announce(`Kept ${count}.`)
  }
  const putBackAll = async ({ id, revision, isMore }: ChangeGroup) => {
    setAsked(null)
    const put = await run(attempt('changes.putBackAll', { id, revision }))
    if (put) announce(sentenceOf(put, isMore))
  }
  const review = async (path: string) => {
    const opened = await run(attempt('changes.review', { id: group.id, path }))
    if (opened) onOpen(opened.review)
  }
  return (
    <li className="gl-group" aria-label={`${title}, ${group.agent}`}>
      <div className="gl-pending-line row">
        <AgentDot agent={group.agent} />
        <span className="name gl-pending-name" dir="auto">
          {title}
        </span>
      </div>
      <div className="gl-pending-line row gl-pending-more aside">
        <span className="gl-pending-phase gl-group-turn">{`Written during ${turnIn(group)}`}</span>
        <TimeText at={group.at} />
      </div>
      {asked ? (
        <Confirmation
          question={`Put back ${countOf(asked.count, 'file')}?`}
          details="Files that have changed since stay as they are."
          verb={`Put back ${countOf(asked.count, 'file')}`}
          onYes={() => void putBackAll(asked)}
          onNo={() => setAsked(null)}
        />
      ) : (
        <div className="gl-group-buttons">
          <Button size="small" disabled={isBusy} onClick={() => void keepAll()}>
            Keep all
          </Button>
          {group.count > 0 ? (
            <Button size="small" variant="quiet" disabled={isBusy} onClick={() => setAsked(group)}>
              Put back all
            </Button>
          ) : null}
          <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Close list' : 'Open list'}
          </Button>
        </div>
      )}
      {isOpen ? (
        <>
          <ul className="gl-group-files" aria-label="Changed files">
            {group.files.map(({ path, name, folder, isNew }) => (
              <li key={path} className="gl-pending-line row" title={path}>
                <span className="name gl-pending-name" dir="auto">
                  {name}
                </span>
                <span className="name gl-group-folder aside">{isNew ? 'New file' : folder}</span>
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={`Review ${name}`}
                  disabled={isBusy}
                  onClick={() => void review(path)}
                >
                  Review
                </Button>
              </li>
            ))}
          </ul>
          {group.files.length < group.count ? (
            <p className="gl-group-rest aside">
              and {formatNumber(group.count - group.files.length)} more, which can be kept or put back
              together
            </p>
          ) : null}
        </>
      ) : null}
    </li>
  )
}

/** How many files, as far as they could be counted. */
function countIn({ count, isMore }: ChangeGroup): string {
  if (!isMore) return countOf(count, 'file')
  return count === 0 ? 'More files' : `More than ${countOf(count, 'file')}`
}

/** What was done, what was not, and why. */
function sentenceOf({ done, left }: { done: number; left: number }, isMore: boolean): string {
  const what = `Put back ${countOf(done, 'file')}.`
  const rest = isMore ? ' There were too many to count; the rest are unchanged.' : ''
  if (left === 0) return `${what}${rest}`
  const stay = left === 1 ? 'stays as it is: it was' : 'stay as they are: they were'
  return `${what} ${countOf(left, 'file')} ${stay} changed since, or what stood there before is not known.${rest}`
}
