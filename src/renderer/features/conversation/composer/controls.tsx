import type { ConversationControl } from '../../../../shared/contract/conversations'
import { Select } from '../../../ui/controls/select'

/** What can be chosen about how an agent works, as the agent itself describes it. */
export function Controls({
  controls,
  onChoose,
}: {
  controls: readonly ConversationControl[]
  onChoose: (control: string, value: string) => void
}) {
  if (controls.length === 0) return null
  return (
    <div className="composer-controls">
      {controls.map(({ id, label, value, options }) => (
        <label key={id} className="row aside">
          {label}
          <Select value={value} onChange={(event) => onChoose(id, event.target.value)}>
            {options.map((option) => (
              <option key={option.value} value={option.value} title={option.description}>
                {option.label}
              </option>
            ))}
          </Select>
        </label>
      ))}
    </div>
  )
}
