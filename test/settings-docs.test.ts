import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { settingGroups } from '../src/shared/settings/all-settings'
import type { Setting } from '../src/shared/settings/setting'

const path = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'settings.md')

/** What a setting can be, in words. */
function valuesOf(declared: Setting): string {
  switch (declared.kind) {
    case 'switch':
      return '`true` or `false`'
    case 'choice':
      return declared.options.map(([value]) => `\`${JSON.stringify(value)}\``).join(', ')
    case 'number':
      return `${declared.step === 1 ? 'a whole number' : 'a number'} from ${declared.min} to ${declared.max}`
    case 'text':
      return 'a text'
    case 'list':
      return 'a list of texts'
    case 'other':
      return 'as in the sentence'
  }
}

/** docs/settings.md, made of the declarations. */
function describeAll(): string {
  const groups = settingGroups.map(({ title, settings }) => {
    const lines = Object.entries(settings).map(([name, declared]) => {
      const own = declared.scope === 'folder' ? ' A folder can have its own value.' : ''
      const first = `\`${JSON.stringify(declared.default)}\``
      return `- \`${name}\` (${declared.title}): ${declared.sentence} Values: ${valuesOf(declared)}. Default: ${first}.${own}`
    })
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return `# All settings\n\nMade of their declarations (\`src/shared/settings\`); \`GREENLIGHT_WRITE_DOCS=1 npx vitest run test/settings-docs.test.ts\`\nwrites it anew.\n\n${groups.join('\n')}`
}

test('docs/settings.md says what the declarations say', () => {
  if (process.env['GREENLIGHT_WRITE_DOCS'] === '1') writeFileSync(path, describeAll())
  expect(readFileSync(path, 'utf8')).toBe(describeAll())
})
