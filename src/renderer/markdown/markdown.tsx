import type { Links, MarkedToken, Token, Tokens } from 'marked'
import { Fragment, type ReactNode, memo, useMemo, useState } from 'react'
import { CodeBlock } from '../code/code-block'
import { GrowingReader } from './markdown-tokens'
import './markdown.css'

interface MarkdownProps {
  text: string
  /** Called when a link is pressed; nothing else happens. */
  onLink: (href: string) => void
  /**
   * Given for a message among others rather than a page of its own: a file location in code
   * (`src/a.ts:12`) is then a button that calls this, and headings get no anchors.
   */
  onPlace?: (place: string) => void
  /** Nothing written may be out of sight, because the person's word counts for all of it. */
  isWhole?: boolean
  /** What links refer to that isn't defined in the text itself; the same object as long as it is the same. */
  links?: Links
}

/** How it is drawn, and what links and file locations do; the same object until that changes. */
interface Ways {
  onLink: (href: string) => void
  onPlace: ((place: string) => void) | undefined
  isWhole: boolean
  /** What is drawn already is drawn anew where it refers to something else. */
  links: Links | undefined
}

/**
 * Renders Markdown as our own elements: HTML in it is shown as text and never becomes markup, pictures are named and
 * not fetched, and links only report that they were pressed. A block renders again only when its own text changes. A
 * text that is too long or too deeply nested is shown as it is.
 */
export function Markdown({ text, onLink, onPlace, isWhole = false, links }: MarkdownProps) {
  const ways = useMemo<Ways>(() => ({ onLink, onPlace, isWhole, links }), [onLink, onPlace, isWhole, links])
  const name = `markdown selectable ${onPlace ? 'markdown-message' : ''}`
  const [reader] = useState(() => new GrowingReader())
  const read = useMemo(() => reader.read(text, links), [reader, text, links])
  if (read === null) {
    return (
      <div className={name}>
        <p>This text is too long or too deeply nested to render. It’s shown as plain text.</p>
        <pre tabIndex={0} role="group" aria-label="Text">
          {text}
        </pre>
      </div>
    )
  }
  return (
    <div className={name}>
      {read.groups.map((group, index) => (
        <Group key={index} tokens={group} ways={ways} />
      ))}
      {read.rest.map((token, index) => (
        <Block key={countOf(read.groups) + index} raw={token.raw} token={token} ways={ways} />
      ))}
    </div>
  )
}

/** Blocks that don't change while the text grows. An element of their own spares laying them out again. */
const Group = memo(function Group({ tokens, ways }: { tokens: readonly Token[]; ways: Ways }) {
  return (
    <div className="markdown-group">
      {tokens.map((token, index) => (
        <Block key={index} raw={token.raw} token={token} ways={ways} />
      ))}
    </div>
  )
})

function countOf(groups: readonly (readonly Token[])[]): number {
  return groups.reduce((sum, group) => sum + group.length, 0)
}

type Draw = (tokens: readonly Token[] | undefined) => ReactNode

const Block = memo(
  function Block({ token, ways }: { raw: string; token: Token; ways: Ways }) {
    return <>{draw(token, ways)}</>
  },
  (before, after) => before.raw === after.raw && before.ways === after.ways,
)

function draw(any: Token, ways: Ways): ReactNode {
  const all: Draw = (tokens) =>
    (tokens ?? []).map((token, index) => <Fragment key={index}>{draw(token, ways)}</Fragment>)
  // marked's own tokens; there are no extensions that would make others.
  const token = any as MarkedToken
  switch (token.type) {
    case 'space':
      return null
    case 'def':
      return ways.isWhole ? <Written raw={token.raw} /> : null
    case 'heading': {
      const Heading = `h${Math.min(6, Math.max(1, token.depth))}` as 'h1'
      return <Heading id={ways.onPlace ? undefined : anchorOf(token.text)}>{all(token.tokens)}</Heading>
    }
    case 'paragraph':
      return <p>{all(token.tokens)}</p>
    case 'text':
      return 'tokens' in token && token.tokens ? all(token.tokens) : plain(token.text)
    case 'escape':
      return plain(token.text)
    case 'strong':
      return <strong>{all(token.tokens)}</strong>
    case 'em':
      return <em>{all(token.tokens)}</em>
    case 'del':
      return <del>{all(token.tokens)}</del>
    case 'br':
      return <br />
    case 'hr':
      return <hr />
    case 'codespan':
      return <Code text={token.text} onPlace={ways.onPlace} />
    case 'code':
      return <CodeBlock code={token.text} fence={token.lang ?? ''} isFenceWhole={ways.isWhole} />
    case 'blockquote':
      return <blockquote>{all(token.tokens)}</blockquote>
    case 'list':
      return <List list={token} all={all} />
    case 'list_item':
      return all(token.tokens)
    case 'checkbox':
      return <input type="checkbox" checked={token.checked} readOnly disabled aria-label="Task" />
    case 'table':
      return ways.isWhole && hasMoreCells(token) ? (
        <Written raw={token.raw} />
      ) : (
        <Table table={token} all={all} />
      )
    case 'link':
      return (
        <>
          <a
            href={/^https?:/i.test(token.href) ? token.href : '#'}
            title={token.href}
            onClick={(event) => {
              event.preventDefault()
              ways.onLink(token.href)
            }}
            onAuxClick={(event) => event.preventDefault()}
          >
            {all(token.tokens)}
          </a>
          {ways.isWhole ? targetOf(token) : null}
        </>
      )
    case 'image':
      return (
        <>
          <span className="markdown-image" title={token.href}>
            Picture: {token.text === '' ? token.href : plain(token.text)}
          </span>
          {ways.isWhole ? targetOf(token) : null}
        </>
      )
    case 'html':
      return <code className="markdown-html">{token.text.trimEnd()}</code>
  }
}

/** What is drawn in no other way, as it is written. */
function Written({ raw }: { raw: string }) {
  return (
    <p>
      <code className="markdown-html">{raw.trimEnd()}</code>
    </p>
  )
}

/** Where a link leads and what it is called, unless its own words say it. */
function targetOf({ href, text, title }: Tokens.Link | Tokens.Image): string {
  const words = [href === text || href === `mailto:${text}` ? '' : href, title ? `“${title}”` : '']
  const said = words.filter(Boolean).join(' ')
  return said === '' ? '' : ` (${said})`
}

/** Whether a row has more cells than the table has columns, which Markdown leaves out. */
function hasMoreCells({ raw, header, rows }: Tokens.Table): boolean {
  const solid = (text: string) => text.replaceAll(/[\s|\\]/g, '')
  const [first = '', , ...others] = raw.split('\n')
  const cells = [...header, ...rows.flat()].map(({ text }) => text).join('')
  return solid([first, ...others].join('')) !== solid(cells)
}

/** A file location and nothing else: a path with folders or with a line. */
const place = /^(?=[^\s]*(?:[/\\]|:\d))[\p{L}\p{N}_@~.+\-/\\]*\.[\p{L}\p{N}]{1,12}(?::\d{1,7}){0,2}$/u

function Code({ text, onPlace }: { text: string; onPlace: Ways['onPlace'] }) {
  if (!onPlace || text.length > 400 || !place.test(text)) return <code>{text}</code>
  return (
    <button type="button" className="markdown-place" title={`Open ${text}`} onClick={() => onPlace(text)}>
      <code>{text}</code>
    </button>
  )
}

function List({ list, all }: { list: Tokens.List; all: Draw }) {
  const items = list.items.map((item, index) => (
    <li key={index} className={item.task ? 'markdown-task' : undefined}>
      {all(item.tokens)}
    </li>
  ))
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>
}

function Table({ table, all }: { table: Tokens.Table; all: Draw }) {
  const align = (index: number) => {
    const textAlign = table.align[index]
    return textAlign ? { style: { textAlign } } : {}
  }
  return (
    <div className="markdown-table" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} {...align(index)}>
                {all(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, index) => (
                <td key={index} {...align(index)}>
                  {all(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The anchor of a heading, made as the usual hosts make it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Replaces the usual character references in a text; others stay as written. */
export function plain(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return entities[name.toLowerCase()] ?? whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
}
