import { useRef, useState } from 'react'
import type { SettingsSources, SettingsTarget } from '../../../shared/contract/settings'
import { type SettingName, declarations, settingGroups } from '../../../shared/settings/all-settings'
import type { Setting } from '../../../shared/settings/setting'
import { runCommand } from '../../commands/registry'
import { showApprovals } from '../../state/approvals/approvals-mirror'
import { attempt } from '../../state/host/calls'
import { client } from '../../state/host/client'
import { tell } from '../../state/window/notices-mirror'
import { inTurn } from '../../state/settings/changes-in-turn'
import { useSetting } from '../../state/settings/settings-mirror'
import { openSettingsFile } from '../../state/settings/open-settings-file'
import { resetSettings, settingIn, useSettingsSources } from '../../state/settings/settings-sources'
import { download } from '../../ui/browser/download'
import { Button } from '../../ui/controls/button'
import { Menu, MenuItem } from '../../ui/overlays/menu'
import { countOf } from '../../ui/wording/number-format'
import { plainName } from '../../ui/wording/plain-name'
import { differs } from './changed-settings'
import { type SettingEditor, SettingField } from './setting-field'
import './settings-view.css'

/** All settings as a form with search and groups; changes apply at once. */
export function SettingsView() {
  const sources = useSettingsSources()
  const [search, setSearch] = useState('')
  const [onlyChanged, setOnlyChanged] = useState(false)
  const [wished, setTarget] = useState<SettingsTarget>('person')
  const folder = sources?.folder ?? null
  const target = folder === null ? 'person' : wished
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const set = (target === 'folder' ? sources?.inFolder : sources?.person) ?? {}
  const groups = settingGroups.flatMap(({ title, settings }) => {
    const names = (Object.keys(settings) as SettingName[]).filter(
      (name) =>
        (target === 'person' || declarations[name].scope === 'folder') &&
        (!onlyChanged || differs(name, set, target)) &&
        isFound(name, title, words),
    )
    return names.length === 0 ? [] : [{ title, names }]
  })
  return (
    <section className="settings fills" aria-label="Settings">
      <div className="settings-head">
        <input
          type="search"
          className="field settings-search"
          data-entrance
          aria-label="Search settings"
          placeholder="Search settings"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Button aria-pressed={onlyChanged} onClick={() => setOnlyChanged(!onlyChanged)}>
          Only changed
        </Button>
        <Button onClick={() => void openSettingsFile()}>Open as JSON</Button>
        <MoreMenu />
      </div>
      {folder === null ? null : (
        <div className="settings-targets" role="group" aria-label="Settings for">
          <button
            type="button"
            className="one-line"
            aria-pressed={target === 'person'}
            onClick={() => setTarget('person')}
          >
            Everywhere
          </button>
          <button
            type="button"
            className="one-line"
            aria-pressed={target === 'folder'}
            onClick={() => setTarget('folder')}
          >
            Only in {plainName(folder.name)}
          </button>
        </div>
      )}
      <div className="settings-body scrolls">
        {sources?.problem == null ? null : (
          <p className="settings-problem" role="status">
            settings.json has errors; keeping the previous settings. {sources.problem}{' '}
            <Button size="small" onClick={() => void openSettingsFile()}>
              Fix it
            </Button>
          </p>
        )}
        {groups.length === 0 ? (
          <p className="settings-empty">
            {onlyChanged ? 'Nothing changed.' : 'No matching settings'}{' '}
            <Button
              size="small"
              onClick={() => {
                setSearch('')
                setOnlyChanged(false)
              }}
            >
              Show all
            </Button>
          </p>
        ) : null}
        {groups.map(({ title, names }) => (
          <section key={title} className="settings-group" aria-label={title}>
            <h3 className="aside">{title}</h3>
            {names.map((name) => (
              <SettingRow key={name} name={name} sources={sources} target={target} />
            ))}
          </section>
        ))}
      </div>
    </section>
  )
}

function isFound(name: SettingName, group: string, words: readonly string[]): boolean {
  const declared: Setting = declarations[name]
  const options = declared.kind === 'choice' ? declared.options.map(([, said]) => said) : []
  const text = [name, declared.title, declared.sentence, group, ...options].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** What edits settings that have neither a field in the form nor to be written as JSON. */
const editors: Partial<Record<SettingName, SettingEditor>> = {
  keys: { label: 'Open keyboard shortcuts', open: () => void runCommand('view.keys') },
  reviewPathRules: { label: 'Open rules for files', open: () => showApprovals('rules') },
}

function SettingRow({
  name,
  sources,
  target,
}: {
  name: SettingName
  sources: SettingsSources | null
  target: SettingsTarget
}) {
  const declared: Setting = declarations[name]
  const inFolder = sources !== null && name in sources.inFolder
  const set = target === 'folder' ? sources?.inFolder : sources?.person
  const isChanged = differs(name, set ?? {}, target)
  const effective = useSetting(name)
  const value = settingIn(sources, target, name, effective)
  return (
    <div className="setting column" data-changed={isChanged}>
      <SettingField
        // What is typed for one place is nothing of the other's.
        key={target}
        name={name}
        declared={declared}
        value={value}
        target={target}
        editor={
          editors[name] ?? {
            label: `Change ${declared.title.toLowerCase()} as JSON`,
            open: () => void openSettingsFile(),
          }
        }
      />
      <p className="setting-state row">
        {target === 'person' && inFolder && sources?.folder ? (
          <span className="setting-mark">{plainName(sources.folder.name)} has its own value</span>
        ) : null}
        {isChanged ? (
          <>
            <span className="setting-mark">{target === 'folder' ? 'Only here' : 'Changed'}</span>
            <Button
              size="small"
              variant="quiet"
              aria-label={`Reset ${declared.title}`}
              onClick={() => resetSettings(target, [name])}
            >
              Reset
            </Button>
          </>
        ) : null}
      </p>
    </div>
  )
}

function MoreMenu() {
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu trigger={<Button>Import and export</Button>}>
        <MenuItem onSelect={() => file.current?.click()}>Import settings …</MenuItem>
        <MenuItem onSelect={() => void exportSettings()}>Export settings …</MenuItem>
      </Menu>
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Settings file"
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen) void importSettings(chosen)
        }}
      />
    </>
  )
}

async function importSettings(file: File): Promise<void> {
  if (file.size > 1_000_000)
    return tell('error', `${plainName(file.name)} is too large for settings. Choose another file.`)
  const text = await file.text()
  const result = await inTurn(() => attempt('settings.import', { text }))
  if (!result.ok) return tell('error', `${plainName(file.name)}: ${result.failure.message}`)
  const { changed, unknown } = result.value
  const left = unknown.length > 0 ? ` ${countOf(unknown.length, 'name')} in it aren’t known settings.` : ''
  tell('info', `${countOf(changed, 'setting')} imported from ${plainName(file.name)}.${left}`)
}

async function exportSettings(): Promise<void> {
  const exported = await client.call('settings.export', {}).catch(() => null)
  if (exported === null)
    return tell('error', 'The settings couldn’t be exported. Try again in a few seconds.')
  download('greenlight-settings.json', [exported.text], 'application/json')
}
