import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import type { Command } from '../src/renderer/commands/registry'
import { fixedCommands } from '../src/renderer/commands/fixed-keys'
import { groupByPlace, placeName } from '../src/renderer/features/palette/command-places'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src', 'renderer')
const guide = join(root, 'docs', 'user-guide.md')
const command = 'GREENLIGHT_WRITE_DOCS=1 npx vitest run test/keys-docs.test.ts'

/** A command's words in the code; `keys` where the system is no Mac. */
type Described = Pick<Command, 'id' | 'title'> & { keys: string[] }

/** Every object of a source file that describes a command with keys of its own. */
function describedIn(file: string): Described[] {
  const found: Described[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && node.type === 'ObjectExpression' && 'properties' in node) {
      const { id, title, keys } = propertiesOf(node.properties)
      if (typeof id === 'string' && typeof title === 'string' && Array.isArray(keys))
        found.push({ id, title, keys: keys as string[] })
    }
    Object.values(node).forEach(visit)
  }
  const path = join(source, file)
  visit(parseSync(path, readFileSync(path, 'utf8')).program)
  return found
}

function propertiesOf(properties: unknown): Record<string, unknown> {
  const all = properties as { key?: { name?: string }; value?: unknown }[]
  return Object.fromEntries(all.map(({ key, value }) => [key?.name, valueOf(value)]))
}

function valueOf(node: unknown): unknown {
  const { type, value, elements, alternate } = (node ?? {}) as Record<string, unknown> & {
    elements: unknown[]
  }
  if (type === 'ConditionalExpression') return valueOf(alternate)
  if (type === 'ArrayExpression') return elements.map(valueOf)
  return type === 'Literal' ? value : undefined
}

/** All commands that have keys, and the keys that are no commands. A command's id begins with the place it is for. */
function commandsWithKeys(): Command[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  const described = files
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .flatMap(describedIn)
    .map((one) => ({ ...one, ...placeOfId(one.id), run: () => undefined }))
  return [...described, ...fixedCommands(false)]
}

function placeOfId(id: string): { scope?: string } {
  const place = id.slice(0, id.indexOf('.'))
  return ['review', 'terminal', 'conversation', 'files', 'sessions'].includes(place) ? { scope: place } : {}
}

function describeAll(): string {
  const rows = groupByPlace(commandsWithKeys()).map(([place, commands]) => {
    const keys = commands.map(({ title, keys = [] }) => `\`${keys.join('`, `')}\` ${title}`)
    return `| ${placeName(place)} | ${keys.join(' · ')} |`
  })
  return `${headOfTable}\n|---|---|\n${rows.join('\n')}\n`
}

/** The table is what the guide ends with. */
const headOfTable = '| where | key |'

test('the guide’s table has every key that the code knows, and no other', () => {
  const all = describeAll()
  const text = readFileSync(guide, 'utf8')
  const [before = '', table = ''] = text.split(headOfTable)
  if (process.env['GREENLIGHT_WRITE_DOCS'] === '1') writeFileSync(guide, before + all)
  else expect(headOfTable + table, `write it again: ${command}`).toBe(all)
})

test('every key that the README names is one of them', () => {
  const [, section = ''] =
    /## Keys\n([\s\S]*?)\n## /.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  const known = new Set(commandsWithKeys().flatMap(({ keys = [] }) => keys))
  const named = section.match(/\b(?:(?:Mod|Ctrl|Alt|Shift)\+)+(?:\w+|[,\\])|\bF\d+/g) ?? []
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((key) => !known.has(key))).toEqual([])
})
