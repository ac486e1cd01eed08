import { isBuiltin } from 'node:module'
import { loadedNames, parseScript, type BuiltFile } from './syntax'

/** A page's script loads nothing but its own files. */
export function checkPageScript(file: BuiltFile): void {
  const script = parseScript(file, 'module')
  if (!script) return
  for (const name of loadedNames(script)) {
    if (name === undefined) continue
    if (/^electron(\/|$)/.test(name) || isBuiltin(name)) file.complain(`takes '${name}', which no page has`)
    else if (!/^\.{0,2}\//.test(name)) file.complain(`takes '${name}', which a browser cannot find`)
    else if (name.startsWith('/'))
      file.complain(`takes '${name}', an absolute path that does not load from file:`)
  }
}

/** A page has a policy that forbids foreign and inline scripts, and takes its files from beside it. */
export function checkPageMarkup(file: BuiltFile): void {
  checkPolicy(file)
  const markup = file.text.replace(/<!--.*?-->/gs, '')
  for (const [, attributes = '', body = ''] of markup.matchAll(/<script\b([^>]*)>(.*?)<\/script\s*>/gis)) {
    if (!/\ssrc\s*=/i.test(attributes) || body.trim() !== '')
      file.complain('an inline script, which its policy forbids')
  }
  for (const [tag] of markup.matchAll(/<[a-z][^>]*>/gi)) {
    const handler = /\s(on[a-z]+)\s*=/i.exec(tag)
    if (handler) file.complain(`an inline handler (${handler[1]}), which its policy forbids`)
    for (const [, , path = ''] of tag.matchAll(/\s(?:src|href)\s*=\s*(["']?)([^"'\s>]*)\1/gi)) {
      if (/^[a-z]+:/i.test(path) || path.startsWith('//')) file.complain(`takes ${path} from elsewhere`)
      else if (path.startsWith('/'))
        file.complain(`takes ${path}, an absolute path that does not load from file:`)
    }
  }
}

/** What a style sheet names stands beside it. */
export function checkPageStyle(file: BuiltFile): void {
  const named = file.text.matchAll(/url\(\s*["']?([^"')]*)["']?\s*\)|@import\s+["']([^"']*)["']/gi)
  for (const [, inUrl, imported] of named) {
    const path = inUrl ?? imported ?? ''
    if (/^(https?:)?\/\//i.test(path)) file.complain(`takes ${path} from elsewhere`)
    else if (path.startsWith('/'))
      file.complain(`takes ${path}, an absolute path that does not load from file:`)
  }
}

function checkPolicy(file: BuiltFile): void {
  const tag = /<meta\b[^>]*http-equiv\s*=\s*["']?content-security-policy[^>]*>/i.exec(file.text)?.[0]
  const policy = /\scontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag ?? '')
  if (!policy) {
    file.complain('no Content-Security-Policy')
    return
  }
  const directives = new Map(
    (policy[1] ?? policy[2] ?? '').split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(/\s+/)
      return [name.toLowerCase(), values] as const
    }),
  )
  const scripts = directives.get('script-src') ?? directives.get('default-src')
  if (!scripts) file.complain('a Content-Security-Policy without script-src and default-src')
  for (const value of scripts ?? []) {
    if (!["'self'", "'none'", "'wasm-unsafe-eval'"].includes(value)) {
      file.complain(`a Content-Security-Policy that lets scripts come from ${value}`)
    }
  }
}
