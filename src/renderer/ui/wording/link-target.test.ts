import { expect, test } from 'vitest'
import { linkTarget } from './link-target'

test('a link leads to the web, to a heading, to a file beside the text, or nowhere', () => {
  const from = (href: string) => linkTarget('/home/ada/docs/guide.md', href)
  expect(from('https://a.example/x')).toEqual({ kind: 'web', url: 'https://a.example/x' })
  expect(from('#the-part')).toEqual({ kind: 'heading', name: 'the-part' })
  expect(from('../src/a%20b.ts#L3')).toEqual({ kind: 'file', path: '/home/ada/src/a b.ts' })
  expect(from('./x.md?y')).toEqual({ kind: 'file', path: '/home/ada/docs/x.md' })
  expect(from('../../../../../etc/x')).toEqual({ kind: 'file', path: '/etc/x' })
  // What the person is asked about is what the browser opens.
  expect(from('https://a.example/\u202egpj.exe')).toEqual({
    kind: 'web',
    url: 'https://a.example/%E2%80%AEgpj.exe',
  })
  for (const nowhere of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    '//a.example',
    '',
    'data:text/html,x',
    '%2F%2Fa.example/share',
    '\\\\a.example\\share',
    '%5C%5Ca.example%5Cshare',
  ]) {
    expect(from(nowhere)).toEqual({ kind: 'none' })
  }
  expect(linkTarget('C:\\docs\\guide.md', 'sub/x.md')).toEqual({ kind: 'file', path: 'C:\\docs\\sub\\x.md' })
})
