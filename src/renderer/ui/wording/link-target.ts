/** The target of a link in a text. */
export type LinkTarget =
  | { kind: 'web'; url: string }
  | { kind: 'file'; path: string }
  | { kind: 'heading'; name: string }
  | { kind: 'none' }

/** Where a link in a file leads: to the web, to a heading of the same text, to a file beside it, or nowhere. */
export function linkTarget(path: string, href: string): LinkTarget {
  if (/^https?:\/\//i.test(href)) {
    // As the browser will read it: invisible or lookalike characters are written out.
    return URL.canParse(href) ? { kind: 'web', url: new URL(href).href } : { kind: 'none' }
  }
  if (href.startsWith('#')) return { kind: 'heading', name: decode(href.slice(1)) }
  if (/^[a-z][a-z0-9+.-]+:/i.test(href) || href.startsWith('//') || href === '') return { kind: 'none' }
  const name = decode(href.replace(/[?#].*$/, ''))
  // On Windows two slashes name another computer, which would learn who looks.
  if (name === '' || name.includes('\0') || /^[\\/]{2}/.test(name)) return { kind: 'none' }
  const separator = path.includes('\\') && !path.startsWith('/') ? '\\' : '/'
  if (name.startsWith('/')) return { kind: 'file', path: name }
  const parts = path.split(separator).slice(0, -1)
  for (const part of name.split(/[\\/]/)) {
    if (part === '..') {
      if (parts.length > 1) parts.pop()
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return { kind: 'file', path: parts.join(separator) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
