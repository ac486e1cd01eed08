import type { Text } from '@codemirror/state'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { decidedWords } from '../../../../shared/review/decided-words'
import {
  type ReviewComment,
  lineWords,
  longestComment,
  placeComments,
  shortQuote,
} from '../../../../shared/review/comments'
import { announce } from '../../../ui/browser/live-region'
import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { TimeText } from '../../../ui/labels/time-text'
import { countOf } from '../../../ui/wording/number-format'
import type { ReviewController, ReviewModel } from '../review-controller'
import type { ShownComments } from './comment-sync'
import './review-comments.css'

interface CommentsProps {
  controller: ReviewController
  model: ReviewModel
  /** Who is told. */
  agent: string
}

/** What the person says to the agent about lines of a change, above its text; and what they said the last time. */
export function ReviewComments({ controller, model, agent }: CommentsProps) {
  const { comments, earlier, begun } = useStore(controller.comments.store)
  const text = model.picture?.draft.b
  const placed = useMemo(() => (text ? placeComments(comments, text) : comments), [comments, text])
  useEffect(() => controller.editor?.markComments(placed), [controller, placed])
  if (placed.length === 0 && earlier === null) return null
  return (
    <section className="gl-comments" aria-label="Comments">
      {earlier === null ? null : <Earlier controller={controller} earlier={earlier} text={text} />}
      {placed.length === 0 ? null : (
        <>
          <p className="aside">
            {countOf(placed.length, 'comment')} for {agent}, told with your answer
          </p>
          <ul>
            {placed.map((comment) => (
              <Comment
                key={comment.id}
                controller={controller}
                comment={comment}
                isBegun={comment.id === begun}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Comment({
  controller,
  comment,
  isBegun,
}: {
  controller: ReviewController
  comment: ReviewComment
  isBegun: boolean
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const { id, lines, quote, text } = comment
  const sync = controller.comments
  const place = placeName(comment)
  useEffect(() => {
    if (!isBegun) return
    field.current?.focus()
    sync.endBegin()
  }, [isBegun, sync])
  const leave = () => {
    if (text.trim() === '') sync.remove(id)
    else announce('Comment saved.')
    controller.editor?.focus()
  }
  const hear = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const isDone = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (event.key !== 'Escape' && !isDone) return
    event.preventDefault()
    event.stopPropagation()
    leave()
  }
  return (
    <li aria-label={`Comment on ${place}`}>
      <div className="gl-comment-place row">
        <Place controller={controller} lines={lines} words={place} />
        <code className="name aside">{shortQuote(quote)}</code>
        <IconButton
          label={`Delete the comment on ${place}`}
          icon={<X />}
          onClick={() => {
            sync.remove(id)
            announce('Comment deleted.')
            controller.editor?.focus()
          }}
        />
      </div>
      <textarea
        ref={field}
        className="field"
        aria-label={`Comment on ${place}`}
        rows={Math.min(6, text.split('\n').length)}
        maxLength={longestComment}
        value={text}
        onChange={(event) => sync.write(id, event.target.value)}
        onKeyDown={hear}
      />
    </li>
  )
}

/** What is commented on, and the way to it. */
function Place({
  controller,
  lines,
  words,
}: Pick<CommentsProps, 'controller'> & Pick<ReviewComment, 'lines'> & { words: string }) {
  if (lines === null) return <span className="aside">{words}</span>
  return (
    <button
      type="button"
      className="gl-comment-go"
      title="Show these lines"
      onClick={() => controller.editor?.showLine(lines.from)}
    >
      {words}
    </button>
  )
}

/** What is commented on, within a sentence. */
function placeName({ lines, quote }: ReviewComment): string {
  if (lines === null) return quote === '' ? 'the file' : 'lines that are gone'
  return lines.to < lines.from ? `what is removed at line ${lines.from}` : lineWords(lines).toLowerCase()
}

/** What an earlier comment was about, and whether this proposal has that too. */
function earlierPlace(comment: ReviewComment): string {
  const { lines, quote } = comment
  if (lines === null) return quote === '' ? 'the file' : 'no longer there'
  if (lines.to < lines.from) return `what was removed at line ${lines.from}`
  return `${placeName(comment)}, still there`
}

function Earlier({
  controller,
  earlier: { comments, how, at },
  text,
}: Pick<CommentsProps, 'controller'> & {
  earlier: NonNullable<ShownComments['earlier']>
  /** Of this proposal. */
  text: Text | undefined
}) {
  const placed = useMemo(() => (text ? placeComments(comments, text) : comments), [comments, text])
  return (
    <div className="gl-comments-earlier" role="group" aria-label="What you said before">
      <p className="aside">
        You said before ({decidedWords[how].toLowerCase()} <TimeText at={at} />
        ):
      </p>
      <ul>
        {placed.map((comment) => (
          <li key={comment.id} className="aside">
            <div className="gl-comment-place row">
              <Place controller={controller} lines={comment.lines} words={earlierPlace(comment)} />
              <code className="name">{shortQuote(comment.quote)}</code>
            </div>
            {comment.text}
          </li>
        ))}
      </ul>
      <Button
        size="small"
        variant="quiet"
        onClick={() => {
          controller.comments.dismissEarlier()
          controller.editor?.focus()
        }}
      >
        Dismiss
      </Button>
    </div>
  )
}
