import { ChangeSet } from '@codemirror/state'
import type { ReviewSummary } from '../../src/shared/contract/review'
import type { FakeHost, Sample } from './fake-host'

const folder = '/home/ada/project'

const invoice = `import { readFile } from 'node:fs/promises'
import { Currency, type Money } from './money'
import { formatDate } from './dates'

/** One line of an invoice. */
export interface Line {
  readonly title: string
  readonly count: number
  readonly price: Money
}

export interface Invoice {
  readonly number: string
  readonly customer: string
  readonly lines: readonly Line[]
  readonly due: Date
}

export async function loadInvoice(path: string): Promise<Invoice> {
  const text = await readFile(path, 'utf8')
  return JSON.parse(text)
}

export function total(invoice: Invoice): number {
  let sum = 0
  for (const line of invoice.lines) {
    sum += line.count * line.price.amount
  }
  return sum
}

export function titleOf(invoice: Invoice): string {
  return 'Invoice ' + invoice.number
}

export function isOverdue(invoice: Invoice): boolean {
  return invoice.due < new Date()
}

export function describe(invoice: Invoice): string {
  const due = formatDate(invoice.due)
  return invoice.customer + ' owes ' + total(invoice) + ' by ' + due
}

// Kept for the old importer.
export function legacyTotal(invoice: Invoice): number {
  return total(invoice) * 100
}

export function currencyOf(invoice: Invoice): Currency {
  const first = invoice.lines[0]
  if (first === undefined) throw new Error('an invoice has lines')
  return first.price.currency
}
`

const invoiceProposed = invoice
  .replace(
    "  const text = await readFile(path, 'utf8')\n  return JSON.parse(text)\n",
    "  const text = await readFile(path, { encoding: 'utf8' })\n  const invoice = invoiceSchema.parse(JSON.parse(text))\n  if (invoice.lines.length === 0) throw new Error(`${path} has no lines`)\n  return invoice\n",
  )
  .replace(
    "import { formatDate } from './dates'",
    "import { formatDate } from './dates'\nimport { invoiceSchema } from './invoice-schema'",
  )
  .replace(
    '  let sum = 0\n  for (const line of invoice.lines) {\n    sum += line.count * line.price.amount\n  }\n  return sum\n',
    '  return invoice.lines.reduce((sum, line) => sum + line.count * line.price.amount, 0)\n',
  )
  .replace("return 'Invoice ' + invoice.number", 'return `Invoice ${invoice.number}`')
  .replace('invoice.due < new Date()', 'invoice.due.getTime() < Date.now()')
  .replace(/\n\/\/ Kept for the old importer\.\n[^}]*}\n/, '')
  .replace(
    "return invoice.customer + ' owes ' + total(invoice) + ' by ' + due",
    'return `${invoice.customer} owes ${total(invoice)} by ${due}`',
  )

/** Lines of code that look like some, without being the same. */
export function manyLines(
  count: number,
  every: number,
  change: (line: string, i: number) => string,
): [string, string] {
  const base: string[] = []
  const proposed: string[] = []
  for (let i = 0; i < count; i++) {
    const line = `  const value${i} = compute(${i % 97}, '${(i * 7919) % 10007}')`
    base.push(line)
    proposed.push(i % every === every - 1 ? change(line, i) : line)
  }
  return [`${base.join('\n')}\n`, `${proposed.join('\n')}\n`]
}

const [thousand, thousandProposed] = manyLines(12_000, 12, (line, i) =>
  line.replace('compute', `computeAll${i % 3}`),
)
const [huge, hugeProposed] = manyLines(100_000, 10, (line) => line.replace('const', 'let'))
const longLine = `export const table = [${Array.from({ length: 60_000 }, (_, i) => `0x${((i * 2654435761) >>> 0).toString(16)}`).join(', ')}]`

const minified = Array.from({ length: 5000 }, (_, i) => `function f${i}(a,b){return a+b*${i}}`).join('')

function text(id: string, name: string, base: string, proposed: string, more: Partial<Sample> = {}): Sample {
  const { summary, ...rest } = more
  return { base, proposed, ...rest, summary: { id, path: `${folder}/${name}`, ...summary } }
}

const edited = (base: string, at: string, insert: string) =>
  ChangeSet.of({ from: base.indexOf(at) + at.length, insert }, base.length)

/** Numbered lines, and those that change in capitals. */
export const linesWith = (count: number, changed: readonly number[]): string =>
  Array.from({ length: count }, (_, i) => `${changed.includes(i + 1) ? 'LINE' : 'line'} ${i + 1}\n`).join('')

/** A review of thirty lines of which two change. */
const thirty = (id: string, name: string, more: Partial<ReviewSummary> = {}): Sample =>
  text(id, name, linesWith(30, []), linesWith(30, [3, 15]), {
    summary: { id, path: `${folder}/${name}`, askedAt: 1_000_000 + Number(id.slice(1)), ...more },
  })

/** Who is connected in the state `two-clis`. */
export const commandLines: Pick<FakeHost, 'connections' | 'terminals'> = {
  connections: [
    ['c1', 4711, 't1'],
    ['c2', 4712, 't2'],
    ['c3', 4713, null],
  ].map(([id, pid, terminal]) => ({
    id: id as string,
    dialect: 'claude-ide',
    protocol: 'IDE protocol',
    agent: 'Claude',
    version: '2.1.330',
    pid: pid as number,
    since: 0,
    terminal: terminal as string | null,
    unasked: null,
    note: null,
  })),
  terminals: ['Claude Code', 'Claude Code 2'].map((title, i) => ({
    id: `t${i + 1}`,
    profile: 'claude',
    title,
    programTitle: '',
    pid: null,
    cwd: folder,
    state: { kind: 'running' },
    splitOf: null,
    bell: false,
    note: '',
  })),
}

/** Every state that is looked at, by name; the first review of each is the one shown. */
export const samples: Record<string, () => Sample[]> = {
  open: () => [
    text('r1', 'src/billing/invoice.ts', invoice, invoiceProposed),
    text('r2', 'src/billing/dates.ts', 'a\nb\n', 'a\nc\n', {
      summary: {
        id: 'r2',
        path: `${folder}/src/billing/dates.ts`,
        agent: 'Gemini',
        askedAt: Date.now() - 20_000,
      },
    }),
    text('r3', 'notes.md', 'x\n', 'y\n', {
      summary: {
        id: 'r3',
        path: '/etc/greeting/notes.md',
        folder: '/etc/greeting',
        isOutside: true,
        askedAt: Date.now() - 5_000,
      },
    }),
  ],
  decided: () => [
    text('r1', 'src/billing/invoice.ts', invoice, invoiceProposed, {
      steps: [
        { kind: 'accept', hunk: 1 },
        { kind: 'reject', hunk: 3 },
        { kind: 'accept', hunk: 7 },
      ],
    }),
  ],
  edited: () => [
    text('r1', 'src/billing/invoice.ts', invoice, invoiceProposed, {
      steps: [
        { kind: 'edit', changes: edited(invoiceProposed, 'invoice.due.getTime() < Date.now()', ' - day') },
      ],
    }),
  ],
  small: () => [
    text('r1', 'notes.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n', 'one\n2\nthree\nfour\n5\nsix\n7\n'),
  ],
  new: () => [
    text('r1', 'src/billing/invoice-schema.ts', '', invoice.slice(0, 420), {
      summary: { id: 'r1', path: `${folder}/src/billing/invoice-schema.ts`, isNew: true },
    }),
  ],
  emptied: () => [text('r1', 'src/old.ts', invoice, '')],
  rewind: () => [
    text('r1', 'src/new.ts', 'one\ntwo\n', '', {
      summary: {
        ...{ id: 'r1', path: `${folder}/src/new.ts`, dialect: 'rewind', agent: 'Rewind', effect: 'host' },
        ...{ title: 'Rewind to before “Make the invoice a class, and test it”', isGone: true },
      },
    }),
    text('r2', 'src/same.ts', invoice, invoice, {
      summary: {
        ...{ id: 'r2', path: `${folder}/src/same.ts`, dialect: 'rewind', agent: 'Rewind', effect: 'host' },
        ...{ title: 'Rewind to before “Make the invoice a class, and test it”' },
      },
      facts: { encoding: 'utf-8', bom: false, eol: 'crlf' },
    }),
  ],
  'line-ends': () => [
    text('r1', 'src/same.ts', invoice, invoice, { facts: { encoding: 'utf-8', bom: true, eol: 'crlf' } }),
  ],
  crlf: () => [
    text('r1', 'src/windows.ts', invoice, invoiceProposed, {
      facts: { encoding: 'utf-8', bom: true, eol: 'crlf' },
    }),
  ],
  mixed: () => [
    text('r1', 'src/mixed.txt', 'one\r\ntwo\nthree\r\nfour', 'one\r\n2\nthree\r\nfour\nfive', {
      facts: { encoding: 'utf-16le', bom: false, eol: 'mixed' },
    }),
  ],
  spaces: () => [
    text(
      'r1',
      'src/layout.ts',
      'a\nb\nc\nd\n\te\nf\ng\nh x\ni\nj\n  k\nl\n\nm\nn\n',
      'a\nb \nc\nd\n    e\nf\ng\nh\u00a0x\ni\nj\n    k\nl\n  \nm\nn\t\n',
    ),
  ],
  whitespace: () => [
    text(
      'r1',
      'src/layout.ts',
      'if (x) {\n  a()\n}\nb()\nc()\nd()\ne()\nf()\n',
      'if (x) {\n    a()\n}\nb()\nc()\nd()\ne(1)\nf()\n',
    ),
  ],
  binary: () => [
    text('r1', 'assets/logo.png', '', '', { binary: { sizeBefore: 18_204, sizeAfter: 22_911 } }),
  ],
  queued: () => [
    text('r1', 'src/billing/invoice.ts', invoice, invoiceProposed, {
      summary: { id: 'r1', path: `${folder}/src/billing/invoice.ts`, phase: 'queued', agent: 'Gemini' },
    }),
  ],
  awaiting: () => [
    text('r1', 'src/billing/invoice.ts', invoice, invoiceProposed, {
      summary: { id: 'r1', path: `${folder}/src/billing/invoice.ts`, phase: 'awaiting' },
    }),
  ],
  overdue: () => [
    text('r1', 'src/billing/invoice.ts', invoice, invoiceProposed, {
      summary: { id: 'r1', path: `${folder}/src/billing/invoice.ts`, phase: 'overdue' },
    }),
  ],
  orphaned: () => [
    text('r1', 'src/billing/invoice.ts', invoice, invoiceProposed, {
      steps: [{ kind: 'accept', hunk: 1 }],
      summary: { id: 'r1', path: `${folder}/src/billing/invoice.ts`, phase: 'orphaned' },
    }),
  ],
  stale: () => [
    text('r1', 'src/billing/invoice.ts', invoice, invoiceProposed, {
      disk: invoice
        .replace("return 'Invoice ' + invoice.number", "return 'Bill ' + invoice.number")
        .replace('readonly customer: string', 'readonly customer: Customer'),
    }),
  ],
  offered: () => [text('r1', 'src/billing/invoice.ts', invoice, invoiceProposed, { offered: true })],
  chips: () => [
    text('r1', 'src/billing/invoice.ts', invoice, invoiceProposed, {
      summary: {
        id: 'r1',
        path: '/srv/shared/a-rather-long-folder-name/with-many-parts/of-a-deep-tree/invoice.ts',
        folder: '/srv/shared/a-rather-long-folder-name/with-many-parts/of-a-deep-tree',
        isOutside: true,
        isReadOnly: true,
        isNew: true,
        effect: 'agent-then-host',
        agent: 'An agent with quite a long name of its own',
      },
      facts: { encoding: 'latin-1', bom: true, eol: 'mixed' },
    }),
  ],
  long: () => [
    text(
      'r1',
      'src/table.ts',
      `// Numbers\n${longLine}\nexport const end = 1\n`,
      `// Numbers\n${longLine.replace('0x0,', '0x1,')}\nexport const end = 2\n`,
    ),
  ],
  minified: () => [
    text('r1', 'dist/app.min.js', `${minified}\n`, `${minified.replace(/f2500\b/, 'mended')}\n`),
  ],
  removal: () => [text('r1', 'src/generated.ts', `// first\n${thousand}// last\n`, '// first\n// last\n')],
  thousand: () => [text('r1', 'src/thousand.ts', thousand, thousandProposed)],
  huge: () => [text('r1', 'src/huge.ts', huge, hugeProposed)],
  rtl: () => [text('r1', 'docs/مرحبا.md', 'שלום עולם\nשורה\n', 'שלום לכולם\nשורה\n')],
  three: () => [thirty('r1', 'one.txt'), thirty('r2', 'two.txt'), thirty('r3', 'three.txt')],
  many: () => Array.from({ length: 1000 }, (_, i) => thirty(`r${i + 1}`, `src/part-${i % 10}/file-${i}.txt`)),
  'two-clis': () => [
    thirty('r1', 'src/one.txt', { connection: 'c1' }),
    thirty('r2', 'src/one.txt', { connection: 'c2', phase: 'queued' }),
    thirty('r3', 'src/one.txt', { connection: 'c3', phase: 'queued' }),
  ],
  none: () => [],
}
