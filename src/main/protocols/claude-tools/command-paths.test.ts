import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandPlaces } from './command-paths'

const places = (command: string) => commandPlaces(command, '/work/app', ['/work/app', '/lib'], '/home/me')

test.each<[string, string[]]>([
  ['cat /etc/hosts', ['/etc/hosts']],
  ['cat ~/.ssh/id_rsa ~', ['~/.ssh/id_rsa', '~']],
  ['cp a.txt ../other/b.txt', ['../other/b.txt']],
  ['cat src/../../secret', ['src/../../secret']],
  ['cat src/../a.txt ../app/b.txt /work/app/c /lib/d .. /work', ['..', '/work']],
  ['echo x>/tmp/a 2>>"/tmp/b c";rm /tmp/d&&ls|tee /tmp/e', ['/tmp/a', '/tmp/b c', '/tmp/d', '/tmp/e']],
  ['make --prefix=/usr/local DEST=/opt/x', ['/usr/local', '/opt/x']],
  ["cat '/etc/my file' /etc/my\\ file", ['/etc/my file']],
  ['ls /etc/*', ['/etc/*']],
  ['npm test', []],
  ['curl https://example.com/a/b //host/share', []],
  ['run > /dev/null 2>&1 < /dev/stdin', []],
  ['cat $HOME/.ssh/id_rsa "$(cat x)"', []],
  ['git log v1..v2 a...b', []],
  ['ls / .', []],
  ['cat /work/application/a', ['/work/application/a']],
])('%s', (command, expected) => {
  expect(places(command)).toEqual(expected)
})

test('are a few words of the command, each once, whatever it says', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab /~.\\\'"\n=;&>$*'.split('')), maxLength: 60 }),
      (command) => {
        const found = places(command)
        expect(found.length).toBeLessThanOrEqual(8)
        expect(new Set(found).size).toBe(found.length)
        const bare = command.replaceAll(/[\\'"]/g, '')
        for (const place of found) expect(bare).toContain(place.replaceAll(/[\\'"]/g, ''))
      },
    ),
  )
})
