import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { describe, expect, test } from 'vitest'
import { agents } from '../src/main/core/agents/agents'

/**
 * The house's table: who may import whom. Rooms are named by their folder under src; `a/*` stands for each folder in
 * a. What is not allowed here is forbidden, and so is a folder that is not named here.
 */
const baseRooms = ['platform', 'files', 'net', 'workers', 'settings', 'notices', 'agent-processes'].map(
  (name) => `main/core/${name}`,
)
const subjectRooms = [
  ...[
    'workspace',
    'git',
    'search',
    'editing',
    'review',
    'approvals',
    'changes',
    'context',
    'terminal',
    'agents',
    'tour',
    'trust',
  ],
  ...['history', 'conversation', 'connections', 'gate', 'diagnostics', 'kernels'],
].map((name) => `main/core/${name}`)
const kit = 'main/protocols/kit'
const dialects = [
  ...['claude-ide', 'claude-hooks', 'claude-sdk', 'gemini-companion', 'acp', 'session-server'],
].map((name) => `main/protocols/${name}`)
/** What Claude Code's tools write and ask, for every dialect that it speaks. */
const claudeTools = 'main/protocols/claude-tools'
const speaksClaude = (dialect: string) => posix.basename(dialect).startsWith('claude-')
const features = [
  ...['explorer', 'editor', 'review', 'approvals', 'terminal', 'conversation', 'context', 'connections'],
  ...['problems', 'notebook', 'search', 'palette', 'settings', 'notices', 'window', 'welcome', 'sessions'],
].map((name) => `renderer/features/${name}`)

const wiring = 'main/app'
const dialectFolder = new RegExp(
  `^main/(?:app|protocols)/(?:${dialects.map((room) => posix.basename(room)).join('|')})/`,
)
const allowed: Record<string, readonly string[]> = {
  shared: [],
  ...Object.fromEntries(baseRooms.map((room) => [room, ['shared', ...baseRooms]])),
  ...Object.fromEntries(subjectRooms.map((room) => [room, ['shared', ...baseRooms]])),
  [kit]: ['shared', ...baseRooms],
  [claudeTools]: ['shared', ...baseRooms, ...subjectRooms, kit],
  ...Object.fromEntries(
    dialects.map((room) => [
      room,
      ['shared', ...baseRooms, ...subjectRooms, kit, ...(speaksClaude(room) ? [claudeTools] : [])],
    ]),
  ),
  [wiring]: ['shared', ...baseRooms, ...subjectRooms, kit, claudeTools, ...dialects],
  // The frames read the command line; cli itself knows neither of them.
  'main/cli': [wiring, ...baseRooms, 'shared'],
  'main/shell': [wiring, ...baseRooms, 'shared', 'main/cli'],
  'main/headless': [wiring, ...baseRooms, 'shared', 'main/cli'],
  'main/index.ts': ['main/shell'],
  preload: ['shared'],
  'renderer/ui': ['shared'],
  'renderer/code': ['renderer/ui', 'shared'],
  'renderer/markdown': ['renderer/code', 'renderer/ui', 'shared'],
  'renderer/connect.ts': ['shared'],
  'renderer/state': ['renderer/connect.ts', 'shared'],
  'renderer/commands': ['renderer/state', 'shared'],
  ...Object.fromEntries(
    features.map((room) => [
      room,
      [
        'renderer/state',
        ...['ui', 'code', 'markdown', 'commands'].map((name) => `renderer/${name}`),
        'shared',
      ],
    ]),
  ),
  'renderer/main.tsx': [
    'renderer/ui',
    'renderer/connect.ts',
    'renderer/state',
    'renderer/commands',
    ...features,
    'shared',
  ],
}

/** Which packages a part of the tree may import; where nothing is said, any that package.json names. */
const packages: { in: RegExp; only: RegExp }[] = [
  { in: /^shared\//, only: /^(zod|@codemirror\/state)$/ },
  { in: /^preload\//, only: /^electron\/renderer$/ },
  {
    in: /^main\/(?!shell\/)/,
    only: /^(?!electron(\/|$)|electron-store$|react|@xterm\/xterm$|@codemirror\/(?!state$))/,
  },
  { in: /^renderer\//, only: /^(?!node:|electron(\/|$)|electron-store$|zod$|ws$|node-pty$|conf$|chokidar$)/ },
]

/**
 * Who opens files by Node itself, to read: what only the app writes, what the app is made of, and the system's tables
 * of processes. Every other path may be a pipe, for which Node would wait: `core/files/regular-file.ts` opens those.
 */
const readersOfOwnFiles = [
  'main/app/session-server/app-session-server.ts',
  ...['changes/snapshots', 'editing/backup-file', 'editing/backups'],
  ...['files/write-file', 'files/move-entry', 'files/regular-file'],
  ...['platform/command-lines', 'platform/atomic-replace', 'platform/private-address', 'platform/lock'],
  ...['platform/process-tree', 'platform/process-work', 'platform/socket-process'],
  ...['review/journal-reading', 'review/record/kept-folder', 'review/review-log'],
  ...['settings/folder-settings', 'settings/folder-state'],
  'main/headless/page-server.ts',
  'main/protocols/kit/token-file.ts',
].map((name) => (name.startsWith('main/') ? name : `main/core/${name}.ts`))

const src = join(dirname(fileURLToPath(import.meta.url)), '..', 'src')

interface Import {
  source: string
  typeOnly: boolean
}

interface SourceFile {
  /** Relative to src, with slashes. */
  path: string
  imports: Import[]
  /** What it takes of packages by name, as `package:name`. */
  names: string[]
  /** What its literals, templates and elements say. */
  words: string[]
}

const files: SourceFile[] = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
  .map((entry) => {
    const path = relative(src, join(entry.parentPath, entry.name)).split(sep).join('/')
    const text = readFileSync(join(src, path), 'utf8')
    return {
      path,
      imports: importsOf(path, text),
      names: namesOf(path, text),
      words: wordsOf(path, text),
    }
  })
const product = files.filter((file) => !/\.test\.tsx?$/.test(file.path))
const known = new Set(files.map((file) => file.path))

/** Every module that a file names: imports, re-exports, import() and import types. */
export function importsOf(path: string, text: string): Import[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const found: Import[] = []
  visit(program, (node) => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration': {
        const source = literal(node.source)
        if (source !== undefined) {
          found.push({ source, typeOnly: node.importKind === 'type' || node.exportKind === 'type' })
        }
        return
      }
      case 'ImportExpression':
        found.push({ source: literal(node.source) ?? '(computed)', typeOnly: false })
        return
      case 'TSImportType':
        found.push({ source: literal(node.argument) ?? literal(node.source) ?? '(computed)', typeOnly: true })
    }
  })
  return found
}

/** What a file takes of packages by name; `package:*` where it takes all of one. */
function namesOf(path: string, text: string): string[] {
  const found: string[] = []
  visit(parseSync(path, text).program, (node) => {
    if (node.type !== 'ImportDeclaration') return
    const source = literal(node.source) ?? ''
    if (source.startsWith('.') || node.importKind === 'type') return
    for (const specifier of node.specifiers as Node[]) {
      const { imported } = specifier as { imported?: { name?: string } }
      found.push(`${source}:${imported?.name ?? '*'}`)
    }
  })
  return found
}

/** The texts of a file's string literals and templates, and what elements of the page say. */
function wordsOf(path: string, text: string): string[] {
  const found: string[] = []
  visit(parseSync(path, text).program, (node) => {
    if ((node.type === 'Literal' || node.type === 'JSXText') && typeof node['value'] === 'string')
      found.push(node['value'])
    if (node.type === 'TemplateElement') found.push((node['value'] as { raw: string }).raw)
  })
  return found
}

type Node = Record<string, unknown> & { type: string }

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see)
  } else if (typeof value === 'object' && value !== null) {
    if ('type' in value && typeof value.type === 'string') see(value as Node)
    for (const item of Object.values(value)) if (typeof item === 'object') visit(item, see)
  }
}

/** The text of a string literal, also of one inside a type. */
function literal(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  if ('value' in node && typeof node.value === 'string') return node.value
  return 'literal' in node ? literal(node.literal) : undefined
}

/** The paths of files by something that they have in common. */
function groupBy(some: readonly SourceFile[], keyOf: (path: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { path } of some) groups.set(keyOf(path), [...(groups.get(keyOf(path)) ?? []), path])
  return groups
}

/** The room that a path lies in: the longest name of the table that it begins with. */
function roomOf(path: string): string | undefined {
  return Object.keys(allowed)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]
}

/** The file of ours that a relative import means; undefined for styles and other things that are not code. */
function resolveImport(from: string, source: string): string | undefined {
  const plain = source.replace(/\?modulePath$/, '')
  const path = posix.join(posix.dirname(from), plain)
  if (/\.(css|svg|png|json)(\?.*)?$/.test(plain)) return undefined
  for (const candidate of [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`, path])
    if (known.has(candidate)) return candidate
  throw new Error(`${from} imports ${source}, which is not there`)
}

function ownImports(file: SourceFile): string[] {
  return file.imports
    .filter(({ source }) => source.startsWith('.'))
    .flatMap(({ source }) => resolveImport(file.path, source) ?? [])
}

describe('the house', () => {
  test('was found', () => {
    expect(product.length).toBeGreaterThan(50)
    expect(product.flatMap((file) => file.imports).length).toBeGreaterThan(product.length)
  })

  test('has no folder that the table does not know', () => {
    expect(product.filter((file) => roomOf(file.path) === undefined).map((file) => file.path)).toEqual([])
  })

  test('has no import that the table does not allow', () => {
    const forbidden = product.flatMap((file) => {
      const room = roomOf(file.path) ?? ''
      return ownImports(file)
        .filter((target) => {
          const to = roomOf(target) ?? target
          return to !== room && !allowed[room]?.includes(to)
        })
        .map((target) => `${file.path} → ${target}`)
    })
    expect(forbidden).toEqual([])
  })

  test('imports a package only where it may', () => {
    const forbidden = product.flatMap((file) =>
      file.imports
        .filter(({ source }) => !source.startsWith('.'))
        .filter(({ source }) => packages.some((rule) => rule.in.test(file.path) && !rule.only.test(source)))
        .map(({ source }) => `${file.path} → ${source}`),
    )
    expect(forbidden).toEqual([])
  })

  test('takes of the contract only types into the page, so that zod stays out of it', () => {
    const forbidden = product
      .filter((file) => file.path.startsWith('renderer/'))
      .flatMap((file) =>
        file.imports
          .filter(({ source, typeOnly }) => !typeOnly && /shared\/contract\//.test(source))
          .map(({ source }) => `${file.path} → ${source}`),
      )
    expect(forbidden).toEqual([])
  })

  test('opens what a person or an agent names in one place only, so that no pipe is waited for', () => {
    const opens = product.filter((file) =>
      file.names.some((name) =>
        /^(node:)?fs(\/promises)?:(open|openSync|readFile|readFileSync|createReadStream|\*)$/.test(name),
      ),
    )
    expect(opens.map((file) => file.path).filter((path) => !readersOfOwnFiles.includes(path))).toEqual([])
    expect(readersOfOwnFiles.filter((path) => !opens.some((file) => file.path === path))).toEqual([])
  })

  test('starts programs in one place only, where nothing that the system refuses is an error', () => {
    const starts = product.filter((file) =>
      file.names.some((name) => /^(node:)?child_process:(spawn|exec|execFile|fork|\*)$/.test(name)),
    )
    expect(starts.map((file) => file.path)).toEqual(['main/core/platform/child-process.ts'])
  })

  test('has no circles, types counted', () => {
    expect(findCircle(product)).toEqual([])
  })

  test('hands nobody the whole window or all parts of the app', () => {
    const whole = ['main/app/window-host.ts', 'main/app/app-parts.ts']
    const makers = ['main/app/app.ts', 'main/app/window-host.ts']
    const handed = product.filter(
      (file) => !makers.includes(file.path) && ownImports(file).some((target) => whole.includes(target)),
    )
    expect(handed.map((file) => file.path)).toEqual([])
  })

  test('names a dialect only in its own two folders and in the list', () => {
    const list = 'main/app/dialects.ts'
    const own = product.flatMap(
      (file) => /^main\/protocols\/([^/]+)\/dialect-id\.ts$/.exec(file.path)?.[1] ?? [],
    )
    expect(own.length).toBeGreaterThanOrEqual(3)
    const named = product.flatMap((file) =>
      own
        .filter(
          (id) => !file.path.startsWith(`main/protocols/${id}/`) && !file.path.startsWith(`main/app/${id}/`),
        )
        .filter((id) => file.path !== list && file.words.some((word) => word.split(/[^a-z/-]+/).includes(id)))
        .map((id) => `${file.path}: ${id}`),
    )
    expect(named).toEqual([])
  })

  test('reaches into a dialect only from its own two folders, from the list, and from its own command', () => {
    const list = 'main/app/dialects.ts'
    const reached = product
      .filter(({ path }) => !dialectFolder.test(path) && path !== list && !path.startsWith('main/cli/'))
      .flatMap((file) => ownImports(file).map((target) => [file.path, target] as const))
      .filter(([, target]) => dialectFolder.test(target))
    expect(reached.map(([path, target]) => `${path} → ${target}`)).toEqual([])
  })

  test('names an agent only in its own description, and in the folders of dialects, which speak as it does', () => {
    const ids = agents.map(({ id }) => id)
    const described = product.flatMap(
      (file) => /^main\/core\/agents\/([^/]+)\.ts$/.exec(file.path)?.[1] ?? [],
    )
    expect(ids.filter((id) => !described.includes(id))).toEqual([])
    const named = product
      .filter(({ path }) => !dialectFolder.test(path))
      .flatMap(({ path, words }) =>
        ids
          .filter((id) => path !== `main/core/agents/${id}.ts` && words.includes(id))
          .map((id) => `${path}: ${id}`),
      )
    expect(named).toEqual([])
  })

  test('has no base room in a circle with another', () => {
    const graph = new Map<string, Set<string>>()
    for (const file of product) {
      const room = roomOf(file.path) ?? ''
      if (!baseRooms.includes(room)) continue
      const targets = ownImports(file).map((target) => roomOf(target) ?? '')
      const known_ = graph.get(room) ?? new Set<string>()
      for (const target of targets) if (target !== room && baseRooms.includes(target)) known_.add(target)
      graph.set(room, known_)
    }
    expect(circleIn(graph)).toEqual([])
  })

  test('uses the name of a file once', () => {
    // A subject of the contract is named like the room that answers; each dialect has files for the same purposes.
    const sameEverywhere = ['dialect-id', 'index', 'ports', 'tools']
    const named = product.filter(({ path }) => !path.startsWith('shared/contract/'))
    const byName = groupBy(named, (path) => posix.basename(path).replace(/\.tsx?$/, ''))
    const twice = [...byName].filter(([name, all]) => all.length > 1 && !sameEverywhere.includes(name))
    expect(twice.flatMap(([, all]) => all)).toEqual([])
  })

  test('has at most thirty files in a folder', () => {
    const full = [...groupBy(product, posix.dirname)].filter(([, all]) => all.length > 30)
    expect(full.map(([folder]) => folder)).toEqual([])
  })

  test('names its files in kebab-case, and none after a drawer for odds and ends', () => {
    const wrong = files.filter((file) => {
      const name = posix.basename(file.path)
      return (
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/.test(name) || /^(utils?|helpers?|misc|common)\b/.test(name)
      )
    })
    expect(wrong.map((file) => file.path)).toEqual([])
  })
})

describe('the reading of imports', () => {
  test('finds every way to name a module', () => {
    const text = `
      import a, { type B } from './a'
      import type { C } from './c'
      import './side-effect'
      export { d } from './d'
      export type { E } from './e'
      export * from './f'
      const g = import('./g')
      const h = import('./h' + 1)
      type I = import('./i').I
      // import './comment'
      const text = "import './text'"`
    expect(importsOf('x.ts', text)).toEqual([
      { source: './a', typeOnly: false },
      { source: './c', typeOnly: true },
      { source: './side-effect', typeOnly: false },
      { source: './d', typeOnly: false },
      { source: './e', typeOnly: true },
      { source: './f', typeOnly: false },
      { source: './g', typeOnly: false },
      { source: '(computed)', typeOnly: false },
      { source: './i', typeOnly: true },
    ])
  })

  test('sees a circle', () => {
    const circle = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b'])],
    ])
    expect(circleIn(circle)).toEqual(['b', 'c', 'b'])
    expect(circleIn(new Map([['a', new Set(['b'])]]))).toEqual([])
  })
})

function findCircle(all: readonly SourceFile[]): string[] {
  const graph = new Map(
    all.map((file) => [
      file.path,
      new Set(
        file.imports
          .filter(({ source }) => source.startsWith('.') && !source.endsWith('?modulePath'))
          .flatMap(({ source }) => resolveImport(file.path, source) ?? []),
      ),
    ]),
  )
  return circleIn(graph)
}

/** One circle of a graph, from a node back to itself; empty when there is none. */
function circleIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>()
  const walk = (node: string, way: readonly string[]): string[] => {
    const at = way.indexOf(node)
    if (at >= 0) return [...way.slice(at), node]
    if (done.has(node)) return []
    for (const next of graph.get(node) ?? []) {
      const circle = walk(next, [...way, node])
      if (circle.length > 0) return circle
    }
    done.add(node)
    return []
  }
  for (const node of graph.keys()) {
    const circle = walk(node, [])
    if (circle.length > 0) return circle
  }
  return []
}
