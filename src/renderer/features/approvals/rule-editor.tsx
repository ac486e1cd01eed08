import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { ApprovalRule, RuleKind, RuleWords } from '../../../shared/approval/approval'
import type { Result } from '../../../shared/result'
import { useConnections } from '../../state/agents/connections-mirror'
import { useWindow } from '../../state/window/window-mirror'
import { Button } from '../../ui/controls/button'
import { Select } from '../../ui/controls/select'
import { revealed } from '../../ui/labels/revealed-text'
import '../../ui/form/field-form.css'

const kinds: Record<RuleKind, string> = {
  run: 'Run a command',
  fetch: 'Fetch an address',
  other: 'Use a tool',
}
const hints: Record<RuleKind, string> = {
  run: 'The whole command. * stands for anything except what joins commands, such as ; | & or a new line; \\* for a star.',
  fetch:
    'The whole address, such as https://example.com/docs/*. * stands for anything that stays on the host and in the folder; \\* for a star.',
  other: 'All of what the tool is for. * stands for anything except ; | & or a new line; \\* for a star.',
}

/** Says what a rule is for; a new one where there is none yet. The session of one that has one stays. */
export function RuleEditor({
  rule,
  save,
  onEnd,
}: {
  rule: ApprovalRule | null
  save: (words: RuleWords) => Promise<Result<unknown>>
  onEnd: () => void
}) {
  const folders = useWindow()?.folders.map(({ path }) => path) ?? []
  const agents = useConnections()?.connections.map(({ agent }) => agent) ?? []
  const [words, setWords] = useState<RuleWords>(() => {
    if (rule === null) {
      const folder = folders[0] ?? null
      return { answer: 'allow', kind: 'run', agent: null, tool: null, pattern: '', folder }
    }
    const { answer, kind, agent, tool, pattern, folder } = rule
    return { answer, kind, agent, tool, pattern, folder }
  })
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()
  const first = useRef<HTMLTextAreaElement>(null)
  useEffect(() => first.current?.focus(), [])
  const change = (some: Partial<RuleWords>) => {
    setProblem(null)
    setWords({ ...words, ...some })
  }
  const submit = async () => {
    const saved = await save(words)
    if (saved.ok) onEnd()
    else setProblem(saved.failure.message)
  }
  const choices = (any: string, known: readonly (string | null | undefined)[]) => [
    <option key="" value="">
      {any}
    </option>,
    ...[...new Set(known)].map((one) =>
      one ? (
        <option key={one} value={one}>
          {revealed(one)}
        </option>
      ) : null,
    ),
  ]
  return (
    <form
      className="field-form column rule-editor"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div className="field-row column">
        <label htmlFor={id}>Pattern</label>
        <textarea
          ref={first}
          id={id}
          className="field mono"
          rows={2}
          spellCheck={false}
          value={words.pattern}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-hint`}
          onChange={(event) => change({ pattern: event.target.value })}
        />
        <span id={`${id}-hint`} className="field-words column aside">
          {hints[words.kind]}
        </span>
      </div>
      <div className="rule-facts">
        <Labelled label="Answer">
          <Select
            value={words.answer}
            onChange={({ target }) => change({ answer: target.value === 'deny' ? 'deny' : 'allow' })}
          >
            <option value="allow">Allow</option>
            <option value="deny">Deny</option>
          </Select>
        </Labelled>
        <Labelled label="What">
          <Select value={words.kind} onChange={({ target }) => change({ kind: target.value as RuleKind })}>
            {Object.entries(kinds).map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </Select>
        </Labelled>
        <Labelled label="Agent">
          <Select
            value={words.agent ?? ''}
            onChange={({ target }) => change({ agent: target.value || null })}
          >
            {choices('Every agent', [rule?.agent, ...agents])}
          </Select>
        </Labelled>
        <Labelled label="Tool">
          <input
            className="field"
            placeholder="Any"
            value={words.tool ?? ''}
            maxLength={500}
            onChange={({ target }) => change({ tool: target.value || null })}
          />
        </Labelled>
        <Labelled label="Folder">
          <Select
            value={words.folder ?? ''}
            onChange={({ target }) => change({ folder: target.value || null })}
          >
            {choices('Everywhere', [rule?.folder, ...folders])}
          </Select>
        </Labelled>
      </div>
      {problem === null ? null : (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="approval-buttons row">
        <Button size="small" type="submit" disabled={words.pattern.trim() === ''}>
          Save rule
        </Button>
        <Button size="small" variant="quiet" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label className="field-row column">
      {label}
      {children}
    </label>
  )
}
