import { Check, CircleDashed, Copy, RefreshCw } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { NeededProgram } from '../../../shared/contract/first-run'
import { client } from '../../state/host/client'
import { Button } from '../../ui/controls/button'
import { copyText } from '../../ui/controls/copy-button'
import { shorten } from '../../ui/wording/home-path'
import { IconButton } from '../../ui/controls/icon-button'
import { plainName } from '../../ui/wording/plain-name'
import { Skeleton } from '../../ui/layout/skeleton'

type Looking = { kind: 'checking' } | { kind: 'found'; programs: NeededProgram[] } | { kind: 'failed' }

/** Which programs are installed, in which version, and the command that installs a missing one. */
export function InstalledPrograms({ home }: { home: string }) {
  const [state, setState] = useState<Looking>({ kind: 'checking' })
  const look = useCallback(() => {
    setState({ kind: 'checking' })
    client.call('machine.programs', {}).then(
      ({ programs }) => setState({ kind: 'found', programs }),
      () => setState({ kind: 'failed' }),
    )
  }, [])
  useEffect(look, [look])
  return (
    <section aria-label="Installed programs">
      <div className="welcome-title">
        <h2 className="aside">On this computer</h2>
        <IconButton
          label="Check again"
          icon={<RefreshCw />}
          disabled={state.kind === 'checking'}
          onClick={look}
        />
      </div>
      {state.kind === 'checking' ? <Skeleton lines={7} /> : null}
      {state.kind === 'failed' ? <p>Couldn’t look for programs. Try again in a moment.</p> : null}
      {state.kind === 'found' ? (
        <>
          <ProgramGroup kind="agent" programs={state.programs} home={home} />
          <ProgramGroup kind="tool" programs={state.programs} home={home} />
        </>
      ) : null}
    </section>
  )
}

const groupTitles = { agent: 'Coding agents (you need one)', tool: 'Tools' }

function ProgramGroup({
  kind,
  programs,
  home,
}: {
  kind: NeededProgram['kind']
  programs: readonly NeededProgram[]
  home: string
}) {
  return (
    <div className="programs">
      <h3 className="aside">{groupTitles[kind]}</h3>
      <ul aria-label={groupTitles[kind]}>
        {programs
          .filter((program) => program.kind === kind)
          .map((program) => (
            <ProgramRow key={program.id} program={program} home={home} />
          ))}
      </ul>
    </div>
  )
}

function ProgramRow({ program, home }: { program: NeededProgram; home: string }) {
  const { kind, title, sentence, path, version, install } = program
  return (
    <li className="program" aria-label={title} data-found={path !== null}>
      {path === null ? <CircleDashed aria-hidden="true" /> : <Check aria-hidden="true" />}
      <span className="program-name">
        <strong>{title}</strong>{' '}
        <span className="program-version">{path === null ? 'missing' : (version ?? 'found')}</span>
      </span>
      {path === null ? (
        <>
          <CopyCommand title={title} command={install} />
          {/* The group's heading says what agents are for. */}
          {kind === 'tool' ? <span className="program-why aside">{sentence}</span> : null}
        </>
      ) : (
        <span className="program-words aside name" title={path}>
          {plainName(shorten(path, home))}
        </span>
      )}
    </li>
  )
}

function CopyCommand({ title, command }: { title: string; command: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <span className="program-get row">
      <code>{command}</code>
      <Button
        size="small"
        icon={copied ? <Check /> : <Copy />}
        aria-label={`Copy the command that gets ${title}`}
        onClick={() => void copyText(command).then(setCopied)}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </span>
  )
}
