import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type ESTree, type ParseResult, type VisitorObject } from 'vite'

/** A built file, and where what is wrong with it is told. */
export interface BuiltFile {
  /** Path below the built folder. */
  name: string
  text: string
  complain(message: string): void
}

/** A built script. */
export interface BuiltScript extends BuiltFile {
  parsed: ParseResult
}

/** The files of one part of the build (`main`, `preload`, `renderer`) whose names match; none if it is not there. */
export function readPart(outDir: string, part: string, pattern: RegExp, problems: string[]): BuiltFile[] {
  let names: string[]
  try {
    names = readdirSync(join(outDir, part), { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
  return names
    .filter((name) => pattern.test(name))
    .toSorted()
    .map((name) => {
      const file = `${part}/${name}`
      return {
        name: file,
        text: readFileSync(join(outDir, file), 'utf8'),
        complain: (message: string) => void problems.push(`${file}: ${message}`),
      }
    })
}

/** Parses a script; a syntax error is a problem, and there is nothing more to check then. */
export function parseScript(file: BuiltFile, sourceType: 'commonjs' | 'module'): BuiltScript | undefined {
  const parsed = parseSync(file.name, file.text, { lang: 'js', sourceType })
  const [error] = parsed.errors
  if (!error) return { ...file, parsed }
  file.complain(error.message)
  return undefined
}

/** Visits every node of a script. */
export function visit(script: BuiltScript, visitor: VisitorObject): void {
  new Visitor(visitor).visit(script.parsed.program)
}

/** The text of a literal, also of a template without parts; undefined for anything that is worked out later. */
export function literalText(node: ESTree.Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined
  return undefined
}

/** The value of a boolean literal, also in the form that minifiers give it (`!0`, `!1`). */
export function literalBoolean(node: ESTree.Node): boolean | undefined {
  if (node.type === 'Literal') return typeof node.value === 'boolean' ? node.value : undefined
  if (node.type !== 'UnaryExpression' || node.operator !== '!') return undefined
  const { argument } = node
  return argument.type === 'Literal' && typeof argument.value === 'number' ? !argument.value : undefined
}

/** The name of a member or property whose name stands in the text. */
export function fixedName(key: ESTree.Node, computed: boolean): string | undefined {
  if (!computed && key.type === 'Identifier') return key.name
  return literalText(key)
}

/** Everything that a script loads by name: import, export from, import(), require(). Undefined: the name is worked out. */
export function loadedNames(script: BuiltScript): (string | undefined)[] {
  const names: (string | undefined)[] = []
  visit(script, {
    ImportDeclaration: (node) => void names.push(node.source.value),
    ExportAllDeclaration: (node) => void names.push(node.source.value),
    ExportNamedDeclaration: (node) => void (node.source && names.push(node.source.value)),
    ImportExpression: (node) => void names.push(literalText(node.source)),
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'require')
        names.push(literalText(node.arguments[0]))
    },
  })
  return names
}
