import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSentences, sentencesOf } from './interface-sentences'

const path = join(import.meta.dirname, '..', 'docs', 'interface-sentences.md')
const command = 'GREENLIGHT_WRITE_DOCS=1 npx vitest run test/interface-sentences.test.ts'

function describeAll(): string {
  const files = readSentences()
  const count = files.reduce((sum, [, sentences]) => sum + sentences.length, 0)
  const sections = files.map(([file, sentences]) => {
    const lines = sentences.map((sentence) => `- ${sentence.replaceAll(/[\\`*_<]/g, String.raw`\$&`)}`)
    return `## ${file}\n\n${lines.join('\n')}\n`
  })
  return `# What the interface says\n\nAll ${count} texts that a person can meet, to be read in one go. Made from the code; \`${command}\`\nrewrites this page. What is filled in is in braces. \`test/interface-sentences.ts\` says what counts.\n\n${sections.join('\n')}`
}

test('text in JSX is a sentence, with what is filled in', () => {
  const source = 'const a = <p>Waiting for {agent.name} <b>to</b> write {count === 1 ? "it" : "them"}</p>'
  expect(sentencesOf('a.tsx', source)).toEqual(['Waiting for {name} to write {it|them}'])
})

test('a read name makes a single word count, and a text of two words counts anywhere', () => {
  expect(
    sentencesOf('a.ts', 'f({ label: "save", id: "Save it" }, "Saved " + n + " files.", "flex gap")'),
  ).toEqual(['save', 'Saved {n} files.'])
})

test('what only developers see does not count', () => {
  const source =
    'import a from "A b"; log.info("Closed by peer"); function f() { throw new Error("Not that") }'
  expect(sentencesOf('a.ts', source)).toEqual([])
})

// It reads all of the source.
test('docs/interface-sentences.md says what the code says', { timeout: 60_000 }, () => {
  if (process.env['GREENLIGHT_WRITE_DOCS'] === '1') writeFileSync(path, describeAll())
  expect(readFileSync(path, 'utf8'), `write it again: ${command}`).toBe(describeAll())
})
