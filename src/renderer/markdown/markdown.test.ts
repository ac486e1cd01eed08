import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown, anchorOf, plain } from './markdown'
import { partsOf } from './markdown-tokens'
import { TooltipProvider } from '../ui/overlays/tooltip'

const drawn = (text: string, more: Partial<ComponentProps<typeof Markdown>> = {}) =>
  renderToStaticMarkup(
    createElement(TooltipProvider, null, createElement(Markdown, { text, onLink: () => undefined, ...more })),
  )

test('HTML in a text stays text, whatever it is', () => {
  for (const evil of [
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '`<b>`',
    '&lt;script&gt;',
  ]) {
    expect(drawn(evil)).not.toMatch(/<(script|img|svg|b|a)[\s>/]/)
  }
})

test('links lead nowhere by themselves but to the web, and pictures are not fetched', () => {
  expect(drawn('[x](javascript:alert(1))')).toContain('href="#"')
  expect(drawn('[x](file:///etc/passwd)')).toContain('href="#"')
  expect(drawn('[x](https://a.example/)')).toContain('href="https://a.example/"')
  expect(drawn('![alt](https://a.example/x.png)')).not.toContain('<img')
})

test('the usual marks are drawn', () => {
  const html = drawn(
    '# One *two*\n\n- a\n- [x] b\n\n1. c\n\n| h |\n|---|\n| **d** |\n\n```js\nlet x\n```\n\n> q\n',
  )
  expect(html).toContain('<h1 id="one-two">One <em>two</em></h1>')
  for (const part of [
    '<li>a</li>',
    'type="checkbox"',
    '<ol start="1">',
    '<strong>d</strong>',
    '<blockquote>',
  ]) {
    expect(html).toContain(part)
  }
  expect(html).toContain('let x')
})

test('character references are put in once', () => {
  expect(plain('a &amp; b &#65; &#x42; &unknown; &amp;lt;')).toBe('a & b A B &unknown; &lt;')
  expect(anchorOf('What’s *new* in 2.0?')).toBe('whats-new-in-20')
})

test('in a message, code that names a file is a button, and headings are no places', () => {
  const inMessage = (text: string) => drawn(text, { onPlace: () => undefined })
  for (const place of ['src/a.ts', 'a.ts:12', './x/y.test.tsx:3:4', 'C\\x\\b.cs'])
    expect(inMessage(`\`${place}\``)).toContain('class="markdown-place"')
  for (const other of ['a.ts', 'npm run x', 'foo()', 'src/', '1/2', 'https://x.de', 'a<b/c.d'])
    expect(inMessage(`\`${other}\``)).not.toContain('button')
  expect(drawn('`src/a.ts:1`')).not.toContain('button')
  expect(inMessage('# One')).toContain('<h1>One</h1>')
})

test('where all of it counts, each word is in sight, as a whole and in parts', () => {
  const plan = [
    'See [docs](https://one.example "two") and [more][m], ![three](four "five") <https://six.example>.',
    '```js seven eight\nlet nine\n```',
    '[m]: ten "eleven"',
    '[m]: twelve "thirteen"',
    '[//]: # (fourteen)',
    '> [q]: fifteen "sixteen"',
    '- [l]: seventeen "eighteen"',
    '| nineteen |\n|---|\n| twenty | twenty-one |',
    '<!-- twenty-two -->',
  ].join('\n\n')
  const { parts, links } = partsOf(plan)
  const sights = [
    drawn(plan, { isWhole: true }),
    parts.map(({ text }) => drawn(text, { links, isWhole: true })).join(''),
  ].map((html) => html.replaceAll(/<[^>]*>/g, ''))
  const words =
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two'
  for (const sight of sights) for (const word of words.split(' ')) expect(sight).toContain(word)
  expect(parts.map(({ text }) => drawn(text, { links })).join('')).toContain('title="ten"')
  expect(drawn(plan)).not.toContain('eleven')
})
