import type { MarkedToken, Token, Tokens } from 'marked'
import { Fragment, type ReactNode, memo, useMemo } from 'react'
import { readMarkdown } from './markdown-tokens'
import './markdown.css'

interface MarkdownProps {
  text: string
  /** A link was pressed; nothing happens by itself. */
  onLink: (href: string) => void
}

/**
 * Markdown drawn as elements of our own: HTML in it is shown as text and never becomes markup, pictures are named and
 * not fetched, and links only tell that they were pressed. Each block is drawn anew only when its own text changes. A
 * text that is too long or too deep to be drawn is shown as it stands.
 */
export function Markdown({ text, onLink }: MarkdownProps) {
  const blocks = useMemo(() => readMarkdown(text), [text])
  if (blocks === null) {
    return (
      <div className="markdown selectable">
        <p>This text is too long or too deep to be drawn. It is shown as it stands.</p>
        <pre tabIndex={0} aria-label="Text">
          {text}
        </pre>
      </div>
    )
  }
  return (
    <div className="markdown selectable">
      {blocks.map((token, index) => (
        <Block key={index} raw={token.raw} token={token} onLink={onLink} />
      ))}
    </div>
  )
}

type Draw = (tokens: readonly Token[] | undefined) => ReactNode

const Block = memo(
  function Block({ token, onLink }: { raw: string; token: Token; onLink: (href: string) => void }) {
    return <>{draw(token, onLink)}</>
  },
  (before, after) => before.raw === after.raw && before.onLink === after.onLink,
)

function draw(any: Token, onLink: (href: string) => void): ReactNode {
  const all: Draw = (tokens) =>
    (tokens ?? []).map((token, index) => <Fragment key={index}>{draw(token, onLink)}</Fragment>)
  // marked's own tokens; there are no extensions that would make others.
  const token = any as MarkedToken
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading': {
      const Heading = `h${Math.min(6, Math.max(1, token.depth))}` as 'h1'
      return <Heading id={anchorOf(token.text)}>{all(token.tokens)}</Heading>
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
      return <code>{token.text}</code>
    case 'code':
      return (
        <pre tabIndex={0} aria-label={token.lang ? `Code: ${token.lang}` : 'Code'}>
          <code>{token.text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{all(token.tokens)}</blockquote>
    case 'list':
      return <List list={token} all={all} />
    case 'list_item':
      return all(token.tokens)
    case 'checkbox':
      return <input type="checkbox" checked={token.checked} readOnly disabled aria-label="Task" />
    case 'table':
      return <Table table={token} all={all} />
    case 'link':
      return (
        <a
          href={/^https?:/i.test(token.href) ? token.href : '#'}
          title={token.href}
          onClick={(event) => {
            event.preventDefault()
            onLink(token.href)
          }}
          onAuxClick={(event) => event.preventDefault()}
        >
          {all(token.tokens)}
        </a>
      )
    case 'image':
      return (
        <span className="markdown-image" title={token.href}>
          Picture: {token.text === '' ? token.href : plain(token.text)}
        </span>
      )
    case 'html':
      return <code className="markdown-html">{token.text.trimEnd()}</code>
  }
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

/** The name by which a link leads to a heading, as the usual hosts make it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** A text with the usual character references put in; others stay as they are written. */
export function plain(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return entities[name.toLowerCase()] ?? whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
}
