import { type ReactNode, useId } from 'react'
import type { Settings } from '../../../shared/contract/settings'
import { send } from '../../state/calls'
import { useSetting } from '../../state/settings'
import { PaneHeader } from '../../ui/pane-header'
import { Toggle } from '../../ui/toggle'
import './settings-panel.css'

/** The settings that matter from the first day; what a person changes holds at once. */
export function SettingsPanel() {
  return (
    <section className="settings" aria-label="Settings">
      <PaneHeader title="Settings" />
      <div className="settings-body">
        <Group title="Look">
          <Choice
            setting="theme"
            label="Theme"
            options={[
              ['system', 'As the system'],
              ['light', 'Light'],
              ['dark', 'Dark'],
              ['high-contrast', 'High contrast'],
            ]}
          />
          <SizeField setting="editorFontSize" label="Editor text size" />
          <SizeField setting="terminalFontSize" label="Terminal text size" />
          <WordField setting="editorFontFamily" label="Editor font" placeholder="The system's monospace" />
          <Choice
            setting="terminalPosition"
            label="Terminals"
            options={[
              ['bottom', 'Below the editor'],
              ['right', 'Right of the editor'],
            ]}
          />
        </Group>
        <Group title="Reviews">
          <Choice
            setting="reviewLayout"
            label="Changes"
            options={[
              ['unified', 'In one column'],
              ['side-by-side', 'Side by side'],
            ]}
          />
          <Switch setting="reviewWrap" label="Wrap long lines" />
          <Switch setting="reviewFoldUnchanged" label="Fold unchanged parts" />
          <Switch setting="reviewIgnoreWhitespace" label="Ignore changes of white space" />
          <Switch setting="reviewNextAfterDecision" label="Go to the next file after a decision" />
          <Switch setting="reviewUnasked" label="Show what agents write without asking" />
        </Group>
        <Group title="Agents and terminals">
          <Choice
            setting="claudePermissionMode"
            label="Claude Code starts"
            options={[
              ['manual', 'Asking before each change'],
              ['plan', 'In plan mode'],
              ['acceptEdits', 'Writing without asking'],
              ['auto', 'Deciding by itself when to ask'],
              ['bypassPermissions', 'Without any question'],
              ['', 'By its own settings'],
            ]}
          />
          <WordField setting="terminalShell" label="Shell" placeholder="The system's" />
        </Group>
      </div>
    </section>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="settings-group" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

type KeysOf<T> = { [K in keyof Settings]: Settings[K] extends T ? K : never }[keyof Settings]

function set<K extends keyof Settings>(key: K, value: Settings[K]): void {
  send('settings.set', { [key]: value })
}

function Choice<K extends 'theme' | 'terminalPosition' | 'reviewLayout' | 'claudePermissionMode'>({
  setting,
  label,
  options,
}: {
  setting: K
  label: string
  options: readonly (readonly [Settings[K], string])[]
}) {
  const id = useId()
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={useSetting(setting)}
        onChange={(event) => set(setting, event.target.value as Settings[K])}
      >
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

function SizeField({ setting, label }: { setting: KeysOf<number>; label: string }) {
  const id = useId()
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={8}
        max={32}
        step={1}
        key={useSetting(setting)}
        defaultValue={useSetting(setting)}
        onChange={(event) => {
          const value = event.target.valueAsNumber
          if (value >= 8 && value <= 32) set(setting, value)
        }}
      />
    </div>
  )
}

function WordField({
  setting,
  label,
  placeholder,
}: {
  setting: 'editorFontFamily' | 'terminalShell'
  label: string
  placeholder: string
}) {
  const id = useId()
  const value = useSetting(setting)
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        key={value}
        defaultValue={value}
        placeholder={placeholder}
        spellCheck={false}
        onBlur={(event) => event.target.value !== value && set(setting, event.target.value)}
      />
    </div>
  )
}

function Switch({ setting, label }: { setting: KeysOf<boolean>; label: string }) {
  return (
    <div className="setting-switch">
      <Toggle label={label} checked={useSetting(setting)} onCheckedChange={(next) => set(setting, next)} />
    </div>
  )
}
