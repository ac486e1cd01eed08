import { ListTodo } from 'lucide-react'
import { memo, useEffect, useState } from 'react'
import type { BackgroundTask, ConversationSwitch } from '../../../shared/contract/conversations'
import { escapeSigns } from '../../../shared/text/plain-text'
import { Button } from '../../ui/controls/button'
import { Toggle } from '../../ui/controls/toggle'
import { Popover } from '../../ui/overlays/popover'
import { Tooltip } from '../../ui/overlays/tooltip'
import { countOf } from '../../ui/wording/number-format'
import { plainName } from '../../ui/wording/plain-name'
import type { DrivenActions, DrivenFacts } from './conversation-state'
import { formatSpan } from './message/turn-words'

/** In the header of a conversation that Greenlight drives: its switches, and what goes on in the background. */
export function DrivenTools({
  facts: { switches, tasks },
  actions,
}: {
  facts: DrivenFacts
  actions: DrivenActions
}) {
  return (
    <>
      <Tasks tasks={tasks} stop={actions.stopTask} />
      {switches.map((one) => (
        <SwitchOf key={one.id} described={one} turn={actions.switch} />
      ))}
    </>
  )
}

function SwitchOf({
  described: { id, label, help, isOn },
  turn,
}: {
  described: ConversationSwitch
  turn: DrivenActions['switch']
}) {
  const [isTurning, setTurning] = useState(false)
  return (
    <Tooltip content={plainName(help)}>
      <span className="conversation-switch">
        <Toggle
          label={plainName(label)}
          checked={isOn}
          onCheckedChange={(on) => {
            if (isTurning) return
            setTurning(true)
            void turn(id, on).then(() => setTurning(false))
          }}
        />
      </span>
    </Tooltip>
  )
}

const Tasks = memo(function Tasks({
  tasks,
  stop,
}: {
  tasks: readonly BackgroundTask[]
  stop: DrivenActions['stopTask']
}) {
  const [isKnown, setKnown] = useState(false)
  // It stays for who has opened it, and may be in it while the last one stops.
  if (tasks.length === 0 && !isKnown) return null
  return (
    <Popover
      label="In the background"
      onOpenChange={() => setKnown(true)}
      trigger={
        <Button size="small" variant="quiet" icon={<ListTodo />}>
          {countOf(tasks.length, 'task')}
        </Button>
      }
    >
      {tasks.length === 0 ? (
        <p className="popover-body aside">Nothing is running.</p>
      ) : (
        <ul className="popover-body tasks" aria-label="In the background">
          {tasks.map((task) => (
            <TaskRow key={task.id} task={task} stop={stop} />
          ))}
        </ul>
      )}
    </Popover>
  )
})

function TaskRow({
  task: { id, title, startedAt },
  stop,
}: {
  task: BackgroundTask
  stop: DrivenActions['stopTask']
}) {
  const [isStopping, setStopping] = useState(false)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <li className="row">
      <bdi className="task-title">{escapeSigns(title)}</bdi>
      <span className="number aside">
        {formatSpan(Math.max(0, Math.round((now - startedAt) / 1000)) * 1000)}
      </span>
      <Button
        size="small"
        aria-label={`Stop: ${title}`}
        disabled={isStopping}
        onClick={() => {
          setStopping(true)
          // Once it has stopped it is gone from the list.
          void stop(id).then(({ ok }) => setStopping(ok))
        }}
      >
        {isStopping ? 'Stopping …' : 'Stop'}
      </Button>
    </li>
  )
}
