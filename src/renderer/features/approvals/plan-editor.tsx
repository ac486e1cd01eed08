import { MessageSquarePlus, X } from 'lucide-react'
import { type KeyboardEvent, memo, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { PlanComment } from '../../../shared/approval/plan-comments'
import { lineWords } from '../../../shared/review/comments'
import { openAddress } from '../../state/window/window-actions'
import { Markdown } from '../../markdown/markdown'
import { type MarkdownPart, type MarkdownParts, partsOf } from '../../markdown/markdown-tokens'
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
  /** The same function each time. */
  onComments: ChangeComments
}

type ChangeComments = (how: (before: readonly PlanComment[]) => readonly PlanComment[]) => void

/** How many rows of the plan Page Up and Page Down go. */
const page = 10

/** A plan as it reads, with comments on its parts; or as it is written, to change it. */
export function PlanEditor({ plan, text, comments, problem, isOver, onText, onComments }: PlanProps) {
  const [isEdited, setEdited] = useState(false)
  const id = useId()
  const isChanged = text !== plan
  return (
    <section className="plan-editor column" aria-label="Plan">
      {isOver ? null : (
        <div className="plan-head row">
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
      {isEdited ? (
        <textarea
          className="field plan-source mono"
          aria-label="Plan as Markdown"
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== undefined}
          spellCheck={false}
          readOnly={isOver}
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
  onComments: ChangeComments
}

const none: readonly PlanComment[] = []

function PlanParts({ text, comments, isOver, onComments }: PartsProps) {
  const { parts, links } = useMemo(() => partsOf(revealed(text)), [text])
  const { of, lost } = useMemo(() => placed(parts, comments), [parts, comments])
  const [web, setWeb] = useState<string | null>(null)
  const [current, setCurrent] = useState(0)
  const [added, setAdded] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const { length } = parts
  const tabbable = Math.min(current, length - 1)
  const onLink = useCallback((href: string) => {
    if (/^https?:\/\//i.test(href)) setWeb(href)
  }, [])
  const onAdd = useCallback(
    ({ text: quote, from, to }: MarkdownPart) => {
      const comment = { id: crypto.randomUUID(), from, to, quote: quote.trim(), text: '' }
      setAdded(comment.id)
      onComments((before) => [...before, comment])
    },
    [onComments],
  )
  const onChange = useCallback(
    (id: string, words: string) =>
      onComments((before) => before.map((one) => (one.id === id ? { ...one, text: words } : one))),
    [onComments],
  )
  const onRemove = useCallback(
    (id: string, part: number) => {
      onComments((before) => before.filter((one) => one.id !== id))
      buttonAt(list.current, part)?.focus()
    },
    [onComments],
  )
  const onKey = useCallback(
    (event: KeyboardEvent<HTMLElement>, at: number) => {
      const next = rowByKey(event.key, at, length - 1, page)
      if (next === null) return
      event.preventDefault()
      setCurrent(next)
      buttonAt(list.current, next)?.focus()
    },
    [length],
  )
  const ways = { added, isOver, onChange, onRemove }
  return (
    <div className="plan-parts" ref={list}>
      {parts.map((part, index) => (
        <Part
          key={index}
          {...ways}
          // Only where it is, so that no other is drawn again.
          added={of.has(index) ? added : null}
          part={part}
          index={index}
          links={links}
          comments={of.get(index) ?? none}
          isTabbable={index === tabbable}
          onLink={onLink}
          onAdd={onAdd}
          onFocus={setCurrent}
          onKey={onKey}
        />
      ))}
      {lost.map((comment) => (
        <Comment key={comment.id} {...ways} comment={comment} part={0} isLost />
      ))}
      <WebLinkDialog url={web} onOpen={openAddress} onClose={() => setWeb(null)} />
    </div>
  )
}

interface CommentWays {
  /** The newest comment, which has the focus. */
  added: string | null
  isOver: boolean
  onChange: (id: string, words: string) => void
  onRemove: (id: string, part: number) => void
}

interface PartProps extends CommentWays {
  part: MarkdownPart
  index: number
  links: MarkdownParts['links']
  comments: readonly PlanComment[]
  isTabbable: boolean
  onLink: (href: string) => void
  onAdd: (part: MarkdownPart) => void
  onFocus: (index: number) => void
  onKey: (event: KeyboardEvent<HTMLElement>, index: number) => void
}

/** A part with the comments on it. A plan may have hundreds: what is said of one draws no other again. */
const Part = memo(function Part({
  part,
  index,
  links,
  comments,
  isTabbable,
  onLink,
  onAdd,
  onFocus,
  onKey,
  ...ways
}: PartProps) {
  return (
    <div className="plan-part">
      <div className="plan-part-text">
        <Markdown text={part.text} links={links} onLink={onLink} isWhole />
      </div>
      {ways.isOver ? null : (
        <IconButton
          className="plan-comment-button"
          label={`Comment on ${lineWords(part).toLowerCase()}`}
          icon={<MessageSquarePlus />}
          tooltipSide="left"
          tabIndex={isTabbable ? 0 : -1}
          onFocus={() => onFocus(index)}
          onKeyDown={(event) => onKey(event, index)}
          onClick={() => onAdd(part)}
        />
      )}
      {comments.map((comment) => (
        <Comment key={comment.id} {...ways} comment={comment} part={index} isLost={false} />
      ))}
    </div>
  )
})

interface CommentProps extends CommentWays {
  comment: PlanComment
  part: number
  /** The lines it is about are no longer there. */
  isLost: boolean
}

function Comment({ comment, part, isLost, added, isOver, onChange, onRemove }: CommentProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const { id } = comment
  const isNew = id === added
  useEffect(() => {
    if (isNew) field.current?.focus()
  }, [isNew])
  const place = lineWords(comment).toLowerCase()
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
        onChange={(event) => onChange(id, event.target.value)}
      />
      {isOver ? null : (
        <IconButton
          label={`Remove comment on ${place}`}
          icon={<X />}
          tooltipSide="left"
          onClick={() => onRemove(id, part)}
        />
      )}
    </div>
  )
}

function buttonAt(list: HTMLElement | null, part: number): HTMLElement | undefined {
  return [...(list?.querySelectorAll<HTMLElement>('.plan-comment-button') ?? [])][part]
}

/** The comments by the part that each is about, the nearest that reads as it did; and those that have none any more. */
function placed(
  parts: readonly MarkdownPart[],
  comments: readonly PlanComment[],
): { of: ReadonlyMap<number, readonly PlanComment[]>; lost: readonly PlanComment[] } {
  const of = new Map<number, PlanComment[]>()
  const lost: PlanComment[] = []
  for (const comment of comments) {
    let nearest: number | null = null
    const far = (index: number) => Math.abs((parts[index]?.from ?? 0) - comment.from)
    for (const [index, part] of parts.entries()) {
      if (part.text.trim() !== comment.quote) continue
      if (nearest === null || far(index) < far(nearest)) nearest = index
    }
    if (nearest === null) lost.push(comment)
    else of.set(nearest, [...(of.get(nearest) ?? []), comment])
  }
  return { of, lost }
}
