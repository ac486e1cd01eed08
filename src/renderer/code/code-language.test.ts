import { expect, test } from 'vitest'
import { findLanguage, readCode } from './code-language'

test('code is read by the word at its fence or the name of its file', async () => {
  const language = await findLanguage({ fence: 'ts {1,3}' })
  expect(language?.name).toBe('TypeScript')
  expect((await findLanguage({ fence: 'bash' }))?.name).toBe('Shell')
  expect((await findLanguage({ file: '/a/b.py' }))?.name).toBe('Python')
  expect(await findLanguage({ fence: 'no such language' })).toBeNull()
  if (!language) return
  const code = "const a = 'x' // why"
  const kinds = readCode(code, language.support.language).map(
    ({ from, to, kind }) => `${kind} ${code.slice(from, to)}`,
  )
  expect(kinds).toEqual(['keyword const', "string 'x'", 'comment // why'])
  expect(readCode('x'.repeat(100_000), language.support.language)).toEqual([])
})
