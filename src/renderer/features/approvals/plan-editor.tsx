import { MessageSquarePlus, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { type PlanComment, placeOf } from '../../../shared/approval/plan-comments'
import { openAddress } from '../../state/window/window-actions'
import { Markdown } from '../../markdown/markdown'
import { type MarkdownPart, partsOf } from '../../markdown/markdown-tokens'
import { Button } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { RevealedText, revealed } from '../../ui/labels/revealed-text'
import { rowByKey } from '../../ui/layout/list-keys'
import { WebLinkDialog } from '../../ui/overlays/web-link-dialog'
import './plan-editor.css'

interface PlanProps {
  /** As the agent wrote it. */
  plan: string
  /** As the person has made it so far. */
  text: string
  comments: readonly PlanComment[]
  problem: string | undefined
  /** Nobody asks any more: it is only read. */
  isOver: boolean
  onText: (text: string) => void
  onComments: (comments: readonly PlanComment[]) => void
}

/** How many rows of the plan Page Up and Page Down go. */
const page = 10

/** A plan as it reads, with comments on its parts; or as it is written, to change it. */
export function PlanEditor({ plan, text, comments, problem, isOver, onText, onComments }: PlanProps) {
  const [isEdited, setEdited] = useState(false)
  const id = useId()
  const isChanged = text !== plan
  const shown = isOver ? false : isEdited
  return (
    <section className="plan-editor" aria-label="Plan">
      {isOver ? null : (
        <div className="plan-head">
          <Button size="small" onClick={() => setEdited(!isEdited)}>
            {isEdited ? 'Show as it reads' : 'Edit plan'}
          </Button>
          {isChanged ? (
            <>
              <span className="aside">You changed this plan.</span>
              <Button size="small" variant="quiet" onClick={() => onText(plan)}>
                Undo my changes
              </Button>
            </>
          ) : null}
        </div>
      )}
      {shown ? (
        <textarea
          className="field plan-source mono"
          aria-label="Plan as Markdown"
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== undefined}
          spellCheck={false}
          rows={Math.min(40, Math.max(8, text.split('\n').length + 1))}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      ) : (
        <PlanParts text={text} comments={comments} isOver={isOver} onComments={onComments} />
      )}
      <span id={`${id}-problem`} className="field-problem">
        {problem}
      </span>
    </section>
  )
}

interface PartsProps {
  text: string
  comments: readonly PlanComment[]
  isOver: boolean
  onComments: (comments: readonly PlanComment[]) => void
}

function PlanParts({ text, comments, isOver, onComments }: PartsProps) {
  const { parts, definitions } = useMemo(() => partsOf(revealed(text)), [text])
  const places = useMemo(() => placed(parts, comments), [parts, comments])
  const [web, setWeb] = useState<string | null>(null)
  const [current, setCurrent] = useState(0)
  const [added, setAdded] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const tabbable = Math.min(current, parts.length - 1)
  const onLink = useMemo(
    () => (href: string) => {
      if (/^https?:\/\//i.test(href)) setWeb(href)
    },
    [],
  )

  const add = ({ text: quote, from, to }: MarkdownPart) => {
    const comment = { id: crypto.randomUUID(), from, to, quote: quote.trim(), text: '' }
    setAdded(comment.id)
    onComments([...comments, comment])
  }
  const change = (id: string, words: string) =>
    onComments(comments.map((one) => (one.id === id ? { ...one, text: words } : one)))
  const remove = (id: string, part: number) => {
    onComments(comments.filter((one) => one.id !== id))
    buttonAt(list.current, part)?.focus()
  }
  const move = (event: KeyboardEvent<HTMLElement>, at: number) => {
    const next = rowByKey(event.key, at, parts.length - 1, page)
    if (next === null) return
    event.preventDefault()
    setCurrent(next)
    buttonAt(list.current, next)?.focus()
  }
  const commentsOf = (part: number) =>
    places
      .filter((one) => one.part === part)
      .map(({ comment }) => (
        <Comment
          key={comment.id}
          comment={comment}
          isNew={comment.id === added}
          isLost={part < 0}
          isOver={isOver}
          onChange={(words) => change(comment.id, words)}
          onRemove={() => remove(comment.id, Math.max(0, part))}
        />
      ))
  return (
    <div className="plan-parts" ref={list}>
      {parts.map((part, index) => (
        <div key={index} className="plan-part">
          <div className="plan-part-text">
            <Markdown text={`${part.text}\n\n${definitions}`} onLink={onLink} />
          </div>
          {isOver ? null : (
            <IconButton
              className="plan-comment-button"
              label={`Comment on ${placeOf(part).toLowerCase()}`}
              icon={<MessageSquarePlus />}
              size="small"
              tooltipSide="left"
              tabIndex={index === tabbable ? 0 : -1}
              onFocus={() => setCurrent(index)}
              onKeyDown={(event) => move(event, index)}
              onClick={() => add(part)}
            />
          )}
          {commentsOf(index)}
        </div>
      ))}
      {commentsOf(-1)}
      <WebLinkDialog url={web} onOpen={openAddress} onClose={() => setWeb(null)} />
    </div>
  )
}

interface CommentProps {
  comment: PlanComment
  isNew: boolean
  /** The lines it is about are no longer there. */
  isLost: boolean
  isOver: boolean
  onChange: (words: string) => void
  onRemove: () => void
}

function Comment({ comment, isNew, isLost, isOver, onChange, onRemove }: CommentProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isNew) field.current?.focus()
  }, [isNew])
  const place = placeOf(comment).toLowerCase()
  return (
    <div className="plan-comment">
      {isLost ? (
        <p className="aside">
          You changed what this is about: <RevealedText text={comment.quote} />
        </p>
      ) : null}
      <textarea
        ref={field}
        className="field"
        aria-label={`Your comment on ${place}`}
        placeholder="What should be different?"
        rows={2}
        maxLength={10_000}
        readOnly={isOver}
        value={comment.text}
        onChange={(event) => onChange(event.target.value)}
      />
      {isOver ? null : (
        <IconButton
          label={`Remove comment on ${place}`}
          icon={<X />}
          size="small"
          tooltipSide="left"
          onClick={onRemove}
        />
      )}
    </div>
  )
}

function buttonAt(list: HTMLElement | null, part: number): HTMLElement | undefined {
  return [...(list?.querySelectorAll<HTMLElement>('.plan-comment-button') ?? [])][part]
}

/** Each comment with the part it is about: the nearest that reads as it did; -1 where none does. */
function placed(
  parts: readonly MarkdownPart[],
  comments: readonly PlanComment[],
): { comment: PlanComment; part: number }[] {
  return comments.map((comment) => {
    const far = (part: MarkdownPart) => Math.abs(part.from - comment.from)
    const [part] = parts
      .map((one, index) => ({ one, index }))
      .filter(({ one }) => one.text.trim() === comment.quote)
      .toSorted((one, other) => far(one.one) - far(other.one))
    return { comment, part: part?.index ?? -1 }
  })
}
