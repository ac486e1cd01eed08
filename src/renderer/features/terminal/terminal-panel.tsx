import { Bell, Columns2, Plus, Search, SquareTerminal } from 'lucide-react'
import { Fragment, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { Terminal, TerminalProfile } from '../../../shared/contract/terminals'
import { send } from '../../state/host/calls'
import type { HostClient } from '../../state/host/client'
import { useTerminals } from '../../state/agents/terminals-mirror'
import { wantedTerminal } from '../../state/agents/wanted-terminal'
import { Button } from '../../ui/controls/button'
import { EmptyState } from '../../ui/layout/empty-state'
import { IconButton } from '../../ui/controls/icon-button'
import { Menu, MenuGap, MenuItem } from '../../ui/overlays/menu'
import { Pane, SplitPane, Splitter } from '../../ui/layout/split-pane'
import { type StripTab, TabStrip } from '../../ui/layout/tab-strip'
import { GateMenu } from './gate-menu'
import { InstallCard } from './install-card'
import { RenameDialog } from './rename-dialog'
import { TerminalBody } from './terminal-body'
import { chosenOf, finding, openTerminal, pairOf, renaming, shown, focusTerminal } from './terminal-state'
import { keepViews, knownView } from './terminal-views'
import './terminal.css'

/** The drawer of terminals: tabs, the New terminal menu, and one terminal or a split pair. */
export function TerminalPanel({ client }: { client: HostClient }) {
  const { terminals, profiles } = useTerminals()
  const { active, missing } = useStore(shown)
  const chosen = chosenOf(terminals, active)
  const pair = pairOf(terminals, chosen)
  useEffect(() => {
    const ids = terminals.map(({ id }) => id)
    keepViews(client, ids)
  }, [client, terminals])
  const wanted = useStore(wantedTerminal, ({ terminal }) => terminal)
  useEffect(() => {
    if (wanted === null) return
    wantedTerminal.setState({ terminal: null })
    focusTerminal(wanted)
  }, [wanted])
  const card = profiles.find((profile) => profile.id === missing && profile.install)
  return (
    <div className="terminal-panel fills">
      <TabStrip
        label="Terminals"
        tabs={terminals.map((terminal) => tabOf(terminal, terminals))}
        active={card ? null : (chosen?.id ?? null)}
        onActivate={(id) => shown.setState({ active: id, missing: null })}
        onPick={focusTerminal}
        onClose={(id) => send('terminals.close', { id })}
        onDoubleClick={(id) => renaming.setState({ terminal: id })}
      >
        {chosen && !card ? (
          <>
            <GateMenu terminal={chosen.id} />
            <IconButton
              label="Find in terminal"
              icon={<Search />}
              onClick={() => finding.setState({ terminal: chosen.id })}
            />
            <IconButton
              label="Split terminal"
              icon={<Columns2 />}
              disabled={pair.length > 1}
              onClick={() => void openTerminal(chosen.profile, chosen.id)}
            />
          </>
        ) : null}
        <NewTerminal profiles={profiles} />
      </TabStrip>
      <div className="terminal-bodies">
        {card ? (
          <InstallCard key={card.id} profile={card} />
        ) : chosen ? (
          <Bodies client={client} pair={pair} />
        ) : (
          <NoTerminal profiles={profiles} />
        )}
      </div>
      <RenameDialog terminals={terminals} />
    </div>
  )
}

function Bodies({ client, pair }: { client: HostClient; pair: readonly Terminal[] }) {
  const [left, right] = pair
  if (!left) return null
  if (!right) return <TerminalBody key={left.id} client={client} terminal={left} />
  return (
    <SplitPane orientation="horizontal" id="terminal-pair">
      <Pane id="terminal-left" min="20%">
        <TerminalBody key={left.id} client={client} terminal={left} />
      </Pane>
      <Splitter label="Between the terminals" stays />
      <Pane id="terminal-right" min="20%">
        <TerminalBody key={right.id} client={client} terminal={right} />
      </Pane>
    </SplitPane>
  )
}

function NewTerminal({ profiles }: { profiles: readonly TerminalProfile[] }) {
  const built = profiles.filter((profile) => profile.kind !== 'own')
  const own = profiles.filter((profile) => profile.kind === 'own')
  const trigger = useRef<HTMLButtonElement>(null)
  const picked = useRef(false)
  const made = useRef<string | null>(null)
  const open = async (profile: string) => {
    picked.current = true
    made.current = null
    made.current = await openTerminal(profile)
    if (made.current === null && document.activeElement === document.body) trigger.current?.focus()
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button ref={trigger} size="small" variant="quiet" icon={<Plus />}>
          New terminal
        </Button>
      }
      onCloseAutoFocus={(event) => {
        // Without a choice the focus goes back to the button.
        if (!picked.current) return
        picked.current = false
        event.preventDefault()
        // A new terminal that came before the menu was gone lost the focus to the menu. One that is still to come takes
        // the focus itself: what is typed until then must not go to another terminal.
        if (document.activeElement === document.body) knownView(made.current)?.focus()
      }}
    >
      {[...built, ...own].map((profile) => (
        <Fragment key={profile.id}>
          {profile === own[0] ? <MenuGap /> : null}
          <MenuItem
            label={profile.title}
            note={profile.install ? 'not installed' : (profile.version ?? undefined)}
            onSelect={() => void open(profile.id)}
          >
            {profile.title}
          </MenuItem>
        </Fragment>
      ))}
    </Menu>
  )
}

function NoTerminal({ profiles }: { profiles: readonly TerminalProfile[] }) {
  return (
    <EmptyState
      icon={<SquareTerminal />}
      title="No terminal is open"
      action={profiles
        .filter((profile) => profile.kind !== 'own')
        .map((profile) => (
          <Button key={profile.id} size="small" onClick={() => void openTerminal(profile.id)}>
            {profile.title}
          </Button>
        ))}
    >
      Start an agent here. Its changes appear for review.
    </EmptyState>
  )
}

function tabOf(terminal: Terminal, terminals: readonly Terminal[]): StripTab {
  const partner = terminals.find((other) => other.id === terminal.splitOf)
  const facts = [
    terminal.programTitle,
    terminal.state.kind === 'running' ? '' : 'ended',
    partner ? `beside ${partner.title}` : '',
    terminal.bell ? (terminal.note === '' ? 'waits for you' : `waits for you: ${terminal.note}`) : '',
  ]
  return {
    id: terminal.id,
    name: terminal.title,
    description: facts.filter(Boolean).join(', '),
    icon: terminal.bell ? <Bell aria-hidden="true" /> : <SquareTerminal aria-hidden="true" />,
    italic: terminal.state.kind !== 'running',
    closeLabel: 'Close terminal',
  }
}
