import { Folder } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useStore } from 'zustand'
import { replaceByDelta, useTopic } from '../../../state/host/mirror'
import { answerTrust, trustDialog } from '../../../state/window/trust-answer'
import { useWindow } from '../../../state/window/window-mirror'
import { Button } from '../../../ui/controls/button'
import { Dialog } from '../../../ui/overlays/dialog'
import { plainName } from '../../../ui/wording/plain-name'

/** Every folder that the person trusts, to take that back, and those of this window that they don't. */
export function TrustDialog() {
  const open = useStore(trustDialog, (state) => state.open)
  const done = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => trustDialog.setState({ open: next })}
      title="Trusted folders"
      description="What belongs to a trusted folder, and to the folders in it, may run: conversations, hooks, MCP servers. Taking trust back stops nothing that already runs."
      width={600}
      // Enter trusts nothing.
      onOpenAutoFocus={(event) => {
        event.preventDefault()
        done.current?.focus()
      }}
      footer={
        <Button ref={done} onClick={() => trustDialog.setState({ open: false })}>
          Done
        </Button>
      }
    >
      <Folders />
    </Dialog>
  )
}

function Folders() {
  const state = useTopic('trustedFolders', {}, replaceByDelta)
  const untrusted = useWindow()?.untrusted ?? []
  const trusted = state.kind === 'here' ? state.data.folders.toReversed() : null
  return (
    <ul className="folders-list" aria-label="Folders">
      {untrusted.map(({ path }) => (
        <Row key={path} path={path} state="not trusted">
          <Button
            size="small"
            aria-label={`Trust ${plainName(path)}`}
            onClick={() => answerTrust(path, true)}
          >
            Trust
          </Button>
        </Row>
      ))}
      {trusted?.map((path) => (
        <Row key={path} path={path} state="trusted">
          <Button
            size="small"
            aria-label={`Stop trusting ${plainName(path)}`}
            onClick={() => answerTrust(path, false)}
          >
            Stop trusting
          </Button>
        </Row>
      ))}
      {trusted?.length === 0 && untrusted.length === 0 ? (
        <li className="folders-none row">You haven’t trusted any folders.</li>
      ) : null}
    </ul>
  )
}

function Row({ path, state, children }: { path: string; state: string; children: ReactNode }) {
  return (
    <li className="row">
      <Folder aria-hidden="true" />
      <span className="folders-name column">
        <span className="name">{plainName(path)}</span>
        <span className="aside">{state}</span>
      </span>
      {children}
    </li>
  )
}
