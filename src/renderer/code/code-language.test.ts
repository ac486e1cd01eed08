import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CodeReader, findLanguage } from './code-language'

test('code is read by the word at its fence or the name of its file', async () => {
  const language = await findLanguage({ fence: 'ts {1,3}' })
  expect(language?.name).toBe('TypeScript')
  expect((await findLanguage({ fence: 'bash' }))?.name).toBe('Shell')
  expect((await findLanguage({ file: '/a/b.py' }))?.name).toBe('Python')
  expect(await findLanguage({ fence: 'no such language' })).toBeNull()
  if (!language) return
  const code = "const a = 'x' // why"
  const kinds = new CodeReader()
    .read(code, language.support.language)
    .map(({ from, to, kind }) => `${kind} ${code.slice(from, to)}`)
  expect(kinds).toEqual(['keyword const', "string 'x'", 'comment // why'])
  expect(new CodeReader().read('x'.repeat(100_000), language.support.language)).toEqual([])
})

test.each(['ts', 'sh'])('code that grows is read as it would be whole (%s)', async (fence) => {
  const language = (await findLanguage({ fence }))?.support.language
  if (!language) throw new Error('no language')
  const part = fc.constantFrom(
    'const a = 1\n',
    'f(',
    ')',
    '"',
    '`',
    '${',
    '}',
    '/*',
    '*/',
    '#',
    ' if ',
    '\n',
    'x',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
      const reader = new CodeReader()
      let code = ''
      for (const one of parts) {
        code += one
        expect(reader.read(code, language)).toEqual(new CodeReader().read(code, language))
      }
    }),
  )
})
