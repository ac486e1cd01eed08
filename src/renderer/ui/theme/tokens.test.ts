import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Reads the colours of tokens.css as each theme has them and computes WCAG 2.2's contrast ratio of every pair in use. */
const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

type Scheme = 'light' | 'dark'
type Colors = Map<string, string>

function declarationsOf(selector: string): Map<string, [light: string, dark: string]> {
  const start = css.indexOf(`${selector} {`)
  if (start < 0) throw new Error(`no block ${selector}`)
  const block = css.slice(start, css.indexOf('\n}', start))
  const found = [...block.matchAll(/(--[\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)]
  return new Map(found.map(([, name = '', light = '', dark = '']) => [name, [light, dark]]))
}

function colorsOf(scheme: Scheme, more: boolean): Colors {
  const all = new Map([
    ...declarationsOf(':root'),
    ...(more ? declarationsOf(":root[data-contrast='more']") : []),
  ])
  return new Map([...all].map(([name, [light, dark]]) => [name, scheme === 'light' ? light : dark]))
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const surfaces = [
  '--surface',
  '--surface-bar',
  '--surface-raised',
  '--surface-hover',
  '--surface-active',
  '--surface-selected',
]
const code = ['--surface', '--added-soft', '--removed-soft']
const syntax = [
  'comment',
  'keyword',
  'string',
  'number',
  'type',
  'function',
  'name',
  'property',
  'meta',
  'link',
  'invalid',
]
const ansi = [
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'bright-black',
  'bright-red',
  'bright-green',
]
const ansiMore = ['bright-yellow', 'bright-blue', 'bright-magenta', 'bright-cyan', 'bright-white']
const agents = ['claude', 'gemini', '1', '2', '3', '4', '5']

const texts: [string, string][] = [
  ...surfaces.flatMap((on): [string, string][] => [
    ['--text', on],
    ['--text-muted', on],
  ]),
  ...['--surface', '--surface-bar', '--surface-raised', '--surface-hover', '--accent-soft'].map(
    (on): [string, string] => ['--accent', on],
  ),
  ...['added', 'removed', 'waiting'].flatMap((tone): [string, string][] => [
    [`--${tone}`, '--surface'],
    [`--${tone}`, '--surface-bar'],
    [`--${tone}`, '--surface-raised'],
    [`--${tone}`, '--surface-selected'],
    [`--${tone}`, `--${tone}-soft`],
  ]),
  ['--on-accent', '--accent-fill'],
  ['--on-accent', '--accent-fill-hover'],
  ['--text', '--added-word'],
  ['--text', '--removed-word'],
  ['--text', '--code-selection'],
  ['--text', '--code-selection-blurred'],
  ['--text', '--code-match'],
  ['--text', '--code-match-active'],
  ['--code-gutter', '--surface'],
  ...code.flatMap((on) => syntax.map((name): [string, string] => [`--syntax-${name}`, on])),
  ...agents.map((name): [string, string] => [`--agent-${name}`, '--surface']),
  ...agents.map((name): [string, string] => [`--agent-${name}`, '--surface-bar']),
  ...[...ansi, ...ansiMore].map((name): [string, string] => [`--ansi-${name}`, '--surface']),
]
const marks: [string, string][] = [
  ...['--surface', '--surface-bar', '--surface-raised'].flatMap((on): [string, string][] => [
    ['--border-control', on],
    ['--focus', on],
    ['--accent-fill', on],
  ]),
]

describe.each([
  ['light', false],
  ['dark', false],
  ['light', true],
  ['dark', true],
] as const)('%s, more contrast: %s', (scheme, more) => {
  const colors = colorsOf(scheme, more)
  const pair = (front: string, back: string) => {
    const [one, other] = [colors.get(front), colors.get(back)]
    if (!one || !other) throw new Error(`unknown colour: ${one ? back : front}`)
    return contrast(one, other)
  }
  it.each(texts)('%s is legible on %s', (front, back) => {
    expect(pair(front, back)).toBeGreaterThanOrEqual(4.5)
  })
  it.each(marks)('%s stands out on %s', (front, back) => {
    expect(pair(front, back)).toBeGreaterThanOrEqual(3)
  })
  if (more) {
    it.each(surfaces)('text on %s has the contrast of AAA', (back) => {
      expect(pair('--text', back)).toBeGreaterThanOrEqual(7)
      expect(pair('--text-muted', back)).toBeGreaterThanOrEqual(7)
    })
  }
})
