import { Columns2, FoldVertical, Pilcrow, WrapText } from 'lucide-react'
import { ToolbarToggle } from '../../ui/controls/toolbar'
import type { Look } from './text/draft-picture'

const toggles = {
  layout: { label: 'Side by side', icon: <Columns2 /> },
  ignoreWhitespace: { label: 'Hide whitespace changes', icon: <Pilcrow /> },
  foldUnchanged: { label: 'Fold unchanged lines', icon: <FoldVertical /> },
  wrap: { label: 'Wrap lines', icon: <WrapText /> },
}

/** Changes how a text is shown; for a toolbar. `parts` are those of the look that can be changed there. */
export function LookToggles({
  parts,
  look,
  onLook,
}: {
  parts: readonly (keyof Look)[]
  look: Look
  onLook: (change: Partial<Look>) => void
}) {
  return parts.map((part) => (
    <ToolbarToggle
      key={part}
      {...toggles[part]}
      pressed={part === 'layout' ? look.layout === 'side-by-side' : look[part]}
      onPressedChange={(isOn) =>
        onLook(part === 'layout' ? { layout: isOn ? 'side-by-side' : 'unified' } : { [part]: isOn })
      }
    />
  ))
}
