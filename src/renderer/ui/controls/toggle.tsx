import { Switch } from 'radix-ui'
import { useId } from 'react'
import { IconButton } from './icon-button'
import './toggle.css'

/** An icon that is on or off (`aria-pressed`). */
export function ToggleButton({
  pressed,
  onPressedChange,
  ...rest
}: Omit<Parameters<typeof IconButton>[0], 'onClick'> & {
  pressed: boolean
  onPressedChange: (pressed: boolean) => void
}) {
  return <IconButton {...rest} aria-pressed={pressed} onClick={() => onPressedChange(!pressed)} />
}

/** A switch with its label beside it. */
export function Toggle({
  label,
  checked,
  onCheckedChange,
  disabled = false,
}: {
  label: string
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <span className="toggle">
      <Switch.Root
        id={id}
        className="toggle-track"
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
      >
        <Switch.Thumb className="toggle-thumb" />
      </Switch.Root>
      <label htmlFor={id}>{label}</label>
    </span>
  )
}
