import { Plus, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import type { ContextState } from '../../../shared/contract/context'
import { changeInForce, useSetting } from '../../state/settings/settings-mirror'
import { Button } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { shorten } from '../../ui/wording/home-path'
import { plainName } from '../../ui/wording/plain-name'
import { Toggle } from '../../ui/controls/toggle'
import { ContextSection } from './context-section'

/** Bounds set by the contract. */
const longest = 500
const most = 200

/** The rules for files that are never shared: the person's patterns, git's, and those of Claude Code's settings. */
export function NeverShared({ denyRules, home }: { denyRules: ContextState['denyRules']; home: string }) {
  const patterns = useSetting('contextNeverShared')
  const ignored = useSetting('contextIgnoredByGit')
  return (
    <ContextSection title="Never shared">
      {patterns.length === 0 ? <p className="context-fact aside">No patterns.</p> : null}
      <ul className="context-rules column" aria-label="Never shared patterns">
        {patterns.map((pattern) => (
          <li key={pattern} className="row">
            <code className="mono">
              <bdi>{plainName(pattern)}</bdi>
            </code>
            <IconButton
              label={`Remove ${plainName(pattern)}`}
              icon={<X />}
              tooltipSide="left"
              onClick={() =>
                changeInForce('contextNeverShared', (now) => now.filter((other) => other !== pattern))
              }
            />
          </li>
        ))}
      </ul>
      <PatternForm
        patterns={patterns}
        onAdd={(pattern) =>
          changeInForce('contextNeverShared', (now) => (now.includes(pattern) ? now : [...now, pattern]))
        }
      />
      <Toggle
        label="Also hide files ignored by git"
        checked={ignored}
        onCheckedChange={(next) => changeInForce('contextIgnoredByGit', () => next)}
      />
      {denyRules.length === 0 ? null : (
        <>
          <h4 className="aside">From Claude Code’s settings</h4>
          <ul className="context-rules column" aria-label="Rules of Claude Code’s settings">
            {denyRules.map(({ rule, file }) => (
              <li key={`${file} ${rule}`} className="row" title={plainName(file)}>
                <code className="mono">
                  <bdi>{plainName(rule)}</bdi>
                </code>
                <span className="context-fact aside">{plainName(shorten(file, home))}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </ContextSection>
  )
}

function PatternForm({ patterns, onAdd }: { patterns: readonly string[]; onAdd: (pattern: string) => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const pattern = text.trim()
  const isKnown = patterns.includes(pattern)
  const canAdd = pattern !== '' && !isKnown && patterns.length < most
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!canAdd) return
    onAdd(pattern)
    setText('')
  }
  return (
    <form className="context-form" onSubmit={submit}>
      <label className="unseen" htmlFor={id}>
        Add a pattern
      </label>
      <input
        id={id}
        className="field"
        value={text}
        maxLength={longest}
        placeholder="secrets/ or *.p12"
        aria-describedby={`${id}-words`}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" icon={<Plus />} disabled={!canAdd}>
        Add
      </Button>
      <p id={`${id}-words`} className="context-fact aside">
        {isKnown
          ? 'This pattern is already here.'
          : 'Same syntax as .gitignore. ~/x and //x are absolute paths.'}
      </p>
    </form>
  )
}
