import { SquareArrowOutUpRight, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { FileChange } from '../../../../shared/conversation/tool-change'
import type { ToolCall } from '../../../../shared/conversation/transcript'
import { nameOfPath } from '../../../../shared/text/path-name'
import { CodeText } from '../../../code/code-block'
import { Button } from '../../../ui/controls/button'
import { Dialog } from '../../../ui/overlays/dialog'
import { announce } from '../../../ui/browser/live-region'
import { countOf } from '../../../ui/wording/number-format'
import type { ConversationActions } from '../conversation-state'
import { awaitDrawing } from '../message/drawing-turns'
import { LongText } from '../message/cut-text'
import { useSurroundings } from '../surroundings'

/** So many places of a change are drawn at first. */
const firstParts = 4
/** The whole file is drawn with its unchanged lines folded up to this length, in UTF-16 units. */
const longestWhole = 400_000

/** A change of a file, as the app draws differences, and what can be done about it. */
export function ChangeBody({ call, change }: { call: ToolCall; change: FileChange }) {
  const { actions } = useSurroundings()
  const line = change.parts[0]?.line ?? null
  return (
    <>
      {change.removed === null ? <NewText change={change} /> : <Differences change={change} />}
      <div className="tool-actions row">
        <Button
          size="small"
          variant="quiet"
          icon={<SquareArrowOutUpRight />}
          onClick={() => actions.openFile(change.path, line)}
        >
          Open file
        </Button>
        {actions.restore && call.state === 'done' && change.whole !== null ? (
          <Restore call={call} change={change} restore={actions.restore} />
        ) : null}
      </div>
    </>
  )
}

/** What was to be written, where it isn't known what stood there. */
function NewText({ change: { path, parts } }: { change: FileChange }) {
  return (
    <LongText
      text={parts.map(({ after }) => after).join('\n')}
      label="Text to write"
      draw={(shown) => <CodeText code={shown} hint={{ file: path }} />}
    />
  )
}

function Differences({ change }: { change: FileChange }) {
  const { drawDiff } = useSurroundings()
  const [isDue, setDue] = useState(false)
  const [shown, setShown] = useState(firstParts)
  useEffect(() => {
    const turn = awaitDrawing(() => setDue(true))
    return () => turn.dispose()
  }, [])
  const { whole, path, parts } = change
  const isWhole = whole !== null && whole.after.length + (whole.before?.length ?? 0) <= longestWhole
  const drawn = isWhole
    ? [{ line: null, before: whole.before ?? '', after: whole.after }]
    : parts.slice(0, shown)
  if (!isDue) return <div style={{ height: guessHeight(change) }} aria-hidden="true" />
  return (
    <>
      {drawn.map((part, index) => (
        <div key={index}>
          {!isWhole && part.line !== null && parts.length > 1 ? (
            <p className="diff-line aside">{`From line ${part.line}`}</p>
          ) : null}
          {drawDiff({ path, before: part.before, after: part.after, isWhole })}
        </div>
      ))}
      {change.isEverywhere && !isWhole ? <p className="aside">Everywhere in the file</p> : null}
      {!isWhole && parts.length > shown ? (
        <button type="button" className="text-button" onClick={() => setShown(shown + 20)}>
          {`Show ${countOf(parts.length - shown, 'more place')}`}
        </button>
      ) : null}
    </>
  )
}

/** How high the differences will stand, in pixels, so that little moves when they do. */
function guessHeight({ added, removed, parts }: FileChange): number {
  return Math.min(360, (added + (removed ?? 0) + 6 * Math.min(parts.length, firstParts)) * 19 + 12)
}

/** Puts the file back to what it was before the change, after a question; the answer stands beside it. */
function Restore({
  call,
  change,
  restore,
}: {
  call: ToolCall
  change: FileChange
  restore: NonNullable<ConversationActions['restore']>
}) {
  const [isAsking, setAsking] = useState(false)
  const [said, setSaid] = useState<{ text: string; isFault: boolean } | null>(null)
  const name = nameOfPath(change.path)
  const run = async () => {
    setAsking(false)
    const done = await restore({
      path: change.path,
      call: call.id,
      offset: call.result?.offset ?? -1,
    })
    const text = done.ok ? `${name} is back to how it was before this change.` : done.failure.message
    setSaid({ text, isFault: !done.ok })
    announce(text)
  }
  return (
    <>
      <Button size="small" variant="quiet" icon={<Undo2 />} onClick={() => setAsking(true)}>
        Put back
      </Button>
      {said ? <span className={said.isFault ? 'tool-fault' : 'aside'}>{said.text}</span> : null}
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={change.isNew ? `Remove ${name}?` : `Put ${name} back to how it was before this change?`}
        description="Only works if the file hasn’t changed since. Other files aren’t affected."
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button variant="primary" onClick={() => void run()}>
              Put back
            </Button>
          </>
        }
      />
    </>
  )
}
