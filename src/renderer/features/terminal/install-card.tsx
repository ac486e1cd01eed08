import { Check, Copy, X } from 'lucide-react'
import { useState } from 'react'
import type { TerminalProfile } from '../../../shared/contract/terminals'
import { Button } from '../../ui/controls/button'
import { copyText } from '../../ui/controls/copy-button'
import { openTerminal, shown } from './terminal-state'

/** How to get a program that isn't installed. The app never installs anything itself. */
export function InstallCard({ profile }: { profile: TerminalProfile }) {
  const [copied, setCopied] = useState(false)
  const { install, title } = profile
  if (!install) return null
  return (
    <section className="terminal-card" aria-label={`Install ${title}`}>
      <h2>{title} isn’t installed</h2>
      <p>{install.sentence}</p>
      <div className="terminal-card-command row">
        <code>{install.command}</code>
        <Button
          size="small"
          icon={copied ? <Check /> : <Copy />}
          onClick={() => void copyText(install.command).then(setCopied)}
        >
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
