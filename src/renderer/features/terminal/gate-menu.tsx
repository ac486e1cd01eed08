import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { type Settings, declarations } from '../../../shared/settings/all-settings'
import { send } from '../../state/host/calls'
import { useGatedAgents } from '../../state/agents/gate-mirror'
import { useSetting } from '../../state/settings/settings-mirror'
import { IconButton } from '../../ui/controls/icon-button'
import { Menu, MenuChoice, MenuGap, MenuHeading } from '../../ui/overlays/menu'

const { options } = declarations.reviewWhich
const wordsOf = (mode: Settings['reviewWhich']) => options.find(([value]) => value === mode)?.[1] ?? mode

/** How much is asked of the agent in a terminal; nothing where that can't be chosen. */
export function GateMenu({ terminal }: { terminal: string }) {
  const agents = useGatedAgents().filter((agent) => agent.terminal === terminal)
  const usual = useSetting('reviewWhich')
  const [first] = agents
  if (!first) return null
  const { mode, isOwn } = first
  const isBypassed = agents.some(({ state }) => state === 'not-in-force')
  const choose = (chosen: typeof mode | null) => send('gate.setMode', { terminal, mode: chosen })
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          label={`Reviews in this terminal: ${isBypassed ? 'not in force' : wordsOf(mode).toLowerCase()}`}
          icon={isBypassed ? <ShieldAlert /> : <ShieldCheck />}
        />
      }
    >
      <MenuHeading>
        {isBypassed ? 'Not in force: see Connections' : 'Changes in this terminal, until it is closed'}
      </MenuHeading>
      {options.map(([one, words]) => (
        <MenuChoice key={one} checked={isOwn && mode === one} onCheckedChange={() => choose(one)}>
          {words}
        </MenuChoice>
      ))}
      <MenuGap />
      <MenuChoice checked={!isOwn} onCheckedChange={() => choose(null)}>
        As in the settings: {wordsOf(usual).toLowerCase()}
      </MenuChoice>
    </Menu>
  )
}
