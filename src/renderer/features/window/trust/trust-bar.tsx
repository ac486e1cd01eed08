import { ShieldQuestionMark } from 'lucide-react'
import { useEffect } from 'react'
import type { WindowState } from '../../../../shared/contract/window'
import { tell } from '../../../state/window/notices-mirror'
import { answerTrust } from '../../../state/window/trust-answer'
import { useWindow } from '../../../state/window/window-mirror'
import { announce } from '../../../ui/browser/live-region'
import { shorten } from '../../../ui/wording/home-path'
import { plainName } from '../../../ui/wording/plain-name'
import { AskingBar } from '../asking-bar'

type Untrusted = WindowState['untrusted'][number]

/** Asks about the first folder that the person has said nothing about. */
export function TrustBar() {
  const facts = useWindow()
  const folder = facts?.untrusted.find(({ isDeclined }) => !isDeclined)
  return folder ? <Question key={folder.path} folder={folder} home={facts?.homeDirectory ?? ''} /> : null
}

function Question({ folder, home }: { folder: Untrusted; home: string }) {
  const name = plainName(folder.name)
  useEffect(() => announce(`${name} isn’t trusted yet. A bar at the top asks about it.`), [name])

  const answer = (mayRun: boolean) => {
    answerTrust(folder.path, mayRun)
    if (mayRun) return announce(`${name} is trusted.`)
    tell(
      'info',
      `Conversations, hooks and MCP servers stay off in ${name}. To change that, use “not trusted” in the status bar.`,
    )
  }
  return (
    <AskingBar
      label="Trust"
      icon={<ShieldQuestionMark aria-hidden="true" />}
      words={
        <>
          Do you trust what is in <strong className="name">{plainName(shorten(folder.path, home))}</strong>?
          Until you do, you can’t start conversations in it, and its hooks and MCP servers don’t run.
        </>
      }
      agree="Trust this folder"
      decline="Not now"
      onAnswer={answer}
    />
  )
}
