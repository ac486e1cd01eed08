import { Toolbar as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { IconButton } from './icon-button'
import { ToggleButton } from './toggle'
import './toolbar.css'

/** A row of icons under one name: one stop for Tab; left and right, Home and End walk through them. */
export function Toolbar({
  label,
  className,
  ...rest
}: Omit<ComponentProps<'div'>, 'dir'> & { label: string }) {
  return <Radix.Root aria-label={label} className={`toolbar row ${className ?? ''}`} loop={false} {...rest} />
}

export function ToolbarButton(props: ComponentProps<typeof IconButton>) {
  return (
    <Radix.Button asChild disabled={props.disabled}>
      <IconButton size="large" {...props} />
    </Radix.Button>
  )
}

/** An icon in a toolbar that is on or off. */
export function ToolbarToggle(props: ComponentProps<typeof ToggleButton>) {
  return (
    <Radix.Button asChild disabled={props.disabled}>
      <ToggleButton size="large" {...props} />
    </Radix.Button>
  )
}

/** A thin line between groups of a toolbar. */
export function ToolbarGap() {
  return <Radix.Separator className="toolbar-gap" />
}
