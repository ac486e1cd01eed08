import { RotateCcw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { Terminal } from '../../../shared/contract/terminals'
import { ask, send } from '../../state/host/calls'
import { useSetting } from '../../state/settings/settings-mirror'
import { Button } from '../../ui/controls/button'
import { announce } from '../../ui/browser/live-region'
import { FindBar } from './terminal-find-bar'
import { finding, focusNext, screenReader, shown } from './terminal-state'
import { viewOf } from './terminal-views'
import type { HostClient } from '../../state/host/client'

/** One terminal with its find bar, and how its program ended. */
export function TerminalBody({ client, terminal }: { client: HostClient; terminal: Terminal }) {
  const { id, title, state, bell, note } = terminal
  const place = useRef<HTMLDivElement>(null)
  const fontSize = useSetting('terminalFontSize')
  const forScreenReader = screenReader.use()
  const isFinding = useStore(finding, (value) => value.terminal === id)
  const isWanted = useStore(focusNext, (value) => value.terminal === id)

  useEffect(() => {
    if (!place.current) return
    const view = viewOf(client, id)
    const showing = view.show(place.current)
    return () => showing.dispose()
  }, [client, id])
  // The host's list may show a new terminal before the call that made it is answered; the wish then comes later.
  useEffect(() => {
    if (!isWanted) return
    focusNext.setState({ terminal: null })
    viewOf(client, id).focus()
  }, [client, id, isWanted])
  useEffect(() => viewOf(client, id).setFontSize(fontSize), [client, id, fontSize])
  useEffect(() => viewOf(client, id).setScreenReader(forScreenReader), [client, id, forScreenReader])
  // Seen means in sight, in a window that has the focus.
  useEffect(() => {
    const element = place.current
    if (!bell || !element) return
    let inSight = false
    const look = () => {
      if (inSight && document.visibilityState === 'visible' && document.hasFocus())
        send('terminals.seen', { id })
    }
    const observer = new IntersectionObserver((entries) => {
      inSight = entries.at(-1)?.isIntersecting ?? false
      look()
    })
    observer.observe(element)
    window.addEventListener('focus', look)
    return () => {
      observer.disconnect()
      window.removeEventListener('focus', look)
    }
  }, [id, bell, note])

  const wasRunning = useRef(state.kind === 'running')
  useEffect(() => {
    if (state.kind !== 'running' && wasRunning.current) announce(`${title} has ended`)
    wasRunning.current = state.kind === 'running'
  }, [state, title])

  return (
    <section
      className="terminal-body fills"
      aria-label={`Terminal: ${title}`}
      data-scope="terminal"
      onFocus={() => {
        if (shown.getState().active !== id) shown.setState({ active: id })
      }}
    >
      {isFinding ? (
        <FindBar view={viewOf(client, id)} onClose={() => finding.setState({ terminal: null })} />
      ) : null}
      <div ref={place} className="terminal-place" />
      {state.kind === 'running' ? null : (
        <div className="terminal-end row">
          <span>{endOf(state)}</span>
          <Button
            size="small"
            icon={<RotateCcw />}
            onClick={() => {
              void ask('terminals.restart', { id })
              viewOf(client, id).focus()
            }}
          >
            Restart
          </Button>
        </div>
      )}
    </section>
  )
}

function endOf(state: Exclude<Terminal['state'], { kind: 'running' }>): string {
  switch (state.kind) {
    case 'failed':
      return state.message
    case 'exited':
      return state.signal === null ? `Exited with code ${state.code}` : `Ended by signal ${state.signal}`
  }
}
