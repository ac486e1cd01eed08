import { GitBranch } from 'lucide-react'
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { describe } from '../../ui/labels/description'
import type { SessionState, SessionSummary } from '../../../shared/contract/sessions'
import { fixedKey, isFixedKey } from '../../commands/fixed-keys'
import { ask } from '../../state/host/calls'
import { tell } from '../../state/window/notices-mirror'
import { countSession, resumeAsConversation, resumeSession } from '../../state/sessions/sessions-mirror'
import { Button } from '../../ui/controls/button'
import { ContextGap, ContextItem, ContextMenu } from '../../ui/overlays/context-menu'
import { Dialog } from '../../ui/overlays/dialog'
import { announce } from '../../ui/browser/live-region'
import { isMac } from '../../ui/browser/platform'
import { plainName } from '../../ui/wording/plain-name'
import { TimeText } from '../../ui/labels/time-text'
import { figureWords } from './session-figures'

const stateWords: Record<SessionState, string> = {
  working: 'Working',
  asking: 'Asks',
  idle: 'Waits for you',
  running: 'Running',
  none: '',
}

/** A session of the list, with its context menu. */
export function SessionItem({
  session,
  isCurrent,
  onOpen,
}: {
  session: SessionSummary
  isCurrent: boolean
  onOpen: () => void
}) {
  const [isNaming, setNaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { id, state, branch, lastAt, bytes, isHidden } = session
  const row = useRef<HTMLLIElement>(null)
  // It is counted when it is in sight, and again when it has changed.
  useEffect(() => {
    void [bytes, lastAt]
    const watching = new IntersectionObserver((sights) => {
      if (sights.some(({ isIntersecting }) => isIntersecting)) countSession(id)
    })
    if (row.current) watching.observe(row.current)
    return () => watching.disconnect()
  }, [id, bytes, lastAt])
  // Before it leaves the page with the focus.
  useLayoutEffect(() => {
    const own = row.current
    return () => {
      if (own?.querySelector('.session-open:focus')) focusBeside(own)
    }
  }, [])
  const endNaming = (byKeys: boolean) => {
    if (!byKeys) return setNaming(false)
    flushSync(() => setNaming(false))
    row.current?.querySelector<HTMLElement>('.session-open')?.focus()
  }
  const title = plainName(session.title)
  const figures = figureWords(session)
  const words = [stateWords[state], isHidden ? 'Hidden' : ''].filter(Boolean).join(', ')
  const figureLine =
    figures.length === 0 ? null : <span className="session-figures number">{figures.join(' · ')}</span>
  // Figures get their own line only where something else stands beside the time.
  const hasThirdLine = figureLine !== null && (words !== '' || branch !== null)
  const description = describe(useId(), [words, branch, ...figures])
  return (
    <li className="session" aria-label={title} ref={row}>
      {description.words}
      {isNaming ? (
        <NameField session={session} isHigh={hasThirdLine} onDone={endNaming} />
      ) : (
        <ContextMenu
          trigger={
            <button
              type="button"
              className="session-open"
              aria-label={title}
              {...description.of}
              aria-current={isCurrent ? 'true' : undefined}
              title={session.firstPrompt ?? session.title}
              onClick={onOpen}
              onKeyDown={(event) => {
                if (isFixedKey(event, 'sessions.renameKey', isMac)) setNaming(true)
                if (isFixedKey(event, 'sessions.deleteKey', isMac)) setDeleting(true)
              }}
            >
              <span className="session-line row">
                <span className={`session-dot session-${state}`} aria-hidden="true" />
                <span className={`name session-title ${isHidden ? 'session-hidden' : ''}`} dir="auto">
                  {title}
                </span>
              </span>
              <span className="session-line row session-more aside">
                {hasThirdLine ? null : figureLine}
                {words === '' ? null : <span className="session-state">{words}</span>}
                {branch === null ? null : (
                  <span className="session-branch row">
                    <GitBranch aria-hidden="true" />
                    <span className="name">{plainName(branch)}</span>
                  </span>
                )}
                <span className="session-gap" />
                {lastAt === null ? null : <TimeText at={lastAt} />}
              </span>
              {hasThirdLine ? (
                <span className="session-line row session-more aside">{figureLine}</span>
              ) : null}
            </button>
          }
        >
          <ContextItem onSelect={onOpen}>Open</ContextItem>
          <ContextItem onSelect={() => void resumeAsConversation(id)}>
            {conversationWords(session)}
          </ContextItem>
          <ContextItem onSelect={() => void resumeSession(id)}>{terminalWords(session)}</ContextItem>
          <ContextGap />
          <ContextItem keys={fixedKey('sessions.renameKey', isMac)} onSelect={() => setNaming(true)}>
            Rename
          </ContextItem>
          <ContextItem onSelect={() => void ask('sessions.hide', { id, hidden: !isHidden })}>
            {isHidden ? 'Show in list again' : 'Hide'}
          </ContextItem>
          <ContextItem
            onSelect={() => {
              void navigator.clipboard.writeText(id).then(() => announce('Session id copied.'))
            }}
          >
            Copy session id
          </ContextItem>
          <ContextGap />
          <ContextItem keys={fixedKey('sessions.deleteKey', isMac)} onSelect={() => setDeleting(true)}>
            Delete …
          </ContextItem>
        </ContextMenu>
      )}
      {isDeleting ? <DeleteDialog session={session} onDone={() => setDeleting(false)} /> : null}
    </li>
  )
}

/** Focuses the session after or before a row, or where the list is filtered if there is none. */
function focusBeside(row: HTMLElement): void {
  const panel = row.closest('.sessions')
  const rows = [...(panel?.querySelectorAll('.session') ?? [])]
  const at = rows.indexOf(row)
  const beside = (rows[at + 1] ?? rows[at - 1])?.querySelector<HTMLElement>('.session-open')
  const next = beside ?? panel?.querySelector<HTMLElement>('.sessions-filter')
  next?.focus()
}

/** What resuming does in either place: a session that runs elsewhere goes on there, and here as a copy. */
function conversationWords({ state, isDriven }: SessionSummary): string {
  if (isDriven) return 'Show its conversation'
  return state === 'none' ? 'Resume as a conversation' : 'Resume a copy as a conversation'
}

function terminalWords({ state, terminal }: SessionSummary): string {
  if (terminal !== null) return 'Show its terminal'
  return state === 'none' ? 'Resume in a terminal' : 'Resume a copy in a terminal'
}

/** `isHigh`: as high as three lines. */
function NameField({
  session,
  isHigh,
  onDone,
}: {
  session: SessionSummary
  isHigh: boolean
  onDone: (byKeys: boolean) => void
}) {
  const [name, setName] = useState(session.title)
  const field = useRef<HTMLInputElement>(null)
  // So that another name can be typed at once.
  useEffect(() => field.current?.select(), [])
  const typed = useRef(name)
  const given = useRef(name)
  const rename = useEffectEvent(() => {
    const wanted = typed.current.trim()
    if (wanted === given.current.trim()) return
    given.current = wanted
    void ask('sessions.rename', { id: session.id, title: wanted })
  })
  // A change of the list may move the session: what was typed is then taken, as when the field is left.
  useEffect(() => () => rename(), [])
  const hear = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    // The row gets the focus at once, and must not be pressed by the same key.
    event.preventDefault()
    if (event.key === 'Escape') typed.current = given.current
    onDone(true)
  }
  return (
    <input
      className={`field session-name ${isHigh ? 'session-name-high' : ''}`}
      aria-label={`New name of ${plainName(session.title)}`}
      placeholder="Leave empty for the original name"
      ref={field}
      value={name}
      maxLength={500}
      onChange={(event) => setName((typed.current = event.target.value))}
      onKeyDown={hear}
      onBlur={() => onDone(false)}
    />
  )
}

/** Asks twice: deleting a session can't be undone here, and the system's trash may be emptied. */
function DeleteDialog({ session, onDone }: { session: SessionSummary; onDone: () => void }) {
  const [isSure, setSure] = useState(false)
  const title = plainName(session.title)
  const remove = async () => {
    if (!isSure) {
      setSure(true)
      announce('Press Delete again to move it to the trash.')
      return
    }
    onDone()
    if (await ask('sessions.trash', { id: session.id })) tell('info', `“${title}” was moved to the trash.`)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onDone()}
      title={`Delete “${title}”?`}
      description="The session moves to the trash. You can then neither read nor resume it."
      footer={
        <>
          <Button onClick={onDone}>Keep it</Button>
          <Button variant="danger" onClick={() => void remove()}>
            {isSure ? 'Press again to delete' : 'Delete'}
          </Button>
        </>
      }
    />
  )
}
