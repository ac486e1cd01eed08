import { Bell, Columns2, Plus, Search, SquareTerminal } from 'lucide-react'
import { useEffect, useRef } from 'react'
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
import { InstallCard } from './install-card'
import { RenameDialog } from './rename-dialog'
import { TerminalBody } from './terminal-body'
import { chosenOf, finding, openTerminal, pairOf, renaming, shown, showTerminal } from './terminal-state'
import { keepViews, knownView } from './terminal-views'
import './terminal.css'

/** The whole drawer of terminals: tabs, the New terminal menu, and one terminal or a split pair. */
export function TerminalPanel({ client }: { client: HostClient }) {
  const { terminals, profiles } = useTerminals()
  const { active, missing } = useStore(shown)
  const chosen = chosenOf(terminals, active)
  const pair = pairOf(terminals, chosen)
  useEffect(
    () =>
      keepViews(
        client,
        terminals.map((terminal) => terminal.id),
      ),
    [client, terminals],
  )
  const wanted = useStore(wantedTerminal, ({ terminal }) => terminal)
  useEffect(() => {
    if (wanted === null) return
    wantedTerminal.setState({ terminal: null })
    showTerminal(wanted)
  }, [wanted])
  const card = profiles.find((profile) => profile.id === missing && profile.install)
  return (
    <div className="terminal-panel">
      <TabStrip
        label="Terminals"
        tabs={terminals.map((terminal) => tabOf(terminal, terminals))}
        active={card ? null : (chosen?.id ?? null)}
        onActivate={(id) => shown.setState({ active: id, missing: null })}
        onPick={showTerminal}
        onClose={(id) => send('terminals.close', { id })}
        onDoubleClick={(id) => renaming.setState({ terminal: id })}
      >
        {chosen && !card ? (
          <>
            <IconButton
              size="small"
              label="Find in terminal"
              icon={<Search />}
              onClick={() => finding.setState({ terminal: chosen.id })}
            />
            <IconButton
              size="small"
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
        // Without a choice it goes back to the button.
        if (!picked.current) return
        picked.current = false
        event.preventDefault()
        // A new terminal that was there before the menu had gone lost the focus with the menu's end. One that is still
        // awaited takes it when it comes: what is typed until then must not go to the terminal that is shown meanwhile.
        if (document.activeElement === document.body) knownView(made.current)?.focus()
      }}
    >
      {built.map((profile) => (
        <ProfileItem key={profile.id} profile={profile} onPick={(id) => void open(id)} />
      ))}
      {own.length > 0 ? <MenuGap /> : null}
      {own.map((profile) => (
        <ProfileItem key={profile.id} profile={profile} onPick={(id) => void open(id)} />
      ))}
    </Menu>
  )
}

function ProfileItem({ profile, onPick }: { profile: TerminalProfile; onPick: (profile: string) => void }) {
  const { id, title, version, install } = profile
  return (
    <MenuItem
      label={title}
      note={install ? 'not installed' : (version ?? undefined)}
      onSelect={() => onPick(id)}
    >
      {title}
    </MenuItem>
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
