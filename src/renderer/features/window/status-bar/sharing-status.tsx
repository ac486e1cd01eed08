import { Ban } from 'lucide-react'
import type { ContextState } from '../../../../shared/contract/context'
import { share, useAgentContext } from '../../../state/agents/context-mirror'
import { showPanel } from '../../../state/window/frame-layout'
import { IconButton } from '../../../ui/controls/icon-button'
import { countOf } from '../../../ui/wording/number-format'

/** What is shared with agents, and the switch that ends it. */
export function SharingStatus() {
  const context = useAgentContext()
  if (!context) return null
  const { all } = context.sharing
  const words = describeSharing(context)
  return (
    <>
      <button
        type="button"
        className={`status-item row status-sharing ${all ? '' : 'status-warning'}`}
        aria-label={`Sharing with agents: ${words}`}
        onClick={() => showPanel('context', true)}
      >
        sharing: {words}
      </button>
      <IconButton
        className="status-stop"
        label="Stop sharing with agents"
        hint={all ? 'Stop sharing with agents' : 'Resume sharing with agents'}
        icon={<Ban />}
        tooltipSide="top"
        aria-pressed={!all}
        onClick={() => share({ all: !all })}
      />
    </>
  )
}

/** What is shared now: "selection, 3 files". */
function describeSharing({ sharing, files }: Pick<ContextState, 'sharing' | 'files'>): string {
  if (!sharing.all) return 'nothing'
  const shared = files.filter(({ withheld }) => withheld === null).length
  const parts = [sharing.selection ? 'selection' : '', sharing.files ? countOf(shared, 'file') : '']
  return parts.filter(Boolean).join(', ') || 'nothing'
}
