import { Check, Copy, X } from 'lucide-react'
import { useState } from 'react'
import type { TerminalProfile } from '../../../shared/contract/terminals'
import { Button } from '../../ui/controls/button'
import { announce } from '../../ui/browser/live-region'
import { openTerminal, shown } from './terminal-state'

/** What a person does about a program that is not installed. The app never installs anything by itself. */
export function InstallCard({ profile }: { profile: TerminalProfile }) {
  const [copied, setCopied] = useState(false)
  const { install, title } = profile
  if (!install) return null
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(install.command)
      setCopied(true)
      announce('Copied')
    } catch {
      announce('The command couldn’t be copied. Select it and copy it yourself.')
    }
  }
  return (
    <section className="terminal-card" aria-label={`Install ${title}`}>
      <h2>{title} isn’t installed</h2>
      <p>{install.sentence}</p>
      <div className="terminal-card-command">
        <code>{install.command}</code>
        <Button size="small" icon={copied ? <Check /> : <Copy />} onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <div className="terminal-card-actions">
        <Button size="small" onClick={() => void openTerminal(profile.id)}>
          Check again
        </Button>
        <Button size="small" variant="quiet" icon={<X />} onClick={() => shown.setState({ missing: null })}>
          Close
        </Button>
      </div>
    </section>
  )
}
