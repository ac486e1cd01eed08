import { ShieldCheck } from 'lucide-react'
import type { ReviewSummary } from '../../../shared/contract/review'
import { mostPathRules, patternsFor } from '../../../shared/gate/path-rule'
import { useGatedAgents } from '../../state/agents/gate-mirror'
import { pathRulesIn, savePathRule } from '../../state/agents/saved-path-rules'
import { useSettingsSources } from '../../state/settings/settings-sources'
import { useWindow } from '../../state/window/window-mirror'
import { ToolbarButton } from '../../ui/controls/toolbar'
import { revealed } from '../../ui/labels/revealed-text'
import { Menu, MenuHeading, MenuItem } from '../../ui/overlays/menu'
import type { ReviewController } from './review-controller'

/** Lets its agents write a file without a review from now on. It decides nothing here; nothing where rules don't count. */
export function AskLess({ controller, summary }: { controller: ReviewController; summary: ReviewSummary }) {
  const { connection, conversation, phase, effect, path, realPath } = summary
  const window = useWindow()
  const sources = useSettingsSources()
  const agents = useGatedAgents()
  const isGated =
    conversation !== undefined ||
    agents.some((agent) => agent.connection === connection && agent.state === 'in-force')
  // What a link leads to is not let through by the link's name.
  const mayPass = isGated && phase === 'open' && effect === 'agent' && realPath === undefined
  if (!window || !sources || !mayPass) return null
  const folders = window.folders.map((folder) => folder.path)
  const patterns = patternsFor(path, folders, window.platform)
  if (patterns.length === 0) return null
  const target = sources.folder ? 'folder' : 'person'
  const letWrite = async (pattern: string) => {
    if (pathRulesIn(sources, target).length >= mostPathRules)
      return controller.tell(`There can be ${mostPathRules} rules. Remove one in Approvals, Rules.`, true)
    const saved = await savePathRule(target, { pattern, answer: 'write' })
    if (!saved.ok) return controller.tell(saved.failure.message, true)
    controller.tell(
      `${revealed(pattern)} is among the rules in Approvals. This change still waits for you.`,
      false,
    )
  }
  return (
    <Menu trigger={<ToolbarButton label="Don’t ask again" icon={<ShieldCheck />} />}>
      <MenuHeading>Written without a review from now on</MenuHeading>
      {patterns.map((pattern) => (
        <MenuItem key={pattern} onSelect={() => void letWrite(pattern)}>
          {revealed(pattern)}
        </MenuItem>
      ))}
    </Menu>
  )
}
