import { MessageCircleQuestionMark, Plug, RefreshCw, TriangleAlert } from 'lucide-react'
import type { Check, Connection, ServerState } from '../../../shared/contract/connections'
import { showApprovals } from '../../state/approvals/approvals-mirror'
import { ask } from '../../state/host/calls'
import { useChecks } from '../../state/agents/connection-checks-mirror'
import { commandOf, useConnections } from '../../state/agents/connections-mirror'
import { useTerminals } from '../../state/agents/terminals-mirror'
import { AgentDot } from '../../ui/labels/agent-dot'
import { EmptyState } from '../../ui/layout/empty-state'
import { IconButton } from '../../ui/controls/icon-button'
import { Skeleton } from '../../ui/layout/skeleton'
import { TimeText } from '../../ui/labels/time-text'
import { PaneHeader } from '../../ui/layout/pane-header'
import { Toggle } from '../../ui/controls/toggle'
import { TypedCommand } from '../../ui/controls/typed-command'
import { CheckList } from './check-list'
import './connections-panel.css'

/** The connected agents, and the servers they connect to. */
export function ConnectionsPanel() {
  const state = useConnections()
  const { checks, isChecking, check } = useChecks()
  return (
    <section className="fills" aria-label="Connections">
      <PaneHeader title="Connections">
        <IconButton
          label="Approvals, their rules and record"
          icon={<MessageCircleQuestionMark />}
          onClick={() => showApprovals()}
        />
        <IconButton label="Check again" icon={<RefreshCw />} aria-disabled={isChecking} onClick={check} />
      </PaneHeader>
      {state === null ? (
        <Skeleton lines={4} />
      ) : (
        <div className="scrolls">
          {state.connections.length === 0 ? (
            <div className="connections-empty">
              <EmptyState icon={<Plug />} title="No agent is connected">
                Start one in a terminal here. It connects automatically.
              </EmptyState>
            </div>
          ) : (
            <ul aria-label="Connected agents">
              {state.connections.map((connection) => (
                <ConnectionCard key={connection.id} connection={connection} />
              ))}
            </ul>
          )}
          {state.servers.map((server) => (
            <ServerCard key={server.dialect} server={server} checks={checks?.get(server.dialect) ?? null} />
          ))}
        </div>
      )}
    </section>
  )
}

function ConnectionCard({ connection }: { connection: Connection }) {
  const { agent, version, protocol, pid, since, terminal, unasked, note, doing } = connection
  const { terminals } = useTerminals()
  const title = terminals.find((other) => other.id === terminal)?.title
  return (
    <li className="connection column">
      <div className="connection-name row">
        <AgentDot agent={agent} />
        <strong className="name">{agent}</strong>
        {version ? <span className="connection-fact aside">{version}</span> : null}
        <span className="connection-since aside">
          <TimeText at={since} />
        </span>
      </div>
      <p className="connection-fact aside">
        {[title ? `in terminal “${title}”` : null, protocol, pid ? `pid ${pid}` : null]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {unasked ? (
        <p className="icon-line waiting">
          <TriangleAlert aria-hidden="true" />
          {unasked.sentence}
        </p>
      ) : note !== null ? (
        <p className="connection-fact aside">{note}</p>
      ) : null}
      {doing ? <p className="connection-fact aside">{doing}</p> : null}
    </li>
  )
}

function ServerCard({ server, checks }: { server: ServerState; checks: readonly Check[] | null }) {
  const { dialect, about, on, port, files, problem } = server
  const { name, toggle, address, file: fileName, whenOff, command } = about
  const typed = commandOf(server)
  return (
    <section className="server column" aria-label={`Server for ${name}`}>
      <Toggle
        label={toggle}
        checked={on}
        onCheckedChange={(next) => void ask('connections.setServer', { dialect, on: next })}
      />
      {problem ? (
        <p className="icon-line waiting">
          <TriangleAlert aria-hidden="true" />
          {problem}
        </p>
      ) : null}
      {on ? (
        <dl className="server-facts">
          {port === null ? null : (
            <>
              <dt className="aside">Address</dt>
              <dd className="mono selectable">{address.replace('PORT', String(port))}</dd>
            </>
          )}
          {files.length === 0 ? null : (
            <>
              <dt className="aside">{files.length === 1 ? fileName : `${fileName}s`}</dt>
              {files.map((file) => (
                <dd key={file} className="mono selectable">
                  <bdi>{file}</bdi>
                </dd>
              ))}
            </>
          )}
          {typed === null ? null : (
            <>
              <dt className="aside">Command</dt>
              <dd>
                <TypedCommand text={typed} />
              </dd>
            </>
          )}
        </dl>
      ) : (
        <p className="connection-fact aside">{whenOff}</p>
      )}
      {on && command ? <p className="connection-fact aside">{command.note}</p> : null}
      {on && checks ? <CheckList name={name} checks={checks} /> : null}
    </section>
  )
}
